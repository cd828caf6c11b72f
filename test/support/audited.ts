import { afterEach, beforeAll, beforeEach, inject } from 'vitest'
import { auditDatabase } from '../../src/audit/audit.js'
import type { AuditResult } from '../../src/audit/audit.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import { parseConfig } from '../../src/config.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { compareGrants } from '../../src/tools/commands/grants.js'
import { withDatabase } from '../../src/tools/commands/with-database.js'
import { runStatements, splitStatements } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { ask } from './ask.js'
import { useThrowaway } from './service.js'
import { requireWhole } from './whole-mapping.js'
import type { WholeMapping } from './whole-mapping.js'

type Change = (mapping: WholeMapping) => Mapping

/** A product with the user of `vitrine grants`, to which the tests of one file grant more. After each test it has the objects and grants that it had before. */
export function useAuditedProduct() {
  const throwaway = useThrowaway()
  let database: ProductDatabase
  let mapping: WholeMapping
  let user = ''
  const fill = (text: string): string =>
    text
      .replaceAll('$db', decodeURIComponent(new URL(database.adminUrl).pathname.slice(1)))
      .replaceAll('$u', `\`${user}\`@\`%\``)
      .replaceAll(/\$role_(.)/g, (_, name: string) => `${user}_${name}`)
  const run = (...statements: readonly string[]): Promise<void> =>
    runStatements(database.adminUrl, statements.map(fill))
  const audit = (change: Change = (same) => same): Promise<AuditResult> =>
    withDatabase(parseConfig({ DATABASE_URL: database.readUrl }), (opened) =>
      auditDatabase(change(mapping), opened),
    )
  const listObjects = (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    ask(
      database.adminUrl,
      "SELECT table_name AS name, if(table_type LIKE '%VIEW', 'VIEW', 'TABLE') AS type FROM information_schema.tables WHERE table_schema = database() UNION ALL SELECT routine_name, routine_type FROM information_schema.routines WHERE routine_schema = database()",
    )
  let objects: readonly string[] = []
  let grants: readonly string[] = []
  beforeAll(async () => {
    database = await throwaway.createProduct('plain', { registrations: 20 })
    mapping = requireWhole(await loadMapping(database.mappingFile))
    user = decodeURIComponent(new URL(database.readUrl).username)
  })
  beforeEach(async () => {
    objects = (await listObjects()).map((one) => String(one['name']))
    const lines = await ask(database.adminUrl, fill('SHOW GRANTS FOR $u'))
    // MariaDB lists a default role too, even one that was dropped.
    grants = lines.map((line) => String(Object.values(line)[0])).filter((line) => line.startsWith('GRANT'))
  })
  afterEach(async () => {
    const added = (await listObjects()).filter(({ name }) => !objects.includes(String(name)))
    await run(
      ...added.map(({ name, type }) => `DROP ${String(type)} \`${String(name)}\``),
      ...['a', 'b', 'c'].map((name) => `DROP ROLE IF EXISTS \`$role_${name}\``),
      'REVOKE ALL PRIVILEGES, GRANT OPTION FROM $u',
      ...grants,
    )
  })
  return {
    database: () => database,
    isMariaDb: () => inject('server').isMariaDb,
    /** Replaces `$db`, `$u` and `$role_a` by names of this run, because roles belong to the whole server. */
    fill,
    /** Runs statements as the administrator, with their names filled in. */
    run,
    audit,
    listErrors: async (change?: Change) =>
      (await audit(change)).findings.filter(({ severity }) => severity === 'error'),
    /** What `vitrine grants --compare` prints for the user and a mapping file; that of the product without one. */
    compare: async (mappingFile = database.mappingFile): Promise<readonly string[]> => {
      const variables = { DATABASE_URL: database.adminUrl, MAPPING_FILE: mappingFile }
      return splitStatements(await compareGrants(variables, { user, host: '%', requireTls: false }))
    },
    createProduct: throwaway.createProduct,
  }
}
