import { isProblem, toObject } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { byRules, inTurn, listReadable } from '../run.js'
import type { Check, Checks, Rule, Run } from '../run.js'

const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const
const limitForm = 'RateLimit-Limit, -Remaining (at most the limit) and -Reset (at most 60 seconds)'

/** Where limits are on, every answer to a request of a key has them. */
const checkRateLimit: Check = async (run) => {
  const isCounted = listCounted(run).some(({ headers }) => headers[names[0]] !== undefined)
  if (!isCounted) run.verdict.skip('no answer has RateLimit headers: RATE_LIMIT_PER_MINUTE is 0')
  else await inTurn(expectOwnCount, expectResetFalls, byRules(listAnswers, listLimitRules), expectFall)(run)
}

const listAnswers = (run: Run) => listCounted(run).map((exchange) => ({ exchange }))

function listLimitRules({ exchange }: { readonly exchange: Exchange }): readonly Rule[] {
  const [limit = Number.NaN, remaining, reset] = names.map((name) => readNumber(exchange, name))
  const isRight = isWithin(limit, 1, Infinity) && isWithin(remaining, 0, limit) && isWithin(reset, 0, 60)
  const got = names.map((name) => `${name}: ${exchange.headers[name] ?? '(none)'}`)
  return [[isRight, got.join(', '), limitForm]]
}

/** Of so many answers, at least one has less than the one before it: there are fewer processes than that. */
const falls = 20

/** Each process behind a load balancer has its own numbers, and each minute begins with the limit. */
const expectFall: Check = (run) => {
  const counted = listCounted(run)
  const last = counted.at(-1)
  if (last === undefined || counted.length < falls) return
  const numbers = counted.map((exchange) => readNumber(exchange, names[1]))
  const fallen = numbers.filter((value, at) => value < (numbers[at - 1] ?? 0)).length
  const got = `RateLimit-Remaining: ${numbers.slice(-10).join(', ')} on the last answers`
  run.verdict.expect(fallen * falls >= counted.length, last, got, 'a number that goes down with each request')
}

/** Two keys in turn: each has its own numbers, and both have the same if they share one count. */
const expectOwnCount: Check = async (run) => {
  const { verdict } = run
  const from = (['otherKey', 'scopedKey'] as const).find((name) => run.keys[name] !== undefined)
  const [{ path } = { path: '' }] = listReadable(run)
  if (from === undefined) {
    verdict.skip('the counts of two keys need --other-key-env')
    return
  }
  const exchanges: Exchange[] = []
  for (const turn of ['key', from, 'key', from, 'key', from] as const)
    exchanges.push(await run.caller.ask({ path, from: turn, query: 'limit=1' }))
  const numbers = exchanges.map((exchange) => readNumber(exchange, names[1]))
  const isShared = numbers.every((value, at) => at === 0 || value === (numbers[at - 1] ?? 0) - 1)
  const got = `RateLimit-Remaining: ${numbers.join(', ')} for two keys in turn`
  for (const exchange of exchanges.slice(-1))
    verdict.expect(!isShared, exchange, got, 'a count of its own for each key')
}

/** So long that a number of seconds has changed. */
const spanMinMs = 2500

/** Seconds until the count begins anew cannot be the same after some seconds. */
const expectResetFalls: Check = async (run) => {
  const { caller, verdict } = run
  const [first] = listCounted(run)
  const [{ path } = { path: '' }] = listReadable(run)
  if (first === undefined) return
  await caller.wait(Math.max(0, first.sentAt + spanMinMs - Date.now()))
  const exchange = await caller.ask({ path, query: 'limit=1' })
  if (exchange.sentAt < first.sentAt + spanMinMs) return
  const values = new Set(listCounted(run).map(({ headers }) => headers[names[2]]))
  const got = `RateLimit-Reset: ${[...values].join()} on all answers, for some seconds`
  verdict.expect(values.size > 1, exchange, got, 'a number of seconds that goes down')
}

/** Problems that are found after the request was counted for its key. */
const countedCodes = new Set([
  ...['invalid_parameter', 'unknown_parameter', 'invalid_cursor', 'cursor_mismatch'],
  ...['insufficient_scope', 'not_found', 'rate_limited'],
])

/** Answers to the key, of routes that exist, that are given after the request was counted. */
function listCounted({ caller, collections }: Run): readonly Exchange[] {
  const served = collections.filter(({ access }) => access.key !== 'absent').map(({ name }) => name)
  const route = new RegExp(`^/(?:${served.join('|')})(?:/[^/]+)?$`)
  return caller.exchanges.filter((exchange) => {
    const { call, status, json } = exchange
    if (call.from !== 'key' || !route.test(call.path)) return false
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
export const rateChecks: Checks = { 'rate-limit': checkRateLimit }
