/*
 * The forms of what a service says and a state keeps. A value of another form would be stored, and sent with every request
 * of every later sync.
 */

/** Whether a value is a timestamp of the API: in UTC, with a time, on a day that exists. */
export function isInstant(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value)) return false
  const date = new Date(value)
  // A day that does not exist becomes another one.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value.slice(0, 19))
}

/** Whether a value can be sent as a cursor, which is opaque; the address of a request has at most 16 KiB. */
export function isCursor(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,16384}$/.test(value)
}

/** Whether a value is an entity tag, as in RFC 9110. */
export function isTag(value: unknown): value is string {
  return typeof value === 'string' && /^(W\/)?"[\x21\x23-\x7e]{0,256}"$/.test(value)
}

/** Whether a value is a count or an epoch. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** The prefix of the routes of the API and of the OpenAPI document. */
export const basePath = '/api/public/v1'

/** What the address of a service is. */
export const addressForm = 'an http or https address (https://…) without account, query and fragment'

/** The address of a service without a slash and the base path, which it has if it was copied from a request; undefined for another text. */
export function parseAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, pathname, username, password, search, hash } = new URL(text)
  if (!/^https?:$/.test(protocol) || `${username}${password}${search}${hash}` !== '') return undefined
  return `${origin}${pathname.replace(/(?:\/api\/public\/v1)?\/*$/, '').replace(/\/+$/, '')}`
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The longest body that is read, in bytes after decompression. A page of the contract has less than a tenth of it. */
export const bodyMax = 16 * 1024 * 1024

/** A key without the line end of the file or secret that it was read from. */
export function trimKey(key: string): string {
  return key.replace(/[\r\n]+$/, '')
}

/** What a key has that no key has: a character and its place. Undefined for a key that can be sent. */
export function findKeyMistake(key: string): string | undefined {
  const at = key.search(/[^\x21-\x7e]/)
  const code = key.codePointAt(at) ?? 0
  if (at !== -1)
    return `the character U+${code.toString(16).toUpperCase().padStart(4, '0')} at position ${String(at + 1)}`
  return key === '' ? 'nothing' : undefined
}
