import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { HttpLimits } from '../../src/api/limits.js'
import type { ProductDatabase } from '../product/index.js'
import { dial } from './raw-caller.js'
import type { RawCaller } from './raw-caller.js'
import { startService } from './service.js'
import type { TestService } from './service.js'

/** A service that listens, and callers whose connections end with the test. */
export interface Listening extends TestService {
  readonly call: (localAddress?: string) => Promise<RawCaller>
  readonly countConnections: () => Promise<number>
}

/** Starts a service whose time limits are longer than any test, except those that the test sets. */
export async function listen(
  database: ProductDatabase,
  limits: Partial<HttpLimits>,
  env: Readonly<Record<string, string>> = {},
): Promise<Listening> {
  const hour = 3_600_000
  const long = {
    headersTimeoutMs: hour,
    requestTimeoutMs: hour,
    keepAliveTimeoutMs: hour,
    answerTimeoutMs: hour,
  }
  const service = await startService(database, {
    env: { DATABASE_QUERY_TIMEOUT_MS: '60000', DATABASE_POOL_SIZE: '4', ...env },
    limits: { ...long, checkEveryMs: 10, ...limits },
  })
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  return {
    ...service,
    call: async (localAddress) => {
      const caller = await dial(port, localAddress)
      onTestFinished(() => {
        caller.socket.destroy()
      })
      return caller
    },
    countConnections: () =>
      new Promise((resolve, reject) => {
        service.app.server.getConnections((error, count) => {
          if (error === null) resolve(count)
          else reject(error)
        })
      }),
  }
}

/** What a test waits for at most. */
export const pollOptions = { timeout: 20_000 }

/** A request that has a successful answer without the database. */
export const docs = 'GET /docs/errors HTTP/1.1\r\nHost: a\r\n\r\n'
