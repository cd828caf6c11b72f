import { requireKnownOptions } from './options.js'

/** The version of the client; a test compares it with package.json, because browsers cannot import that file. */
export const version = '2.0.0'

/** Names the program that uses the client, in `User-Agent`. */
export interface AppInfo {
  readonly name: string
  readonly version?: string | undefined
}

/** Additional request headers. `authorization` and `if-none-match` are not allowed: the client sets them itself. */
export type ExtraHeaders = Readonly<Record<string, string>>

/** A token of RFC 9110, the form of a product name and of a version. */
const token = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * The `User-Agent` of the client; undefined in browsers, which send their own. There it would also be a header that the
 * service does not allow to other origins.
 *
 * @throws TypeError
 */
export function renderUserAgent(appInfo: AppInfo | undefined): string | undefined {
  requireKnownOptions('appInfo', appInfo ?? {}, ['name', 'version'])
  const app = appInfo && [appInfo.name, ...(appInfo.version === undefined ? [] : [appInfo.version])]
  if (app?.every((part) => token.test(part)) === false)
    throw new TypeError('appInfo needs a name and a version without spaces')
  const runtime = findRuntime(globalThis)
  if (runtime === undefined) return undefined
  return [`vitrine-client/${version}`, runtime, ...(app ? [app.join('/')] : [])].join(' ')
}

/**
 * Adds extra headers to those of the client.
 *
 * @throws TypeError for a header that is not valid or not allowed, without its value, which can be a secret.
 */
export function addHeaders(headers: Headers, extra: ExtraHeaders | undefined): void {
  for (const [name, value] of Object.entries(extra ?? {})) {
    if (/^(authorization|if-none-match)$/i.test(name))
      throw new TypeError(`The header ${name} is not allowed: use the option key or ifNoneMatch`)
    try {
      headers.set(name, value)
    } catch {
      throw new TypeError(`The header ${JSON.stringify(name)} has a name or a value that is not valid`)
    }
  }
}

/** The parts of the global object that differ between runtimes. */
interface Runtime {
  readonly navigator?: { readonly userAgent?: string }
  readonly process?: { readonly versions?: { readonly node?: string } }
}

/** Such as `Deno/2.1.4`, `Bun/1.2.0` or `Node.js/22.12.0`; Node 20 has no `navigator`, later ones only the major version. */
function findRuntime({ navigator, process }: Runtime): string | undefined {
  const name = navigator?.userAgent
  if (name !== undefined && !name.startsWith('Node.js')) return name.startsWith('Mozilla/') ? undefined : name
  const node = process?.versions?.node
  return node === undefined ? undefined : `Node.js/${node}`
}
