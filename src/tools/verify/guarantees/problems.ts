import { describe, isFromProxy, isObject, isProblem, toObject } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { readId } from '../pages.js'
import { byRules, inTurn } from '../run.js'
import type { Check, Checks, Rule, Run } from '../run.js'
import type { Verdict } from '../verdict.js'

/** The status of each code of the contract. */
const statusOfCode: Readonly<Record<string, number>> = {
  ...{ invalid_parameter: 400, unknown_parameter: 400, invalid_cursor: 400, cursor_mismatch: 400 },
  ...{ malformed_request: 400, missing_key: 401, invalid_key: 401, insufficient_scope: 403, not_found: 404 },
  ...{ method_not_allowed: 405, request_timeout: 408, uri_too_long: 414, rate_limited: 429 },
  ...{ headers_too_large: 431, internal_error: 500, database_unavailable: 503, overloaded: 503 },
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

/**
 * Expects a problem: its code, and the parameter that it names, such as `invalid_parameter limit`. Of two codes,
 * `missing_key|invalid_key`, releases have one or the other.
 */
export function expectProblem(verdict: Verdict, exchange: Exchange, problem: string): void {
  const [codes = '', parameter] = problem.split(' ')
  const sent = toObject(exchange.json)
  const code = findCode(codes.split('|'), sent['code'])
  const status = statusOfCode[code] ?? 0
  const isNamed = isProblem(exchange) && sent['code'] === code && sent['parameter'] === parameter
  // An answer to HEAD has no body that could name anything.
  const isExpected = exchange.status === status && (isNamed || exchange.call.method === 'HEAD')
  const names = sent['parameter'] === undefined ? '' : ` for ${JSON.stringify(sent['parameter'])}`
  const got = `${describe(exchange)}${names}${describeRecords(exchange)}`
  const isMet = verdict.expect(isExpected, exchange, got, `${status} ${problem}`)
  if (isMet) expectHeader(verdict, exchange, headerOfCode[code])
}

/** The code that was sent, if it is one of those expected, and otherwise the first of them. */
function findCode(expected: readonly string[], sent: unknown): string {
  return expected.find((one) => one === sent) ?? expected[0] ?? ''
}

function expectHeader(verdict: Verdict, exchange: Exchange, header: RequiredHeader | undefined): void {
  if (header === undefined) return
  const [name, form, expected] = header
  const value = exchange.headers[name] ?? '(none)'
  verdict.expect(form.test(value), exchange, `${exchange.status} with ${name}: ${value}`, expected)
}

function describeRecords({ json }: Exchange): string {
  const { data } = toObject(json)
  if (!Array.isArray(data)) return ''
  const first = data.length === 0 ? '' : `, the first ${readId(toObject(data[0]))}`
  return ` with ${data.length} records${first}`
}

interface Answer {
  readonly exchange: Exchange
}

function listErrors({ caller }: Run): readonly Answer[] {
  return caller.exchanges.filter(({ status }) => status >= 400).map((exchange) => ({ exchange }))
}

const parameterCodes = ['invalid_parameter', 'unknown_parameter', 'invalid_cursor', 'cursor_mismatch']
const members = ['type', 'title', 'status', 'detail', 'code', 'requestId']
const problemForm = `application/problem+json with ${members.join(', ')}, and parameter for a parameter`

/** Media type, members, and what they say about each other; without those of a proxy and of HEAD. */
function listProblemRules({ exchange }: Answer): readonly Rule[] {
  if (isFromProxy(exchange) || exchange.call.method === 'HEAD') return []
  const wrong = findWrongMember(exchange)
  return [[wrong === undefined, `${describe(exchange)}: ${wrong ?? ''}`, problemForm]]
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

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** Texts of a database, of a program or of its files, which no caller should see. */
const internals: readonly RegExp[] = [
  /\bselect\b.{1,200}\bfrom\b/is,
  /\b(?:insert into|order by|where `|sql syntax|sqlstate|mysql|mariadb|innodb)\b/i,
  /\bER_[A-Z_]{4,}|\bECONN[A-Z]+|\bPROTOCOL_[A-Z_]+/,
  /(?:^|\s)at .{1,200}:\d+:\d+/,
  /\b(?:node_modules|node:internal)\b|\.(?:js|ts|mjs):\d+/,
  /\b(?:Type|Syntax|Reference|Range)Error\b|\bstack\b/,
  /\bunknown column\b|\btable '[^']*' doesn't exist|\bdoesn't have a default value/i,
]

/** Neither the inside nor a key, whatever the detail explains. */
function listTextRules({ exchange }: Answer, { keys }: Run): readonly Rule[] {
  const text = exchange.body.toString()
  const matches = [
    ...internals.map((pattern) => pattern.exec(text)?.[0]),
    ...Object.values(keys).filter((key) => text.includes(key)),
  ]
  const shown = matches.find((match) => match !== undefined)
  const got = `${describe(exchange)} with ${JSON.stringify(shown)}`
  return [[shown === undefined, got, 'a detail that shows nothing of the inside, and no key']]
}

/** The page that `type` leads to has a part for the code. */
const checkErrorPages: Check = async (run) => {
  const { caller, verdict } = run
  const all = listErrors(run).map(({ exchange }) => exchange)
  const problems = all.filter((one) => isProblem(one) && isObject(one.json))
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
  if (!verdict.expect(page.status === 200, page, describe(page), expected)) return
  const { pathname } = new URL(page.url)
  const prefixed = `${pathname}; PUBLIC_URL needs the prefix of a proxy`
  verdict.expect(type.pathname === pathname, sample, `type ${JSON.stringify(text)}`, prefixed)
  for (const code of new Set(problems.map(({ json }) => String(toObject(json)['code']))))
    verdict.expect(page.body.includes(`id="${code}"`), page, `nothing with the id ${code}`, expected)
}

/** Errors: their form, and their texts. */
export const problemChecks: Checks = {
  problems: inTurn(
    (run) => {
      for (const { exchange } of listErrors(run))
        if (isFromProxy(exchange)) run.verdict.skip(`a proxy answered ${describe(exchange)} itself`)
    },
    byRules(listErrors, listProblemRules),
  ),
  'error-texts': byRules(listErrors, listTextRules),
  'error-pages': checkErrorPages,
}
