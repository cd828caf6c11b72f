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
export function parseResponse(response: ReceivedResponse, isConditional: boolean): Answer | VitrineError {
  const { info, text } = response
  const { status, headers } = info
  if (status === 304 && isConditional) return { value: undefined, response: info }
  const isJson = /^application\/(problem\+)?json\b/i.test(headers.get('content-type') ?? '')
  const value = isJson && text !== undefined ? parseJson(text) : undefined
  if (status === 200 && value !== undefined) return { value, response: info }
  return toError(response, isJson, value)
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

function toError({ info, text }: ReceivedResponse, isJson: boolean, value: unknown): VitrineError {
  const { status, headers } = info
  const options = { lastResponse: info }
  if (text === undefined) return createForeignError('The response is larger than 16 MiB.', info)
  if (status === 200 && isJson)
    return new VitrineError('network_error', 'The response is incomplete.', options)
  if (status > 300 && status < 400 && status !== 304)
    return new VitrineError('redirected', renderRedirect(headers.get('location')), options)
  return toProblemError(value, info) ?? createForeignError(renderForeign(info), info)
}

/** The error of a problem; undefined if it is not one of this API. */
function toProblemError(value: unknown, info: ResponseInfo): VitrineError | undefined {
  const { code, detail, parameter, requestId } = isRecord(value) ? value : {}
  const isProblem = /^application\/problem\+json\b/i.test(info.headers.get('content-type') ?? '')
  if (!isProblem || typeof code !== 'string' || typeof detail !== 'string') return undefined
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
function renderForeign({ status, headers }: ResponseInfo): string {
  const type = headers.get('content-type')?.replace(/;.*/, '') ?? ''
  const foreign = `The response is not from Vitrine (content type: ${type || 'none'})`
  if (status < 400 || status === 404)
    return `${foreign}. The url must be the public address of the service, with or without /api/public/v1.`
  const meaning = gatewayMeanings[status] ?? (status < 500 ? 'it rejects the request' : 'it failed')
  return `${foreign}, but from a proxy or gateway: ${meaning}.`
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
