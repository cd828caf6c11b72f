import { isDeepStrictEqual } from 'node:util'
import { describe, isFromProxy, isObject, isProblem, readId, toObject } from '../answer.js'
import type { Exchange, Json } from '../answer.js'
import { guarantee } from '../run.js'
import type { Check, Run } from '../run.js'

/** The status of each code of the contract. */
const statusOfCode: Readonly<Record<string, number>> = {
  ...{ invalid_parameter: 400, unknown_parameter: 400, invalid_cursor: 400, cursor_mismatch: 400 },
  ...{ malformed_request: 400, missing_key: 401, invalid_key: 401, insufficient_scope: 403, not_found: 404 },
  ...{ method_not_allowed: 405, request_timeout: 408, uri_too_long: 414, rate_limited: 429 },
  ...{ headers_too_large: 431, internal_error: 500, database_unavailable: 503, overloaded: 503 },
}

/** A header that the problem of a code has. */
const headerOfCode: Readonly<Record<string, readonly [name: string, form: RegExp]>> = {
  missing_key: ['www-authenticate', /^bearer\b/i],
  invalid_key: ['www-authenticate', /^bearer\b.*\binvalid_token\b/i],
  insufficient_scope: ['www-authenticate', /^bearer\b.*\binsufficient_scope\b/i],
  method_not_allowed: ['allow', /^(?:GET, ?HEAD|HEAD, ?GET)$/i],
}

/**
 * Expects a problem: its code, and the parameter that it names, such as `invalid_parameter limit`. Of two codes,
 * `missing_key|invalid_key`, releases have one or the other.
 */
export function expectProblem(run: Run, exchange: Exchange, problem: string): void {
  const [codes = '', parameter] = problem.split(' ')
  const sent = toObject(exchange.json)
  const code = codes.split('|').find((one) => one === sent['code']) ?? codes
  const { [code]: status = 401 } = statusOfCode
  const named = [sent['code'], sent['parameter']]
  // An answer to HEAD has no body that could name anything.
  const isNamed = exchange.call.method === 'HEAD' || isDeepStrictEqual(named, [code, parameter])
  const isMet = exchange.status === status && isNamed
  const got = `${describe(exchange)}${describeMembers(sent)}`
  if (!run.expect(isMet, exchange, got, `${status} ${problem}`)) return
  const [name, form] = headerOfCode[code] ?? ['content-type', /^/]
  const header = exchange.headers[name] ?? ''
  run.expect(form.test(header), exchange, `${status} with ${name}: ${header}`, `a header of the form ${form}`)
}

function describeMembers({ parameter, data }: Json): string {
  const named = parameter === undefined ? '' : ` for ${JSON.stringify(parameter)}`
  return Array.isArray(data) ? ` with ${data.length} records, the first ${readId(toObject(data[0]))}` : named
}

/** Expects `not_found`; where a text is the id of another record, the answer is that record. */
export function expectNoOther(run: Run, exchange: Exchange, id: string): void {
  const isOther = exchange.status === 200 && isObject(exchange.json) && readId(exchange.json) === id
  if (!isOther) expectProblem(run, exchange, 'not_found')
}

/** What members say about the answer, and no text of a database. Their forms are those of the OpenAPI document. */
const checkProblems: Check = (run) => {
  for (const exchange of run.exchanges) {
    const { headers, status, call, body } = exchange
    if (status < 400) continue
    if (isFromProxy(exchange)) run.skip(`a proxy answered ${describe(exchange)} itself`)
    else if (call.method !== 'HEAD') {
      const problem = toObject(exchange.json)
      const [code, type] = [String(problem['code']), String(problem['type'])]
      const isTimed = ![429, 503].includes(status) || /^[1-9]\d*$/.test(headers['retry-after'] ?? '')
      const isOpen =
        leak.test(body.toString()) || Object.values(run.session.keys).some((key) => body.includes(key))
      run.expectAll(exchange, [
        [isProblem(exchange), describe(exchange), 'application/problem+json'],
        [statusOfCode[code] === status, `the code ${code} with ${status}`, 'the status of the code'],
        [problem['status'] === status, `status ${String(problem['status'])}`, `${status}`],
        [type.endsWith(`/docs/errors#${code}`), `type ${type}`, `…/docs/errors#${code}`],
        [isTimed, `${status} with Retry-After: ${headers['retry-after'] ?? '(none)'}`, 'seconds'],
        [problem['requestId'] === headers['x-request-id'], 'another requestId', 'the one of X-Request-Id'],
        [!isOpen, 'a detail with SQL, a stack or a key', 'a detail that shows nothing of the inside'],
      ])
    }
  }
}

/** Texts of a database, of a program or of its files, which no caller should see. */
const leak =
  /\bselect\b.+\bfrom\b|\b(?:sql syntax|sqlstate|mysql|mariadb|innodb)\b|\bER_[A-Z]+_|\bECONN|\bat .+:\d+:\d+|node_modules/is

/** Errors: what they say about themselves. */
export const problemGuarantees = [
  guarantee(
    'problems',
    'Every error is a problem of RFC 9457 that shows nothing of the inside',
    checkProblems,
  ),
]
