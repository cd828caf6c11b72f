import { setTimeout as delay } from 'node:timers/promises'
import { keys } from '../product/index.js'
import type { Random } from '../product/random.js'
import { base } from '../support/client.js'
import { dial } from '../support/raw-caller.js'

const list = `GET ${base}/registrations?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.both}\r\n\r\n`

/** Callers who go away, who read slowly, and who read nothing, until they are stopped. */
export function startNuisances(port: number, random: Random) {
  let going = true
  const wrong: string[] = []
  const repeat = async (bother: (port: number, random: Random) => Promise<string | undefined>) => {
    while (going) {
      const found = await bother(port, random).catch((error: unknown) => String(error))
      if (found !== undefined) wrong.push(`${bother.name}: ${found}`)
    }
  }
  const slow = [1, 2, 3, 4].flatMap(() => [readSlowly, readNothing])
  const done = [leaveWithin, leaveBefore, ...slow].map(repeat)
  return {
    /** @returns what was wrong with what came all the same. */
    stop: async (): Promise<readonly string[]> => {
      going = false
      await Promise.all(done)
      return wrong
    },
  }
}

async function leaveWithin(port: number): Promise<undefined> {
  const caller = await dial(port)
  caller.send(list)
  caller.socket.once('data', () => caller.socket.resetAndDestroy())
  await caller.closed
}

async function leaveBefore(port: number, random: Random): Promise<undefined> {
  const caller = await dial(port)
  caller.send(list.slice(0, 20 + random.whole(list.length)))
  await delay(random.whole(5))
  caller.socket.resetAndDestroy()
  await caller.closed
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
