import mysql from 'mysql2'
import type { Pool, PoolConnection, PoolOptions } from 'mysql2'
import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import type { DatabaseHost } from '../values/addresses.js'
import type { Account } from './account.js'
import type { DatabaseConfig } from './connection.js'
import { isAccountRefused } from './errors.js'
import { requireDriver } from './execute.js'

/** A pool of connections to one host; nothing connects yet. */
export function createPool(config: DatabaseConfig, { host, port }: DatabaseHost): Pool {
  requireDriver()
  const pool = mysql.createPool({
    host,
    port,
    database: config.name,
    // The queue limits the number of connections.
    connectionLimit: 0,
    connectTimeout: config.queryTimeoutMs,
    charset: 'utf8mb4',
    // Dates and large numbers stay text, because JavaScript's own types would cut them.
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    multipleStatements: false,
    // Each keeps memory at the server too; a collection has fewer forms of lists than this.
    maxPreparedStatements: 256,
    flags: ['-LOCAL_FILES'],
    enableKeepAlive: true,
    // COM_QUIT ends a session; the server would log a connection that is only closed.
    gracefulEnd: true,
    ...(config.serverPublicKey === undefined
      ? {}
      : { authPlugins: createAuthPlugins(config.serverPublicKey) }),
    ...(config.tls === 'off' ? {} : { ssl: toTlsOptions(config) }),
    ...(config.tls === 'verify-identity' && isIP(host) !== 0
      ? { stream: () => connectToAddress(host, port) }
      : {}),
  })
  return followAccount(pool, config.account)
}

function toTlsOptions({ tls, tlsCa }: DatabaseConfig): NonNullable<Exclude<PoolOptions['ssl'], string>> {
  return {
    rejectUnauthorized: true,
    verifyIdentity: tls === 'verify-identity',
    ...(tlsCa === undefined ? {} : { ca: tlsCa }),
  }
}

/**
 * A socket whose TLS certificate must be for the IP address. The driver gives TLS no name for an address, and Node then
 * takes the name that the socket resolved, or else `localhost`: a certificate for the address would be rejected, and
 * one for `localhost` accepted. Source: `onConnectSecure` of Node's `tls`.
 */
function connectToAddress(host: string, port: number): Socket {
  const socket = connect({ host, port, noDelay: true, keepAlive: true })
  return Object.assign(socket, { _host: host })
}

/** Closes a pool. A session that is still being opened makes the driver fail, which is ignored. */
export async function endPool(pool: Pool): Promise<void> {
  await pool
    .promise()
    .end()
    .catch(() => undefined)
}

type OnConnection = Parameters<Pool['getConnection']>[0]

/**
 * Lets a pool open each connection with the current account. A refused account is read again, and a connection with
 * another one is tried once more. The driver copies `connectionConfig` for each connection.
 */
function followAccount(pool: Pool, account: Account): Pool {
  const { connectionConfig } = pool.config as unknown as { readonly connectionConfig: object }
  const getConnection = pool.getConnection.bind(pool)
  const open = (onConnection: OnConnection): void => {
    Object.assign(connectionConfig, account.current())
    getConnection(onConnection)
  }
  pool.getConnection = (onConnection) => {
    const used = account.current()
    open((error: NodeJS.ErrnoException | null, connection: PoolConnection) => {
      if (error === null || !isAccountRefused(error)) onConnection(error, connection)
      else
        void account.refresh(used).then((isOther) => {
          if (isOther) open(onConnection)
          else onConnection(error, connection)
        })
    })
  }
  return pool
}

/**
 * The ways to log in that send a password without TLS. With the public key of the server, a server that answers in its
 * place cannot decrypt the password. Without it, the driver would encrypt it with the key that any server sends.
 *
 * @param serverPublicKey PEM text of the RSA key.
 */
function createAuthPlugins(serverPublicKey: string): NonNullable<PoolOptions['authPlugins']> {
  const { caching_sha2_password: cachingSha2, sha256_password: sha256 } = mysql.authPlugins
  return {
    caching_sha2_password: cachingSha2({ serverPublicKey }),
    sha256_password: sha256({ serverPublicKey }),
  }
}
