import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterFile } from './after-file.js'

/** A TCP proxy before the server of an address, such as a `DATABASE_URL`. */
export interface Proxy {
  /** The same address with the host and port of the proxy. */
  readonly url: string
  /** From now on counts new connections apart. */
  readonly mark: () => void
  /** How many connections are open of those made since the last mark, or before it. */
  readonly count: (made: 'before' | 'since') => number
  /** How many connections ended with COM_QUIT. */
  readonly countQuits: () => number
  /** The messages of each connection whose answers it waited for: a login, or the kind of a command and its text. */
  readonly listMessages: () => readonly (readonly string[])[]
  /** Holds back all data of the connections that are open, but not of new ones. */
  readonly freeze: () => void
  readonly thaw: () => void
}

/** COM_QUIT, a packet of one byte. */
const quit = Buffer.from([1, 0, 0, 0, 1])
/** The commands of the driver that have an answer, by the fifth byte of their packets. */
const commands: Readonly<Record<number, string>> = { 3: 'query', 22: 'prepare', 23: 'execute' }

/** The driver sends a message after the answer to the one before, so that a chunk has one. */
function toMessage(chunk: Buffer): string | undefined {
  if (chunk[3] !== 0) return 'login'
  const command = commands[chunk[4] ?? 0]
  return command && `${command} ${command === 'execute' ? '' : chunk.toString('latin1', 5)}`.trim()
}

/**
 * Starts a proxy, which ends with the test file.
 *
 * @param together no data pass before there are this many connections.
 */
export async function startProxy(url: string, together = 1): Promise<Proxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const frozen = new Set<Socket>()
  let quits = 0
  const messages: string[][] = []
  const waiting: (() => void)[] = []
  let [before, since] = [new Set<Socket>(), new Set<Socket>()]
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    since.add(near)
    const own: string[] = []
    messages.push(own)
    const note = (chunk: Buffer): void => {
      if (chunk.subarray(-quit.length).equals(quit)) quits += 1
      const message = toMessage(chunk)
      if (message !== undefined) own.push(message)
    }
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        for (const all of [sockets, frozen, before, since]) all.delete(one)
        other.destroy()
      })
    }
    waiting.push(() => {
      near.on('data', note)
      near.pipe(far).pipe(near)
    })
    if (messages.length >= together) for (const begin of waiting.splice(0)) begin()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const proxied = new URL(url)
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: proxied.href,
    mark: () => {
      before = new Set([...before, ...since])
      since = new Set()
    },
    count: (made) => (made === 'before' ? before : since).size,
    countQuits: () => quits,
    listMessages: () => messages,
    freeze: () => {
      for (const socket of sockets) frozen.add(socket.pause())
    },
    thaw: () => {
      for (const socket of frozen) socket.resume()
      frozen.clear()
    },
  }
}
