import { setTimeout as delay } from 'node:timers/promises'
import type { Caller, Reply } from './callers.js'

/** A request and how it ended; times are those of `performance.now()`. */
export interface Outcome {
  readonly seat: Seat
  readonly as: 'right' | '503' | 'wrong'
  readonly sentAt: number
  readonly endedAt: number
  /** What was wrong. */
  readonly detail: string
}

/** A caller and whom it asks. */
export interface Seat {
  readonly caller: Caller
  readonly origin: string
  /** Whether it may get 503, and is counted. */
  readonly needsDatabase: boolean
}

/** Everybody asking at once. */
export interface Load {
  /** Everything that has ended, in that order. */
  readonly outcomes: readonly Outcome[]
  readonly seats: readonly Seat[]
  readonly stop: () => Promise<void>
}

/** An answer that takes longer hangs: many times what the service's own limits add up to. */
const hangMs = 12_000
/** Between two requests of a caller: a few at a time, not as many as the machine can bear. */
const usualPauseMs = 15

/** Lets every seat ask, one request after the other, until it is stopped. */
export function startLoad(seats: readonly Seat[], pauseMs = usualPauseMs): Load {
  const outcomes: Outcome[] = []
  let going = true
  const sit = async (seat: Seat): Promise<void> => {
    while (going) {
      const sentAt = performance.now()
      const path = seat.caller.toPath()
      const [as, detail] = await ask(seat, path)
      const message = `${seat.caller.name}: ${detail} at ${path}`
      outcomes.push({ seat, as, sentAt, endedAt: performance.now(), detail: message })
      await delay(pauseMs)
    }
  }
  const done = seats.map(sit)
  return {
    outcomes,
    seats,
    stop: async () => {
      going = false
      await Promise.all(done)
    },
  }
}

type Verdict = readonly [as: Outcome['as'], detail: string]

async function ask({ caller, origin, needsDatabase }: Seat, path: string): Promise<Verdict> {
  const etag = caller.ifNoneMatch?.() ?? ''
  try {
    const answer = await fetch(`${origin}${path}`, {
      headers: { authorization: `Bearer ${caller.key}`, ...(etag !== '' && { 'if-none-match': etag }) },
      signal: AbortSignal.timeout(hangMs),
    })
    const reply = { status: answer.status, headers: answer.headers, text: await answer.text() }
    if (reply.status === 503 && needsDatabase) return classifyRefusal(reply)
    const fault = caller.findError(reply)
    return fault === undefined ? ['right', ''] : ['wrong', `${fault}: ${reply.text.slice(0, 200)}`]
  } catch (error) {
    return ['wrong', String(error instanceof Error ? (error.cause ?? error) : error)]
  }
}

/** A 503 says what the contract says, and nothing of the database. */
function classifyRefusal({ headers, text }: Reply): Verdict {
  const body = JSON.parse(text) as Readonly<Record<string, unknown>>
  const faults = [
    headers.get('content-type') === 'application/problem+json' ? [] : ['its type'],
    /^[1-9]\d*$/.test(headers.get('retry-after') ?? '') ? [] : ['its Retry-After'],
    body['code'] === 'database_unavailable' || body['code'] === 'overloaded' ? [] : ['its code'],
    Object.keys(body).join() === 'type,title,status,detail,code,requestId' ? [] : ['its members'],
  ].flat()
  return faults.length === 0 ? ['503', ''] : ['wrong', `a 503 with another ${faults.join()}: ${text}`]
}
