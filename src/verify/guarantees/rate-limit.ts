import { isProblem, toObject } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { defineLast, listReadable } from '../run.js'
import type { Check, Guarantee, Run } from '../run.js'
import type { Verdict } from '../verdict.js'

const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const

/** Where limits are on, every answer to a request of a key has them. */
const checkRateLimit: Check = async (run, verdict) => {
  const [collection] = listReadable(run)
  if (collection === undefined || !listCounted(run).some(({ headers }) => headers[names[0]] !== undefined)) {
    verdict.skip('no answer has RateLimit headers: RATE_LIMIT_PER_MINUTE is 0')
    return
  }
  await expectOwnCount(run, verdict, collection.path)
  await expectResetFalls(run, verdict, collection.path)
  const counted = listCounted(run)
  for (const exchange of counted) {
    const [limit = Number.NaN, remaining, reset] = names.map((name) => readNumber(exchange, name))
    const isRight = isWithin(limit, 1, Infinity) && isWithin(remaining, 0, limit) && isWithin(reset, 0, 60)
    const got = names.map((name) => `${name}: ${exchange.headers[name] ?? '(none)'}`).join(', ')
    const expected = 'RateLimit-Limit, -Remaining (at most the limit) and -Reset (at most 60 seconds)'
    verdict.expect(isRight, { exchange, got, expected })
  }
  const last = counted.at(-1)
  if (last === undefined || counted.length < falls) return
  const numbers = counted.map((exchange) => readNumber(exchange, names[1]))
  const fallen = numbers.filter((value, at) => value < (numbers[at - 1] ?? 0)).length
  const got = `RateLimit-Remaining: ${numbers.slice(-10).join(', ')} on the last answers`
  const expected = 'a number that goes down with each request'
  // Each process behind a load balancer has its own numbers, and each minute begins with the limit.
  verdict.expect(fallen * falls >= counted.length, { exchange: last, got, expected })
}

/** Of so many answers, at least one has less than the one before it: there are fewer processes than that. */
const falls = 20

/** Two keys in turn: each has its own numbers, and both have the same if they share one count. */
async function expectOwnCount(run: Run, verdict: Verdict, path: string): Promise<void> {
  const from = (['otherKey', 'scopedKey'] as const).find((name) => run.keys[name] !== undefined)
  if (from === undefined) {
    verdict.skip('the counts of two keys need --other-key-env')
    return
  }
  const turns = ['key', from, 'key', from, 'key', from] as const
  const numbers: number[] = []
  let exchange: Exchange | undefined
  for (const turn of turns) {
    exchange = await run.caller.ask({ path, from: turn, query: 'limit=1' })
    numbers.push(readNumber(exchange, names[1]))
  }
  const isShared = numbers.every((value, at) => at === 0 || value === (numbers[at - 1] ?? 0) - 1)
  const got = `RateLimit-Remaining: ${numbers.join(', ')} for two keys in turn`
  if (exchange !== undefined)
    verdict.expect(!isShared, { exchange, got, expected: 'a count of its own for each key' })
}

/** So long that a number of seconds has changed. */
const spanMinMs = 2500

/** Seconds until the count begins anew cannot be the same after some seconds. */
async function expectResetFalls(run: Run, verdict: Verdict, path: string): Promise<void> {
  const [first] = listCounted(run)
  if (first === undefined) return
  await run.caller.wait(Math.max(0, first.sentAt + spanMinMs - Date.now()))
  const exchange = await run.caller.ask({ path, query: 'limit=1' })
  if (exchange.sentAt < first.sentAt + spanMinMs) return
  const values = new Set(listCounted(run).map(({ headers }) => headers[names[2]]))
  const got = `RateLimit-Reset: ${[...values].join()} on all answers, for some seconds`
  verdict.expect(values.size > 1, { exchange, got, expected: 'a number of seconds that goes down' })
}

/** Problems that are found after the request was counted for its key. */
const countedCodes = new Set([
  'invalid_parameter',
  'unknown_parameter',
  'invalid_cursor',
  'cursor_mismatch',
  'insufficient_scope',
  'not_found',
  'rate_limited',
])

/** Answers to the key, of routes that exist, that are given after the request was counted. */
function listCounted({ caller, collections }: Run): readonly Exchange[] {
  const served = collections.filter(({ access }) => access.key !== 'absent').map(({ name }) => name)
  const route = new RegExp(`^/(?:${served.join('|')})(?:/[^/]+)?$`)
  return caller.exchanges.filter((exchange) => {
    const { call, status, json } = exchange
    if ((call.from ?? 'key') !== 'key' || !route.test(call.path)) return false
    const isRefused = isProblem(exchange) && countedCodes.has(String(toObject(json)['code']))
    return status === 200 || status === 304 || isRefused
  })
}

function readNumber({ headers }: Exchange, name: string): number {
  return Number(headers[name] ?? Number.NaN)
}

function isWithin(value: number | undefined, min: number, max: number): boolean {
  return value !== undefined && Number.isInteger(value) && value >= min && value <= max
}

/** The limit of requests for each key. */
export const rateGuarantees: readonly Guarantee[] = [
  defineLast('rate-limit', 'RateLimit headers count the requests of each key', checkRateLimit),
]
