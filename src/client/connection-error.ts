import { VitrineError } from './errors.js'

/** What can be wrong with a request that got no response. */
interface Failure {
  readonly message?: string
  readonly code?: string
  readonly name?: string
  readonly cause?: unknown
}

/** What OpenSSL finds wrong with a certificate, by its code in Node and Bun. */
const certificateErrors: readonly (readonly [codes: RegExp, found: string])[] = [
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'has expired, or is not valid yet by the clock of this machine'],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)/,
    'is self-signed, or of an authority that this machine does not know; Node reads one more from NODE_EXTRA_CA_CERTS',
  ],
  [/CERT_ALTNAME_INVALID$/, 'is for another name than that of the url'],
]

/**
 * The error of a request that got no response. In Node the message is only "fetch failed"; the reason is in its cause,
 * which can have only a code. What no retry changes is a `tls_error`.
 */
export function toConnectionError(cause: unknown): VitrineError {
  const failure = Object(cause) as Failure
  const { message, code = '', name } = Object(failure.cause ?? failure) as Failure
  const [, found] = certificateErrors.find(([codes]) => codes.test(code)) ?? []
  const isPlain = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code)
  const detail = isPlain
    ? 'The server does not speak TLS at this port: the url needs http, or another port.'
    : found && `The certificate of the server ${found}.`
  if (detail) return new VitrineError('tls_error', detail, { cause })
  const reason = message || code || name || 'the request failed'
  return new VitrineError('network_error', `No complete response: ${reason}`, { cause })
}
