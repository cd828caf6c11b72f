import type { ConditionalOptions, RequestOptions, Send } from './request.js'
import { withResponse } from './response-info.js'
import type { ResponseInfo, WithResponse } from './response-info.js'

/** A page or a record that was read. */
export type Fetched<Value> = WithResponse<Value> & { readonly notModified?: undefined }

/** The result of a call with `ifNoneMatch` if nothing changed. */
export type NotModified = WithResponse<{ readonly notModified: true }>

/** Options without a condition: the result cannot be `notModified`. */
export type PlainOptions = RequestOptions & { readonly ifNoneMatch?: undefined }

/** Makes a page or a record of the JSON value of a response. @throws VitrineError */
export type Parse<Value> = (value: unknown, response: ResponseInfo) => Value

/** Reads a page or a record; with `ifNoneMatch`, only if it changed. @throws VitrineError, or the signal's reason */
export function read<Value extends object>(
  send: Send,
  path: string,
  options: PlainOptions,
  parse: Parse<Value>,
): Promise<Fetched<Value>>
export function read<Value extends object>(
  send: Send,
  path: string,
  options: ConditionalOptions,
  parse: Parse<Value>,
): Promise<Fetched<Value> | NotModified>
export async function read<Value extends object>(
  send: Send,
  path: string,
  options: ConditionalOptions,
  parse: Parse<Value>,
): Promise<WithResponse<Value> | NotModified> {
  const { value, response } = await send(path, options)
  return value === undefined
    ? withResponse({ notModified: true }, response)
    : withResponse(parse(value, response), response)
}
