import type { Finding, VerifyReport } from '../../src/tools/verify/report.js'
import { verify } from '../../src/tools/verify/verify.js'
import type { VerifyInput } from '../../src/tools/verify/verify.js'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { startService } from './service.js'

interface Wanted extends Partial<Omit<VerifyInput, 'url' | 'keys'>> {
  readonly keys?: VerifyInput['keys']
}

/** A service before a product's database. @returns its address */
export async function listen(
  database: Pick<ProductDatabase, 'readUrl' | 'adminUrl' | 'mappingFile'>,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { app } = await startService(database, { env: { RATE_LIMIT_PER_MINUTE: '100000', ...env } })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

/** Verifies what answers at an address. Nothing is waited for. */
export async function run(
  url: string,
  { keys: given = { key: keys.both }, ...other }: Wanted = {},
): Promise<VerifyReport> {
  const names = { key: 'KEY', otherKey: 'OTHER_KEY', scopedKey: 'SCOPED_KEY', revokedKey: 'REVOKED_KEY' }
  const wait = () => Promise.resolve()
  const limits = { maxRequests: 800, timeoutMs: 60_000 }
  const input = { url, keys: given, names, userAgent: 'vitrine-test', wait, ...limits, ...other }
  const report = await verify(input)
  if ('reason' in report) throw new Error(report.reason)
  return report
}

/** The guarantees with an outcome. */
export const listOf = ({ guarantees }: VerifyReport, outcome: string): readonly string[] =>
  guarantees.filter((one) => one.outcome === outcome).map(({ name }) => name)

/** All findings, with the names of their guarantees. */
export const findingsOf = ({ guarantees }: VerifyReport): readonly ({ readonly name: string } & Finding)[] =>
  guarantees.flatMap(({ name, findings }) => findings.map((finding) => ({ name, ...finding })))
