import { isTag } from './forms.js'
import { toPrintable } from './text.js'

/** What a response says besides its body. */
export interface ResponseInfo {
  /** The address that was requested. */
  readonly url: string
  readonly status: number
  /** Quote it when you report a problem; undefined if the response had none. */
  readonly requestId: string | undefined
  /** `Retry-After` */
  readonly retryAfterMs: number | undefined
  /** When the key expires, as in RFC 3339; undefined if it does not, or if the service does not say so. */
  readonly keyExpiresAt: string | undefined
  /** Changes with what was read; null without a valid one. */
  readonly etag: string | null
  /** All headers, also those that later releases add. A browser shows those that the service exposes. */
  readonly headers: Headers
}

/** A value with its response, which is not enumerable: JSON, spreads and loops have the fields of the contract only. */
export type WithResponse<Value> = Value & { readonly lastResponse: ResponseInfo }

/** Adds the response to a value. */
export function withResponse<Value extends object>(
  value: Value,
  lastResponse: ResponseInfo | undefined,
): WithResponse<Value> {
  return Object.defineProperty(value, 'lastResponse', { value: lastResponse }) as WithResponse<Value>
}

/** Reads the headers of a response. */
export function toResponseInfo(url: string, status: number, headers: Headers): ResponseInfo {
  const readText = (name: string): string | undefined => {
    const text = headers.get(name)
    return text === null ? undefined : toPrintable(text)
  }
  const etag = headers.get('etag')
  return {
    url,
    status,
    requestId: readText('x-request-id'),
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), Date.now()),
    keyExpiresAt: readText('api-key-expires'),
    etag: isTag(etag) ? etag : null,
    headers,
  }
}

/** `Retry-After`, seconds or an HTTP date, in milliseconds from now; undefined for any other text. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
