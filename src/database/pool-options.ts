import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import type { Pool, PoolOptions } from 'mysql2'
import type { OnStatement } from './sessions.js'

/** Where the database is and how much of it may be used. */
export interface PoolConfig {
  readonly user: string
  readonly password: string
  readonly name: string
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly tls: 'off' | 'verify-ca' | 'verify-identity'
  /** PEM text of the authorities to trust, instead of the system's. */
  readonly tlsCa: string | undefined
  /** Connections to each host for what callers ask. */
  readonly poolSize: number
  /** Older connections are replaced, so that the names of the hosts are resolved again. */
  readonly connectionMaxAgeMs: number
  readonly queryTimeoutMs: number
  readonly queueLimit: number
  /** A host that is further behind than this is left out while another is not. */
  readonly lagMaxSeconds: number
  readonly onStatement?: OnStatement | undefined
}

/** How the driver is to connect to one of the hosts. */
export function toPoolOptions(config: PoolConfig, { host, port }: PoolConfig['hosts'][number]): PoolOptions {
  return {
    host,
    port,
    user: config.user,
    password: config.password,
    database: config.name,
    // The places of the line before it are the limit.
    connectionLimit: 0,
    connectTimeout: config.queryTimeoutMs,
    charset: 'utf8mb4',
    // Dates stay text and big numbers text: JavaScript's own types would cut them.
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
    enableKeepAlive: true,
    // The end of a session tells the server, which would log a connection that is only closed.
    gracefulEnd: true,
    ...(config.tls === 'off' ? {} : { ssl: toTlsOptions(config) }),
    ...(config.tls === 'verify-identity' && isIP(host) !== 0
      ? { stream: () => connectToAddress(host, port) }
      : {}),
  }
}

/**
 * A socket whose TLS certificate must be for the IP address. The driver gives TLS no name for an address, and Node then
 * takes the name that the socket resolved, or else `localhost`: a certificate for the address was refused, and one for
 * `localhost` accepted. Source: `onConnectSecure` of Node's `tls`.
 */
function connectToAddress(host: string, port: number): Socket {
  const socket = connect({ host, port, noDelay: true, keepAlive: true })
  return Object.assign(socket, { _host: host })
}

/** Never throws: a session that is still being opened cannot say goodbye, and then the others are not waited for. */
export async function endPool(pool: Pool): Promise<void> {
  await pool
    .promise()
    .end()
    .catch(() => undefined)
}

function toTlsOptions({ tls, tlsCa }: PoolConfig): NonNullable<Exclude<PoolOptions['ssl'], string>> {
  return {
    rejectUnauthorized: true,
    verifyIdentity: tls === 'verify-identity',
    ...(tlsCa === undefined ? {} : { ca: tlsCa }),
  }
}
