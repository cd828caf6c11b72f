import type { ConnectionOptions } from 'mysql2'
import { connect, isIP } from 'node:net'
import type { Config } from '../config.js'
import type { DatabaseEvent } from './statement.js'

/** Where the database is and how much of it may be used. */
export type DatabaseConfig = Config['database'] & {
  readonly observe?: ((event: DatabaseEvent) => void) | undefined
}

/** How the driver connects. */
export function toConnectionOptions(config: DatabaseConfig): ConnectionOptions {
  const { tls, host, port, socket } = config
  return {
    host,
    port,
    user: config.user,
    password: config.password,
    database: config.name,
    connectTimeout: config.queryTimeoutMs,
    charset: 'utf8mb4',
    // Dates and large numbers stay text, because JavaScript's own types would cut them.
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    multipleStatements: false,
    maxPreparedStatements: 256,
    flags: ['-LOCAL_FILES'],
    enableKeepAlive: true,
    ...(socket === undefined ? {} : { socketPath: socket }),
    authPlugins: createAuthPlugins(tls),
    enableCleartextPlugin: tls !== 'off',
    ...(tls === 'off' ? {} : { ssl: toTlsOptions(config) }),
    // The driver gives TLS no name for an address, and Node would take `localhost`; see `onConnectSecure` of Node's `tls`.
    ...(tls === 'verify-identity' && isIP(host) !== 0
      ? {
          stream: () =>
            Object.assign(connect({ host, port, noDelay: true, keepAlive: true }), { _host: host }),
        }
      : {}),
  }
}

function toTlsOptions({ tls, tlsCa: ca, tlsCert: cert, tlsKey: key }: DatabaseConfig) {
  return {
    rejectUnauthorized: true,
    verifyIdentity: tls === 'verify-identity',
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  }
}

/** What to do about the ways to log in that the driver does not have, or that TLS must protect. */
function createAuthPlugins(tls: Config['database']['tls']): NonNullable<ConnectionOptions['authPlugins']> {
  const refuse = (problem: string) => () => () => Promise.reject(new Error(problem))
  const other =
    'for which Vitrine has no plugin: give the account a password of another one, such as IDENTIFIED VIA mysql_native_password USING PASSWORD(…)'
  const clearText =
    'the account sends its password as clear text, as IAM and LDAP accounts do: set DATABASE_TLS to verify-identity'
  return {
    client_ed25519: refuse(`the account logs in with ed25519, ${other}`),
    parsec: refuse(`the account logs in with parsec, ${other}`),
    ...(tls === 'off' ? { mysql_clear_password: refuse(clearText) } : {}),
  }
}
