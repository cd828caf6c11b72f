import { VitrineError } from './errors.js'

/** What can be wrong with a request that got no response. */
interface Failure {
  readonly message?: string
  readonly code?: string
  readonly name?: string
  readonly cause?: unknown
}

const expired = 'has expired, or is not valid yet by the clock of this machine'
const unknown =
  'is self-signed, or of an authority that this machine does not know; Node reads one more from NODE_EXTRA_CA_CERTS'
const noTls = 'The server does not speak TLS at this port: the url needs http, or another port.'

/** What OpenSSL finds wrong with a certificate, by its code in Node and Bun. */
const certificateErrors: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: expired,
  CERT_NOT_YET_VALID: expired,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknown,
  SELF_SIGNED_CERT_IN_CHAIN: unknown,
  UNABLE_TO_GET_ISSUER_CERT: unknown,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknown,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknown,
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name than that of the url',
}

/**
 * The error of a request that got no response. In Node the message is only "fetch failed"; the reason is in its cause,
 * which can have only a code. What no retry changes is a `tls_error`.
 */
export function toConnectionError(cause: unknown): VitrineError {
  const failure = Object(cause) as Failure
  const { message, code = '', name } = Object(failure.cause ?? failure) as Failure
  const certificate = certificateErrors[code]
  if (certificate !== undefined)
    return new VitrineError('tls_error', `The certificate of the server ${certificate}.`, { cause })
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code))
    return new VitrineError('tls_error', noTls, { cause })
  const reason = message || code || name || 'the request failed'
  return new VitrineError('network_error', `No complete response: ${reason}`, { cause })
}
