import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { parseAnswers } from '../support/raw-answers.js'
import { dial } from '../support/raw-caller.js'
import type { RawCaller } from '../support/raw-caller.js'
import { bytes } from './requests.js'
import { findWrong } from './find-wrong.js'

/** What a hostile caller does with one connection. */
export interface Script {
  readonly bytes: string
  readonly manner:
    | 'in one go'
    | 'in pieces'
    | 'byte by byte'
    | 'and closes its half'
    | 'half of it, and resets'
    | 'and resets at the first byte'
    | 'and reads nothing'
  /** Where pieces end, and where the half is. */
  readonly cuts: readonly number[]
}

/** Connections of all kinds. */
export const script: fc.Arbitrary<Script> = fc.record({
  bytes,
  manner: fc.constantFrom<Script['manner'][]>(
    ...(['in one go', 'in one go', 'in pieces', 'in pieces', 'byte by byte', 'and closes its half'] as const),
    ...(['half of it, and resets', 'and resets at the first byte', 'and reads nothing'] as const),
  ),
  cuts: fc.array(fc.nat({ max: 600 }), { minLength: 1, maxLength: 6 }),
})

/** Tells by its id that everything before it was answered, where its bytes are a request at all. */
const endId = 'the-end'
const end = `\r\n\r\nGET /end HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${endId}\r\nConnection: close\r\n\r\n`

/** What swallows the end, such as a body that is still to come, is given up after this; what came is validated. */
const quietMs = 150
/** More single bytes than this tell nothing new. */
const singleBytesMax = 300

/** Sends a script to its end. @throws Error that tells what was wrong, and what was sent. */
export async function sendScript(port: number, one: Script): Promise<void> {
  const caller = await dial(port)
  try {
    await send(caller, one)
    const received = await listen(caller, one)
    const { answers, rest } = parseAnswers(received.text)
    const wrong = answers.map(findWrong).find((text) => text !== undefined)
    if (wrong !== undefined) throw new Error(wrong)
    // The last answer may be one to HEAD, which ends with its head.
    const isHead = one.bytes.includes('HEAD') && rest.endsWith('\r\n\r\n')
    if (received.whole && rest !== '' && !isHead)
      throw new Error(`half an answer, which ends with ${JSON.stringify(rest.slice(-200))}`)
  } catch (error) {
    throw new Error(`${String(error)}\nafter ${JSON.stringify(one)}`, { cause: error })
  } finally {
    caller.socket.destroy()
  }
}

async function send({ socket, send }: RawCaller, { bytes, manner, cuts }: Script): Promise<void> {
  socket.setNoDelay(true)
  if (manner === 'and reads nothing') socket.pause()
  if (manner === 'half of it, and resets') {
    send(bytes.slice(0, cuts[0]))
    await turn()
    socket.resetAndDestroy()
    return
  }
  if (manner === 'and resets at the first byte') socket.once('data', () => socket.resetAndDestroy())
  for (const piece of split(bytes, toCuts(manner, cuts))) {
    send(piece)
    await turn()
  }
  if (manner === 'and closes its half') socket.end()
  else send(end)
}

function toCuts(manner: Script['manner'], cuts: readonly number[]): readonly number[] {
  if (manner === 'byte by byte') return Array.from({ length: singleBytesMax }, (_, at) => at + 1)
  return manner === 'in pieces' ? [...cuts].sort((a, b) => a - b) : []
}

function split(text: string, cuts: readonly number[]): readonly string[] {
  const inside = [...new Set(cuts)].filter((cut) => cut > 0 && cut < text.length)
  return [0, ...inside].map((from, at) => text.slice(from, inside[at]))
}

interface Received {
  readonly text: string
  /** Whether the service closed in order, so that no answer may lack its end. */
  readonly whole: boolean
}

async function listen({ socket, closed, text }: RawCaller, { manner }: Script): Promise<Received> {
  const ended = closed.then(() => true)
  if (manner === 'and reads nothing') {
    await Promise.race([ended, delay(quietMs)])
    return { text: '', whole: false }
  }
  for (;;) {
    const before = text().length
    const done = await Promise.race([ended, delay(quietMs, false)])
    if (done) return { text: text(), whole: socket.errored === null && !manner.includes('resets') }
    if (text().length === before || text().includes(`x-request-id: ${endId}`))
      return { text: text(), whole: false }
  }
}
