import type { ConnectionOptions } from 'mysql2'
import { connect, isIP } from 'node:net'
import type { Config } from '../config.js'
import { createAuthPlugins } from './login.js'
import type { OnStatement } from './statement.js'

type FileName = 'urlFile' | 'tlsCaFile' | 'tlsCertFile' | 'tlsKeyFile' | 'serverPublicKeyFile'

/** Where the database is and how much of it may be used. */
export interface DatabaseConfig extends Omit<Config['database'], FileName> {
  /** PEM text of the trusted authorities; undefined for those of the system. */
  readonly tlsCa: string | undefined
  /** PEM texts of the certificate that the account must show, and of its key. */
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
  /** PEM text of the key for passwords; undefined for the one that the server sends. */
  readonly serverPublicKey?: string | undefined
  readonly onStatement?: OnStatement | undefined
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
    authPlugins: createAuthPlugins(config),
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

function toTlsOptions({
  tls,
  tlsCa,
  tlsCert,
  tlsKey,
}: DatabaseConfig): NonNullable<Exclude<ConnectionOptions['ssl'], string>> {
  return {
    rejectUnauthorized: true,
    verifyIdentity: tls === 'verify-identity',
    ...(tlsCa === undefined ? {} : { ca: tlsCa }),
    ...(tlsCert === undefined || tlsKey === undefined ? {} : { cert: tlsCert, key: tlsKey }),
  }
}
