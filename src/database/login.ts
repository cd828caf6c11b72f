import mysql from 'mysql2'
import type { PoolOptions } from 'mysql2'

/**
 * The ways to log in that send a password without TLS. With the public key of the server, a server that answers in its
 * place cannot decrypt the password. Without it, the driver would encrypt it with the key that any server sends.
 *
 * @param serverPublicKey PEM text of the RSA key.
 */
export function createAuthPlugins(serverPublicKey: string): NonNullable<PoolOptions['authPlugins']> {
  const { caching_sha2_password: cachingSha2, sha256_password: sha256 } = mysql.authPlugins
  return {
    caching_sha2_password: cachingSha2({ serverPublicKey }),
    sha256_password: sha256({ serverPublicKey }),
  }
}
