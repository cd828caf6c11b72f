import { describe, isFromProxy, isObject, isProblem, toObject } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { readId } from '../pages.js'
import { defineLast } from '../run.js'
import type { Check, Guarantee } from '../run.js'
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

/** A header that the problem of a code has. */
type RequiredHeader = readonly [name: string, form: RegExp, expected: string]

const headerOfCode: Readonly<Record<string, RequiredHeader>> = {
  missing_key: ['www-authenticate', /^bearer\b/i, 'Bearer'],
  invalid_key: ['www-authenticate', /^bearer\b.*\binvalid_token\b/i, 'Bearer with error="invalid_token"'],
  insufficient_scope: [
    'www-authenticate',
    /^bearer\b.*\binsufficient_scope\b/i,
    'error="insufficient_scope"',
  ],
  method_not_allowed: ['allow', /^(?:GET, ?HEAD|HEAD, ?GET)$/i, 'GET, HEAD'],
}

/** Expects a problem: its code, and the parameter that it names, such as `invalid_parameter limit`. */
export function expectProblem(verdict: Verdict, exchange: Exchange, problem: string): void {
  const [code = '', parameter] = problem.split(' ')
  const status = statusOfCode[code]
  const sent = toObject(exchange.json)
  const isNamed = isProblem(exchange) && sent['code'] === code && sent['parameter'] === parameter
  // An answer to HEAD has no body that could name anything.
  const isExpected = exchange.status === status && (isNamed || exchange.call.method === 'HEAD')
  const names = sent['parameter'] === undefined ? '' : ` for ${JSON.stringify(sent['parameter'])}`
  const got = `${describe(exchange)}${names}${describeRecords(exchange)}`
  const isMet = verdict.expect(isExpected, { exchange, got, expected: `${status ?? ''} ${problem}` })
  if (isMet) expectHeader(verdict, exchange, headerOfCode[code])
}

function expectHeader(verdict: Verdict, exchange: Exchange, header: RequiredHeader | undefined): void {
  if (header === undefined) return
  const [name, form, expected] = header
  const value = exchange.headers[name] ?? '(none)'
  verdict.expect(form.test(value), { exchange, got: `${exchange.status} with ${name}: ${value}`, expected })
}

function describeRecords({ json }: Exchange): string {
  const { data } = toObject(json)
  if (!Array.isArray(data)) return ''
  const [first] = data as readonly unknown[]
  return ` with ${data.length} records${first === undefined ? '' : `, the first ${readId(toObject(first))}`}`
}

const parameterCodes = ['invalid_parameter', 'unknown_parameter', 'invalid_cursor', 'cursor_mismatch']
const members = ['type', 'title', 'status', 'detail', 'code', 'requestId']

/** Every error of the run: media type, members, and what they say about each other. */
const checkProblems: Check = ({ caller }, verdict) => {
  for (const exchange of listErrors(caller.exchanges)) {
    if (isFromProxy(exchange)) verdict.skip(`a proxy answered ${describe(exchange)} itself`)
    else if (exchange.call.method !== 'HEAD') {
      const wrong = findWrongMember(exchange)
      const got = `${describe(exchange)}: ${wrong ?? ''}`
      const expected = `application/problem+json with ${members.join(', ')}, and parameter for a parameter`
      verdict.expect(wrong === undefined, { exchange, got, expected })
    }
  }
}

function listErrors(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ status }) => status >= 400)
}

/** What is wrong with the members of a problem; undefined if nothing is. */
function findWrongMember(exchange: Exchange): string | undefined {
  if (!isProblem(exchange) || !isObject(exchange.json)) return 'no problem in JSON'
  const { headers, status, json: problem } = exchange
  const code = String(problem['code'])
  const names = [...members, ...(parameterCodes.includes(code) ? ['parameter'] : [])]
  const isRetryKnown = ![429, 503].includes(status) || /^[1-9]\d*$/.test(headers['retry-after'] ?? '')
  const rules: readonly (readonly [boolean, string])[] = [
    [names.join() === Object.keys(problem).join(), `the members ${Object.keys(problem).join(', ')}`],
    [statusOfCode[code] === status, `the code ${code} with ${status}`],
    [problem['status'] === status, `status ${JSON.stringify(problem['status'])}`],
    [isText(problem['title']) && isText(problem['detail']), 'no title or detail'],
    [String(problem['type']).endsWith(`/docs/errors#${code}`), `type ${JSON.stringify(problem['type'])}`],
    [isRetryKnown, 'no Retry-After'],
    [problem['requestId'] === headers['x-request-id'], 'a requestId that is not X-Request-Id'],
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
const checkErrorTexts: Check = ({ caller }, verdict) => {
  for (const exchange of listErrors(caller.exchanges)) {
    const text = exchange.body.toString()
    const shown = internals.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined)
    const got = `${describe(exchange)} with ${JSON.stringify(shown)}`
    verdict.expect(shown === undefined, {
      exchange,
      got,
      expected: 'a detail that shows nothing of the inside',
    })
  }
}

/** The page that `type` leads to has a part for the code. */
const checkErrorPages: Check = async ({ caller }, verdict) => {
  const problems = listErrors(caller.exchanges).filter((one) => isProblem(one) && isObject(one.json))
  const [sample] = problems
  if (sample === undefined) return
  const { type: text } = toObject(sample.json)
  const type = new URL(String(text), sample.url)
  if (type.origin !== new URL(sample.url).origin) {
    verdict.skip(`type leads to ${type.origin}, as PUBLIC_URL has it, which is not --url`)
    return
  }
  const headers = { accept: 'text/html' }
  const page = await caller.ask({ path: '/docs/errors', below: 'root', from: 'none', headers })
  const expected = 'a page that describes each code'
  if (!verdict.expect(page.status === 200, { exchange: page, got: describe(page), expected })) return
  const { pathname } = new URL(page.url)
  verdict.expect(type.pathname === pathname, {
    exchange: sample,
    got: `type ${JSON.stringify(text)}`,
    expected: `${pathname}; PUBLIC_URL needs the prefix of a proxy`,
  })
  for (const code of new Set(problems.map(({ json }) => String(toObject(json)['code']))))
    verdict.expect(page.body.includes(`id="${code}"`), {
      exchange: page,
      got: `nothing with the id ${code}`,
      expected,
    })
}

/** Errors: their form, and their texts. */
export const problemGuarantees: readonly Guarantee[] = [
  defineLast('problems', 'Every error is a problem of RFC 9457 with all members', checkProblems),
  defineLast('error-texts', 'No error shows SQL, a stack or a file', checkErrorTexts),
  defineLast('error-pages', 'The type of a problem leads to its description', checkErrorPages),
]
