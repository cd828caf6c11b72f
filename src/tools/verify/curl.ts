import type { Call, KeyName } from './exchange.js'

/** The environment variables of the keys, as the command line named them. */
export type KeyNames = Readonly<Partial<Record<KeyName, string | undefined>>>

/** A text with the keys in the place of `{key}` and so on. */
export function fillKeys(text: string, toKey: (name: KeyName) => string): string {
  return text.replace(/\{(key|otherKey|scopedKey|revokedKey)\}/g, (_, name: KeyName) => toKey(name))
}

/** `Authorization` of a request, with placeholders; undefined if it has none. */
export function toAuthorization({ from = 'key' }: Call): string | undefined {
  if (from === 'none') return undefined
  return typeof from === 'string' ? `Bearer {${from}}` : from.authorization
}

/** A request as a curl command that can be run where the variables of the keys are set. It never contains a key. */
export function renderCurl(call: Call, url: string, names: KeyNames): string {
  const { method = 'GET', headers = {} } = call
  const authorization = toAuthorization(call)
  const sent = { ...(authorization === undefined ? {} : { Authorization: authorization }), ...headers }
  return [
    'curl -sS -i',
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '--head' : `-X ${method}`]),
    ...Object.entries(sent).map(([name, value]) => `-H ${quote(`${name}: ${value}`, names)}`),
    quote(url, names),
  ].join(' ')
}

/** For a shell; keys are variables, and a long run of the letter x is written as a command that prints it. */
function quote(text: string, names: KeyNames): string {
  const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`
  return fillKeys(quoted, (name) => `'"\${${names[name] ?? ''}}"'`)
    .replace(/x{64,}/g, (run) => `'"$(printf 'x%.0s' $(seq ${run.length}))"'`)
    .replace(/''$/, '')
}
