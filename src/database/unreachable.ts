/** Server errors that end by themselves soon after a server or a proxy has started, or when its load decreases. */
const startErrors = new Set([
  1040, // too many connections
  1047, // node not ready (Galera)
  1053, // server shutdown
  1203, // too many connections of the user
  1226, // resource limit of the user
  2006, // server gone, sent by a proxy
  2013, // server lost, sent by a proxy
  3032, // offline mode
  9001, // no server in time (ProxySQL)
])

const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/**
 * Whether an error means that no server could be reached yet: refused, not found, no answer, starting or full. A server
 * that rejects the account, the database or TLS was reached.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { errno, code } = error as { readonly errno?: unknown; readonly code?: unknown }
  if (typeof errno === 'number' && startErrors.has(errno)) return true
  return typeof code === 'string' && (networkCodes.has(code) || code.startsWith('PROTOCOL_'))
}
