import { problems } from '../../src/problems.js'
import type { ProblemCode } from '../../src/problems.js'
import type { RawAnswer } from '../support/raw-answers.js'

const members = 'type,title,status,detail,code,requestId'

/** What is wrong with an answer, whatever was asked; undefined where nothing is. */
export function findWrong(answer: RawAnswer): string | undefined {
  const { status, headers, body } = answer
  if (headers.get('x-request-id') === undefined) return `${status} without a request id`
  if (status < 400) return findWrongSuccess(answer)
  if (headers.get('content-type') !== 'application/problem+json') return `${status} that is not a problem`
  // The answer to HEAD has none.
  return body === '' ? undefined : findWrongProblem(answer)
}

function findWrongSuccess({ status, headers, body }: RawAnswer): string | undefined {
  if (![200, 302, 304].includes(status)) return `status ${status}`
  if (status === 200 && body !== '' && headers.get('content-type')?.startsWith('application/json') === true)
    JSON.parse(Buffer.from(body, 'latin1').toString())
  return undefined
}

function findWrongProblem(answer: RawAnswer): string | undefined {
  const { status, headers, body } = answer
  const problem = JSON.parse(Buffer.from(body, 'latin1').toString()) as Readonly<Record<string, unknown>>
  const code = problem['code'] as ProblemCode
  const names = Object.keys(problem).join()
  if (names !== members && names !== `${members},parameter`) return `a problem with ${names}`
  if (!(code in problems) || problems[code].status !== status) return `${status} as ${code}`
  if (problem['requestId'] !== headers.get('x-request-id')) return 'another request id'
  return findWrongRefusal(code, answer)
}

function findWrongRefusal(code: ProblemCode, { status, headers, body }: RawAnswer): string | undefined {
  if (code === 'overloaded' || code === 'rate_limited')
    return /^\d+$/.test(headers.get('retry-after') ?? '') ? undefined : `${code} without Retry-After`
  // The database is well all the time.
  return status >= 500 ? `${status}: ${body}` : undefined
}
