import type { AddressInfo } from 'node:net'
import type { Finding, VerifyReport } from '../../src/verify/report.js'
import { verify } from '../../src/verify/verify.js'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { startService } from './service.js'

interface Wanted {
  readonly key?: string
  readonly otherKey?: string | undefined
  readonly maxRequests?: number
}

/** A service before a product's database. @returns its address */
export async function listen(database: ProductDatabase): Promise<string> {
  const { app } = await startService(database, { env: { RATE_LIMIT_PER_MINUTE: '100000' } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

/** Verifies what answers at an address. */
export function run(
  url: string,
  { key = keys.both, otherKey, maxRequests = 800 }: Wanted = {},
): Promise<VerifyReport> {
  const names = { key: 'KEY', otherKey: otherKey === undefined ? undefined : 'OTHER_KEY' }
  return verify({ url, key, otherKey, names, maxRequests, userAgent: 'vitrine-test', timeoutMs: 60_000 })
}

/** The guarantees with an outcome. */
export const listOf = ({ guarantees }: VerifyReport, outcome: string): readonly string[] =>
  guarantees.filter((one) => one.outcome === outcome).map(({ name }) => name)

/** All findings, with the names of their guarantees. */
export const findingsOf = ({ guarantees }: VerifyReport): readonly ({ readonly name: string } & Finding)[] =>
  guarantees.flatMap(({ name, findings }) => findings.map((finding) => ({ name, ...finding })))
