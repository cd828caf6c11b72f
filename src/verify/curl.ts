import type { Call, Sender } from './exchange.js'

/** The environment variables of the keys, as the command line named them. */
export interface KeyNames {
  readonly key: string
  readonly otherKey: string | undefined
}

/** A request as a curl command that can be run where the variables of the keys are set. It never contains a key. */
export function renderCurl(
  { method = 'GET', from = 'key', headers = {} }: Call,
  url: string,
  names: KeyNames,
): string {
  const authorization = toAuthorization(from, names)
  return [
    'curl -sS -i',
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '--head' : `-X ${method}`]),
    ...(authorization === undefined ? [] : [`-H ${authorization}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    quote(url),
  ].join(' ')
}

/** Quoted for a shell. */
function toAuthorization(from: Sender, { key, otherKey = 'OTHER_KEY' }: KeyNames): string | undefined {
  if (from === 'none') return undefined
  if (from === 'key') return `"Authorization: Bearer $${key}"`
  if (from === 'otherKey') return `"Authorization: Bearer $${otherKey}"`
  if ('keyWith' in from) return `"Authorization: Bearer \${${key}}${from.keyWith}"`
  return quote(`Authorization: ${from.authorization}`)
}

/** For a shell; a long run of the letter x is written as a command that prints it. */
function quote(text: string): string {
  const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`
  return quoted.replace(/x{64,}/g, (run) => `'"$(printf 'x%.0s' $(seq ${run.length}))"'`)
}
