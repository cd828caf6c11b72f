import { describe, isObject, isProblem, toObject } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import type { Check } from '../run.js'
import type { Verdict } from '../verdict.js'

/** The status of each code of the contract. */
const statusOfCode: Readonly<Record<string, number>> = {
  invalid_parameter: 400,
  unknown_parameter: 400,
  invalid_cursor: 400,
  cursor_mismatch: 400,
  malformed_request: 400,
  missing_key: 401,
  invalid_key: 401,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  uri_too_long: 414,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  database_unavailable: 503,
  overloaded: 503,
}

const parameterCodes = new Set([
  'invalid_parameter',
  'unknown_parameter',
  'invalid_cursor',
  'cursor_mismatch',
])
const members = ['type', 'title', 'status', 'detail', 'code', 'requestId']

/** Every error of the run: media type, members, and what they say about each other. */
export const checkProblems: Check = ({ caller }, verdict) => {
  for (const exchange of listErrors(caller.exchanges)) {
    if (isFromProxy(exchange)) {
      verdict.skip(`a proxy answered ${describe(exchange)} itself`)
      continue
    }
    if (exchange.call.method === 'HEAD') continue
    const wrong = findWrongMember(exchange)
    verdict.expect(wrong === undefined, {
      exchange,
      got: `${describe(exchange)}: ${wrong ?? ''}`,
      expected:
        'application/problem+json with type, title, status, detail, code and requestId, and parameter for a parameter',
    })
  }
}

function listErrors(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ status }) => status >= 400)
}

/** What is wrong with the members of a problem; undefined if nothing is. */
function findWrongMember(exchange: Exchange): string | undefined {
  if (!isProblem(exchange) || !isObject(exchange.json)) return 'no problem in JSON'
  const problem = exchange.json
  const code = String(problem['code'])
  const names = [...members, ...(parameterCodes.has(code) ? ['parameter'] : [])]
  const rules: readonly (readonly [boolean, string])[] = [
    [names.join() === Object.keys(problem).join(), `the members ${Object.keys(problem).join(', ')}`],
    [statusOfCode[code] === exchange.status, `the code ${code} with ${exchange.status}`],
    [problem['status'] === exchange.status, `status ${JSON.stringify(problem['status'])}`],
    [isText(problem['title']) && isText(problem['detail']), 'no title or detail'],
    [String(problem['type']).endsWith(`/docs/errors#${code}`), `type ${JSON.stringify(problem['type'])}`],
    [
      ![429, 503].includes(exchange.status) || /^[1-9]\d*$/.test(exchange.headers['retry-after'] ?? ''),
      'no Retry-After',
    ],
    [problem['requestId'] === exchange.headers['x-request-id'], 'a requestId that is not X-Request-Id'],
  ]
  return rules.find(([isMet]) => !isMet)?.[1]
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Texts of a database, of a program or of its files, and keys, which no caller should see. */
const internals: readonly RegExp[] = [
  /\bselect\b.{1,200}\bfrom\b/is,
  /\b(?:insert into|order by|where `|sql syntax|sqlstate|mysql|mariadb|innodb)\b/i,
  /\bER_[A-Z_]{4,}|\bECONN[A-Z]+|\bPROTOCOL_[A-Z_]+/,
  /(?:^|\s)at .{1,200}:\d+:\d+/,
  /\b(?:node_modules|node:internal)\b|\.(?:js|ts|mjs):\d+/,
  /\b(?:Type|Syntax|Reference|Range)Error\b|\bstack\b/,
  /\bBearer [\w.~+/-]{8,}/,
  /\bunknown column\b|\btable '[^']*' doesn't exist|\bdoesn't have a default value/i,
]

/** Every text of every error of the run. */
export const checkErrorTexts: Check = ({ caller }, verdict) => {
  for (const exchange of listErrors(caller.exchanges)) {
    const text = exchange.body.toString()
    // What the request itself says may be quoted.
    const shown = internals.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined)
    verdict.expect(shown === undefined, {
      exchange,
      got: `${describe(exchange)} with ${JSON.stringify(shown)}`,
      expected: 'a detail that shows nothing of the inside',
    })
  }
}

/** The page that `type` leads to has a part for the code. */
export const checkErrorPages: Check = async ({ caller }, verdict) => {
  const problems = listErrors(caller.exchanges).filter((one) => isProblem(one) && isObject(one.json))
  const [sample] = problems
  if (sample === undefined) return
  const type = new URL(String(toObject(sample.json)['type']), sample.url)
  const own = new URL(sample.url)
  if (type.origin !== own.origin) {
    verdict.skip(`type leads to ${type.origin}, as PUBLIC_URL has it, which is not --url`)
    return
  }
  const page = await caller.ask({
    path: '/docs/errors',
    below: 'root',
    from: 'none',
    headers: { accept: 'text/html' },
  })
  const expected = 'a page that describes each code'
  if (!verdict.expect(page.status === 200, { exchange: page, got: describe(page), expected })) return
  const address = new URL(page.url)
  verdict.expect(type.pathname === address.pathname, {
    exchange: sample,
    got: `type ${JSON.stringify(toObject(sample.json)['type'])}`,
    expected: `${address.pathname}; PUBLIC_URL needs the prefix of a proxy`,
  })
  const text = page.body.toString()
  for (const code of new Set(problems.map(({ json }) => String(toObject(json)['code']))))
    verdict.expect(text.includes(`id="${code}"`), {
      exchange: page,
      got: `nothing with the id ${code}`,
      expected,
    })
}

/** Expects a problem by its status and code. */
export function expectProblem(verdict: Verdict, exchange: Exchange, status: number, code: string): void {
  const isExpected =
    exchange.status === status && isProblem(exchange) && toObject(exchange.json)['code'] === code
  verdict.expect(isExpected, { exchange, got: describe(exchange), expected: `${status} ${code}` })
}

/** Whether something in front of the service answered: it has no request id, and is no problem. */
export function isFromProxy(exchange: Exchange): boolean {
  return exchange.status !== 500 && !isProblem(exchange) && exchange.headers['x-request-id'] === undefined
}
