import { isProblem, toObject } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import type { Check } from '../run.js'

/** Where limits are on, every answer to a request of a key has them. */
export const checkRateLimit: Check = ({ caller, collections }, verdict) => {
  const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const
  // A path without a route reads no key.
  const served = collections.filter(({ access }) => access !== 'absent').map(({ path }) => path)
  const counted = caller.exchanges.filter(
    (exchange) => isCounted(exchange) && served.some((path) => exchange.call.path.startsWith(path)),
  )
  if (!counted.some(({ headers }) => headers[names[0]] !== undefined)) {
    verdict.skip('no answer has RateLimit headers: RATE_LIMIT_PER_MINUTE is 0')
    return
  }
  const [first] = counted
  if (first === undefined) return
  for (const exchange of counted) {
    const [limit, remaining, reset] = names.map((name) => Number(exchange.headers[name] ?? Number.NaN))
    const isRight =
      isWithin(limit, 1, Infinity) && isWithin(remaining, 0, limit ?? 0) && isWithin(reset, 0, 60)
    verdict.expect(isRight, {
      exchange,
      got: names.map((name) => `${name}: ${exchange.headers[name] ?? '(none)'}`).join(', '),
      expected: 'RateLimit-Limit, -Remaining (at most the limit) and -Reset (at most 60 seconds)',
    })
  }
  const values = new Set(counted.map(({ headers }) => headers['ratelimit-remaining']))
  verdict.expect(counted.length < 5 || values.size > 1, {
    exchange: counted.at(-1) ?? first,
    got: `RateLimit-Remaining: ${[...values].join()} on all of ${counted.length} answers`,
    expected: 'a number that goes down',
  })
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

/** Answers that are given after the request was counted for its key. */
function isCounted(exchange: Exchange): boolean {
  const { call, status } = exchange
  const isKeyed =
    (call.from ?? 'key') === 'key' && /^\/(?:registrations|invoices)(?:\/[^/]+)?$/.test(call.path)
  const { code } = toObject(exchange.json)
  return (
    isKeyed &&
    (status === 200 ||
      status === 304 ||
      (isProblem(exchange) && typeof code === 'string' && countedCodes.has(code)))
  )
}

function isWithin(value: number | undefined, min: number, max: number): boolean {
  return value !== undefined && Number.isInteger(value) && value >= min && value <= max
}
