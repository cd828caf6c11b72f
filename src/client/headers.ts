/** The version of the client; a test compares it with package.json, because browsers cannot import that file. */
export const version = '3.1.0'

/** Additional request headers. `authorization` and `if-none-match` are not allowed: the client sets these itself. */
export type ExtraHeaders = Readonly<Record<string, string>>

/**
 * Adds extra headers to those of the client.
 *
 * @throws TypeError for a header that is not valid or not allowed, without its value, which can be a secret.
 */
export function addHeaders(headers: Headers, extra: ExtraHeaders | undefined): void {
  for (const [name, value] of Object.entries(extra ?? {})) {
    if (/^(authorization|if-none-match)$/i.test(name))
      throw new TypeError(`The header ${name} is not allowed: the client sets it itself`)
    try {
      headers.set(name, value)
    } catch {
      throw new TypeError(`The header ${JSON.stringify(name)} has a name or a value that is not valid`)
    }
  }
}

/**
 * The `User-Agent` of the client, with the runtime where that says its name. Undefined in browsers, which send their own: it
 * would be a header that the service does not allow to other origins.
 */
export function renderUserAgent(runtime = ''): string | undefined {
  return runtime.startsWith('Mozilla/') ? undefined : `vitrine-client/${version} ${runtime}`.trimEnd()
}
