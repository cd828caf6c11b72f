import { VitrineError } from './errors.js'
import { bodyMax, isRecord, parseJson } from './forms.js'
import { explainFailure } from './text.js'
import { toResponseInfo } from './response-info.js'
import type { ResponseInfo } from './response-info.js'

/** The JSON value of a response; undefined for 304. */
export interface Answer {
  readonly value: unknown
  readonly response: ResponseInfo
}

const jsonTypes = ['application/json', 'application/problem+json']

/**
 * The JSON value of a successful response, or the error that any other response is. A body that is not JSON is not read.
 *
 * @throws the reason of the signal
 */
export async function readResponse(
  url: string,
  response: Response,
  signal: AbortSignal,
  isConditional: boolean,
): Promise<Answer | VitrineError> {
  // Browsers hide the status and the target of a redirect that is not followed.
  const status = response.type === 'opaqueredirect' ? 302 : response.status
  const type = (response.headers.get('content-type') ?? '').replace(/\s*;.*/, '').toLowerCase()
  const info = toResponseInfo(url, status, response.headers)
  const isJson = jsonTypes.includes(type)
  // Not awaited: closing the connection can take long, and its failure has no effect. Some implementations have no stream.
  if (!isJson) response.body?.cancel().catch(() => undefined)
  const text = isJson ? await readText(response, signal) : ''
  if (text === undefined)
    return createForeignError(`The response has more than ${String(bodyMax)} bytes.`, info)
  if (status === 304 && isConditional) return { value: undefined, response: info }
  return toAnswer(info, parseJson(text), type)
}

function toAnswer(info: ResponseInfo, value: unknown, type: string): Answer | VitrineError {
  if (info.status !== 200 || type !== 'application/json') return toError(info, value, type)
  return value === undefined
    ? new VitrineError('network_error', 'The response is incomplete.', { lastResponse: info })
    : { value, response: info }
}

/** The text of a body; undefined for one that is longer than the limit, which is not read further. */
async function readText(response: Response, signal: AbortSignal): Promise<string | undefined> {
  const reader = response.body?.getReader()
  if (!reader) {
    const text = await response.text()
    return text.length > bodyMax ? undefined : text
  }
  // One array: a text that grows by each chunk takes many times its length where the chunks are small.
  let [bytes, length] = [new Uint8Array(1 << 16), 0]
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // A custom fetch can ignore the signal.
      signal.throwIfAborted()
      if (done) return new TextDecoder().decode(bytes.subarray(0, length))
      const next = length + value.length
      if (next > bodyMax) return undefined
      if (next > bytes.length) {
        const larger = new Uint8Array(2 * next)
        larger.set(bytes)
        bytes = larger
      }
      bytes.set(value, length)
      length = next
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** The error of a response that does not have the form of the contract. */
export function createForeignError(detail: string, info: ResponseInfo): VitrineError {
  return new VitrineError('unexpected_answer', detail, { lastResponse: info })
}

function toError(info: ResponseInfo, value: unknown, type: string): VitrineError {
  const { status, headers } = info
  if (status > 300 && status < 400 && status !== 304) {
    const target = headers.get('location') ?? 'another address'
    const detail = `The address redirects to ${target}. The client does not follow it, because that would send the key there.`
    return new VitrineError('redirected', detail, { lastResponse: info })
  }
  const problem = type === 'application/problem+json' && isRecord(value) ? value : {}
  const [code, detail, parameter, requestId = info.requestId] = [
    'code',
    'detail',
    'parameter',
    'requestId',
  ].map((name) => (typeof problem[name] === 'string' ? problem[name] : undefined))
  return code === undefined || detail === undefined
    ? createForeignError(renderForeign(status, type), info)
    : new VitrineError(code, detail, { requestId, parameter, lastResponse: info })
}

/** Behind a wrong url, something else answers with 200 or 404. Any other status is of a proxy or gateway. */
function renderForeign(status: number, type: string): string {
  const foreign = `The response is not from Vitrine (content type: ${type || 'none'})`
  return status < 400 || status === 404
    ? `${foreign}. The url must be the public address of the service, with or without /api/public/v1.`
    : `${foreign}, but from a proxy or gateway.`
}

/** What no retry changes: a certificate that is not accepted, or no TLS at all. */
const tlsCodes = /CERT|UNABLE_TO_|ERR_SSL_(WRONG|PACKET)/

/**
 * The error of a request that got no response. In Node the message is only "fetch failed"; the reason is in its cause,
 * which can have only a code.
 */
export function toConnectionError(cause: unknown): VitrineError {
  const failure: unknown = (Object(cause) as { readonly cause?: unknown }).cause ?? cause
  const reason = explainFailure(failure)
  const { code = '' } = Object(failure) as { readonly code?: string }
  if (tlsCodes.test(code)) return new VitrineError('tls_error', `No secure connection: ${reason}.`, { cause })
  return new VitrineError('network_error', `No complete response: ${reason}.`, { cause })
}
