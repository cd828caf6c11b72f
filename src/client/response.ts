import { VitrineError } from './errors.js'
import type { VitrineErrorOptions } from './errors.js'

/** The largest body that is read, decompressed; a page of 100 records has about 50 KB. */
const bodyBytesMax = 16 * 1024 * 1024

/** A response with its body. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  /** Undefined for a body larger than `bodyBytesMax`. */
  readonly text: string | undefined
}

/** Reads the body of a response, up to `bodyBytesMax`. */
export async function readResponse(response: Response): Promise<ReceivedResponse> {
  const { status, headers } = response
  // Browsers hide the status and the target of a redirect that is not followed.
  if (response.type === 'opaqueredirect') return { status: 302, headers, text: '' }
  return { status, headers, text: await readBody(response) }
}

/**
 * The JSON value of a successful response.
 *
 * @throws VitrineError for any other response.
 */
export function parseResponse(response: ReceivedResponse): unknown {
  const { status, headers, text } = response
  const isJson = /^application\/(problem\+)?json\b/i.test(headers.get('content-type') ?? '')
  const value = isJson && text !== undefined ? parseJson(text) : undefined
  if (status === 200 && value !== undefined) return value
  throw toError(response, isJson, value)
}

/** `Retry-After`, seconds or an HTTP date, in milliseconds from now; undefined for any other text. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads the body as a stream, so that no more than the limit is in memory. */
async function readBody(response: Response): Promise<string | undefined> {
  // Some implementations of fetch, such as React Native's, have no stream.
  const body = response.body as ReadableStream<Uint8Array> | null | undefined
  if (!body) {
    const text = await response.text()
    return text.length > bodyBytesMax ? undefined : text
  }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > bodyBytesMax) {
      // Not awaited: closing the connection can take long, and its failure has no effect.
      reader.cancel().catch(() => undefined)
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

function toError(response: ReceivedResponse, isJson: boolean, value: unknown): VitrineError {
  const { status, headers, text } = response
  const requestId = headers.get('x-request-id') ?? undefined
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), Date.now())
  const options = { status, requestId, retryAfterMs }
  if (text === undefined)
    return new VitrineError('unexpected_answer', 'The response is larger than 16 MiB.', options)
  if (status === 200 && isJson)
    return new VitrineError('network_error', 'The response is incomplete.', { status, requestId })
  if (status > 300 && status < 400 && status !== 304)
    return new VitrineError('redirected', renderRedirect(headers.get('location')), options)
  return toProblemError(value, { ...options, type: headers.get('content-type') })
}

/** The error of a problem, or of a body that is not a problem. */
function toProblemError(
  value: unknown,
  { type, ...options }: VitrineErrorOptions & { readonly type: string | null },
): VitrineError {
  const { code, detail, parameter, requestId } = isRecord(value) ? value : {}
  if (typeof code !== 'string' || typeof detail !== 'string')
    return new VitrineError('unexpected_answer', renderType(type), options)
  const ownOptions = { requestId: toText(requestId) ?? options.requestId, parameter: toText(parameter) }
  return new VitrineError(code, detail, { ...options, ...ownOptions })
}

function renderRedirect(location: string | null): string {
  const target = location ?? 'another address'
  return `The address redirects to ${target}. The client does not follow it, because that would send the key there.`
}

function renderType(type: string | null): string {
  const name = type === null || type === '' ? 'none' : type.replace(/;.*/, '')
  return `The response is not from Vitrine (content type: ${name}). Check the url, and any proxy in front of the service.`
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
