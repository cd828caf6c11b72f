import { setTimeout as delay } from 'node:timers/promises'
import { keys } from '../product/index.js'
import type { Random } from '../product/random.js'
import { base } from '../support/client.js'
import { dial } from '../support/raw-caller.js'

/** Somebody who does not behave, and what was wrong with what came all the same. */
export interface Nuisance {
  readonly name: string
  readonly bother: (port: number) => Promise<string | undefined>
}

const list = `GET ${base}/registrations?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.both}\r\n\r\n`

/** Callers who go away, who read slowly, and who read nothing. */
export function createNuisances(random: Random): readonly Nuisance[] {
  return [
    {
      name: 'gone in mid-answer',
      bother: async (port) => {
        const caller = await dial(port)
        caller.send(list)
        caller.socket.once('data', () => caller.socket.resetAndDestroy())
        await caller.closed
        return undefined
      },
    },
    {
      name: 'gone before the answer',
      bother: async (port) => {
        const caller = await dial(port)
        caller.send(list.slice(0, 20 + random.whole(list.length)))
        await delay(random.whole(5))
        caller.socket.resetAndDestroy()
        await caller.closed
        return undefined
      },
    },
    ...[1, 2, 3, 4].map(() => ({ name: 'reads slowly', bother: readSlowly })),
    ...[1, 2, 3, 4].map(() => ({ name: 'reads nothing', bother: readNothing })),
  ]
}

/** Sends a few requests ahead, and takes their answers bit by bit. */
async function readSlowly(port: number): Promise<string | undefined> {
  const caller = await dial(port)
  try {
    const timer = setInterval(() => {
      if (caller.socket.isPaused()) caller.socket.resume()
      else caller.socket.pause()
    }, 20)
    try {
      caller.send(list.repeat(8))
      const statuses = (await caller.waitFor(8)).map(({ status }) => status).join()
      return statuses === '200,200,200,200,200,200,200,200' ? undefined : `statuses ${statuses}`
    } finally {
      clearInterval(timer)
    }
  } finally {
    caller.socket.destroy()
  }
}

/** Asks for as much as a connection may at once, and leaves it there for a while. */
async function readNothing(port: number): Promise<string | undefined> {
  const caller = await dial(port)
  caller.socket.pause()
  caller.send('GET /docs HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(16))
  await delay(5000)
  caller.socket.destroy()
  return undefined
}
