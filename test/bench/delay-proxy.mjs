import { connect, createServer } from 'node:net'

/*
 * A network between a service and its database, as a process of its own: `delay-proxy.mjs HOST PORT MILLISECONDS`
 * forwards TCP and delays every chunk by this time in each direction. It reports its port by a message.
 */

const [host = '', port = '', delay = ''] = process.argv.slice(2)
const delayMs = Number(delay)
/** What is to be forwarded, in the order of its instant, because every delay is the same. */
const delayed = []
const never = new Int32Array(new SharedArrayBuffer(4))
/** Timers of Node have whole milliseconds, which is as long as the delays themselves. */
const sleepMs = 0.05

function schedule(forward) {
  delayed.push({ dueMs: performance.now() + delayMs, forward })
  if (delayed.length === 1) setImmediate(forwardDue)
}

function forwardDue() {
  while (delayed[0] !== undefined && delayed[0].dueMs <= performance.now()) delayed.shift()?.forward()
  if (delayed.length === 0) return
  Atomics.wait(never, 0, 0, sleepMs)
  setImmediate(forwardDue)
}

function pipe(from, to) {
  from.setNoDelay(true)
  from.on('data', (chunk) => {
    schedule(() => to.write(chunk))
  })
  from.on('error', () => to.destroy())
  from.on('close', () => {
    schedule(() => to.end())
  })
}

const server = createServer((client) => {
  const database = connect(Number(port), host)
  pipe(client, database)
  pipe(database, client)
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port))
process.on('disconnect', () => process.exit())
