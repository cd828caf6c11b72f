import { VitrineError } from './errors.js'
import { toResponseInfo } from './response-info.js'
import type { ResponseInfo } from './response-info.js'

/** The largest body that is read, decompressed; a page of 100 records has about 50 KB. */
const bodyBytesMax = 16 * 1024 * 1024

/** A response with its body. */
export interface ReceivedResponse {
  readonly info: ResponseInfo
  /** Undefined for a body larger than `bodyBytesMax`. */
  readonly text: string | undefined
}

/** The JSON value of a response; undefined for 304. */
export interface Answer {
  readonly value: unknown
  readonly response: ResponseInfo
}

/** Reads the body of a response, up to `bodyBytesMax`. */
export async function readResponse(url: string, response: Response): Promise<ReceivedResponse> {
  const { status, headers, type } = response
  // Browsers hide the status and the target of a redirect that is not followed.
  if (type === 'opaqueredirect') return { info: toResponseInfo(url, 302, headers), text: '' }
  return { info: toResponseInfo(url, status, headers), text: await readBody(response) }
}

/** The JSON value of a successful response, or the error that any other response is. */
export function parseResponse(
  { info, text }: ReceivedResponse,
  isConditional: boolean,
): Answer | VitrineError {
  const { status, headers } = info
  if (status === 304 && isConditional) return { value: undefined, response: info }
  if (text === undefined) return createForeignError('The response is larger than 16 MiB.', info)
  const type = readType(headers)
  const isProblem = type === 'application/problem+json'
  const isJson = isProblem || type === 'application/json'
  const value = isJson ? parseJson(text) : undefined
  if (status !== 200 || !isJson) return toError(info, isProblem ? value : undefined, type)
  return value === undefined
    ? new VitrineError('network_error', 'The response is incomplete.', { lastResponse: info })
    : { value, response: info }
}

/** The error of a response that does not have the form of the contract. */
export function createForeignError(detail: string, info: ResponseInfo): VitrineError {
  return new VitrineError('unexpected_answer', detail, { lastResponse: info })
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

/** @param problem JSON of the media type of problems */
function toError(info: ResponseInfo, problem: unknown, type: string): VitrineError {
  const { status, headers } = info
  if (status > 300 && status < 400 && status !== 304)
    return new VitrineError('redirected', renderRedirect(headers.get('location')), { lastResponse: info })
  const { code, detail, parameter, requestId } = isRecord(problem) ? problem : {}
  if (typeof code !== 'string' || typeof detail !== 'string')
    return createForeignError(renderForeign(status, type), info)
  return new VitrineError(code, detail, {
    requestId: toText(requestId) ?? info.requestId,
    parameter: toText(parameter),
    lastResponse: info,
  })
}

function renderRedirect(location: string | null): string {
  const target = location ?? 'another address'
  return `The address redirects to ${target}. The client does not follow it, because that would send the key there.`
}

/** What a status means that a proxy or gateway in front of the service sends itself. */
const gatewayMeanings: Readonly<Record<number, string>> = {
  429: 'it limits requests; send fewer, or wait',
  502: 'it cannot reach the service',
  503: 'the service is not available',
  504: 'the service did not answer it in time',
}

/** Behind a wrong url, something else answers with 200 or 404. Any other status is of a proxy or gateway. */
function renderForeign(status: number, type: string): string {
  const foreign = `The response is not from Vitrine (content type: ${type || 'none'})`
  if (status < 400 || status === 404)
    return `${foreign}. The url must be the public address of the service, with or without /api/public/v1.`
  const meaning = gatewayMeanings[status] ?? (status < 500 ? 'it rejects the request' : 'it failed')
  return `${foreign}, but from a proxy or gateway: ${meaning}.`
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The media type, empty without one. */
function readType(headers: Headers): string {
  return (headers.get('content-type') ?? '').replace(/\s*;.*/, '').toLowerCase()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
