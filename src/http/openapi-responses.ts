import { problems } from '../errors.js'
import type { ProblemCode } from '../errors.js'
import type { Json } from './openapi-schemas.js'

/** Response headers of every success. */
export const successHeaders = {
  ETag: {
    description: 'A weak entity tag of the records; send it as `If-None-Match`.',
    schema: { type: 'string' },
  },
  'X-Request-Id': {
    description: 'The id of this request, for questions about it.',
    schema: { type: 'string' },
  },
}

/** References to the shared responses of these statuses. */
export function refer(...statuses: readonly number[]): Json {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${toResponseName(status)}` }]),
  )
}

function toResponseName(status: number): string {
  return `Status${status}`
}

/** One response for each status that a route can answer with, its codes listed from the table. */
export function buildResponses(): Json {
  const statuses = [400, 401, 403, 404, 405, 429, 500, 503]
  const notModified = {
    description: 'Nothing changed: the entity tag is still that of `If-None-Match`.',
    headers: successHeaders,
  }
  return {
    [toResponseName(304)]: notModified,
    ...Object.fromEntries(statuses.map((status) => [toResponseName(status), buildProblemResponse(status)])),
  }
}

function buildProblemResponse(status: number): Json {
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) => problems[code].status === status)
  const examples = codes.map((code) => [
    code,
    {
      summary: problems[code].title,
      value: {
        type: `/docs/errors#${code}`,
        title: problems[code].title,
        status,
        detail: problems[code].meaning,
        code,
        requestId: '5f0c7f0e-6b0f-4d39-9a53-0c1f6f0f2b1a',
      },
    },
  ])
  const retry = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].meaning}`).join('\n\n'),
    ...(status === 429 || status === 503 ? { headers: retry } : {}),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(examples) as Json,
      },
    },
  }
}
