import { bodyBytesMax } from './body.js'
import { VitrineError } from './errors.js'
import { parseRetryAfter } from './retry.js'

/** An answer with its body read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Undefined where it is larger than `bodyBytesMax`. */
  readonly text: string | undefined
}

/**
 * The value that an answer carries.
 *
 * @throws VitrineError for anything that is not a success.
 */
export function readAnswer(answer: Answer): unknown {
  const { status, headers } = answer
  const type = headers.get('content-type') ?? ''
  const requestId = headers.get('x-request-id') ?? undefined
  if (answer.text === undefined) throw toSizeError(answer)
  const isJson = /^application\/(problem\+)?json\b/i.test(type)
  const value = isJson ? parseJson(answer.text) : undefined
  if (status !== 200) throw toError(answer, value)
  if (value !== undefined) return value
  if (isJson) throw new VitrineError('network_error', 'The answer broke off.', { status, requestId })
  throw new VitrineError('unexpected_answer', renderStranger(type), { status, requestId })
}

function toSizeError({ status, headers }: Answer): VitrineError {
  const limit = `${String(bodyBytesMax / 1024 / 1024)} MiB`
  return new VitrineError(
    'unexpected_answer',
    `The answer is larger than ${limit}; reading was stopped there.`,
    {
      status,
      requestId: headers.get('x-request-id') ?? undefined,
      retryAfterMs: parseRetryAfter(headers.get('retry-after'), Date.now()),
    },
  )
}

function toError({ status, headers }: Answer, value: unknown): VitrineError {
  const requestId = headers.get('x-request-id') ?? undefined
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), Date.now())
  if (status > 300 && status < 400 && status !== 304)
    return new VitrineError('redirected', renderRedirect(headers.get('location')), { status, requestId })
  if (!isRecord(value) || typeof value['code'] !== 'string' || typeof value['detail'] !== 'string') {
    const detail = renderStranger(headers.get('content-type') ?? '')
    return new VitrineError('unexpected_answer', detail, { status, requestId, retryAfterMs })
  }
  return new VitrineError(value['code'], value['detail'], {
    status,
    requestId: toText(value['requestId']) ?? requestId,
    parameter: toText(value['parameter']),
    retryAfterMs,
  })
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function renderRedirect(location: string | null): string {
  const target = location === null ? 'another address' : location
  return `This address leads to ${target}; it is not followed, because the key would go there too.`
}

function renderStranger(type: string): string {
  const kind = type === '' ? 'nothing that is named' : type.replace(/;.*/, '')
  return `Vitrine answers JSON, and this was ${kind}: is something else at this address, or before it?`
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
