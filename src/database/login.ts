import mysql from 'mysql2'
import type { ConnectionOptions } from 'mysql2'

interface Login {
  readonly tls: 'off' | 'verify-ca' | 'verify-identity'
  /** PEM text of the key for passwords; undefined for the one that the server sends. */
  readonly serverPublicKey?: string | undefined
}

/** The ways to log in beside those of the driver, and what to do about those that it does not have. */
export function createAuthPlugins({
  tls,
  serverPublicKey,
}: Login): NonNullable<ConnectionOptions['authPlugins']> {
  const { caching_sha2_password: cachingSha2, sha256_password: sha256 } = mysql.authPlugins
  const refuse = (problem: string) => () => () => Promise.reject(new Error(problem))
  const other =
    'for which Vitrine has no plugin: give the account a password of another one, such as IDENTIFIED VIA mysql_native_password USING PASSWORD(…)'
  return {
    client_ed25519: refuse(`the account logs in with ed25519, ${other}`),
    parsec: refuse(`the account logs in with parsec, ${other}`),
    ...(tls === 'off'
      ? {
          mysql_clear_password: refuse(
            'the account sends its password as clear text, as IAM and LDAP accounts do: set DATABASE_TLS to verify-identity',
          ),
        }
      : {}),
    // They send a password without TLS, encrypted with the key of the server.
    ...(serverPublicKey === undefined
      ? {}
      : {
          caching_sha2_password: cachingSha2({ serverPublicKey }),
          sha256_password: sha256({ serverPublicKey }),
        }),
  }
}
