import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { auditDatabase } from '../../src/audit/audit.js'
import { printGrants } from '../../src/tools/commands/grants.js'
import { parseConfig } from '../../src/config.js'
import type { Proposal } from '../../src/tools/init/propose.js'
import { renderMapping } from '../../src/tools/init/render-mapping.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import { openDatabase } from '../../src/mapping/load-configuration.js'
import { runStatements, splitStatements, withAccount } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { createClient } from '../support/client.js'
import { collections, listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'
import { makeFolder } from '../support/folder.js'
import { proposeAt } from '../support/proposal.js'

const throwaway = useThrowaway()

/** Products, with the places that their teams must decide: what no name, type, key or code shows. */
const products = [
  { name: 'plain', reported: [] },
  {
    name: 'awkward',
    reported: ['timezone', 'registrations.fields.eventId', 'registrations.fields.status', 'invoices.eventId'],
  },
  { name: 'ticketing', reported: ['registrations.fields.status'] },
] as const

type Content = Record<string, unknown>

describe.each(products)('the $name product', ({ name, reported }) => {
  let database: ProductDatabase
  let proposal: Proposal
  let yaml: string
  beforeAll(async () => {
    database = await throwaway.createProduct(name)
    proposal = await proposeAt(database.adminUrl)
    yaml = renderMapping(proposal)
  })

  test('has no point that its team must decide and that is not reported', () => {
    const open = proposal.choices.filter(({ undecided }) => undecided !== undefined).map(({ path }) => path)
    expect(open).toEqual(expect.arrayContaining([...reported]))
    expect(yaml).not.toContain('CANARY')
  })

  test('is served by the proposal, once its team has decided, with the grants and indexes as they are printed', async () => {
    const own = parse(await readOwn(database)) as Content
    const content = parse(yaml) as Content
    for (const path of reported) copy(own, content, path.split('.'))
    const mappingFile = await writeMapping(stringify(content))
    const readUrl = await createReader(database, mappingFile, proposal)
    expect(await listAuditErrors(readUrl, mappingFile)).toEqual([])
    const service = await startService({ ...database, readUrl, mappingFile })
    const client = createClient(service)
    for (const collection of collections) {
      const expected = listExpected(database, collection).map(({ view }) => view)
      expect(expected.length).toBeGreaterThan(50)
      expect(await client.crawl(collection, { limit: 7 })).toEqual(expected)
    }
  })
})

async function readOwn({ mappingFile }: ProductDatabase): Promise<string> {
  return readFile(mappingFile, 'utf8')
}

/** Takes a part of one content over into another. */
function copy(from: unknown, to: unknown, [name = '', ...rest]: readonly string[]): void {
  const [source, target] = [from, to] as [Content, Content]
  if (rest.length > 0) copy(source[name], target[name], rest)
  else target[name] = source[name]
}

async function writeMapping(text: string): Promise<string> {
  const folder = makeFolder()
  const file = join(folder, 'mapping.yaml')
  await writeFile(file, text)
  return file
}

/** Runs what `init` and `grants` print for an administrator. @returns the address for the new user. */
async function createReader(
  { adminUrl }: ProductDatabase,
  mappingFile: string,
  { newKeyTable, missingIndexes }: Proposal,
): Promise<string> {
  const [user, password] = [`init_${crypto.randomUUID().slice(0, 8)}`, crypto.randomUUID()]
  throwaway.undo({ do: 'sql', url: throwaway.adminUrl, statements: [`DROP USER IF EXISTS '${user}'@'%'`] })
  const account = { user, host: '%', requireTls: false }
  const grants = await printGrants({ MAPPING_FILE: mappingFile, DATABASE_URL: adminUrl }, account)
  await runStatements(adminUrl, [
    ...splitStatements(newKeyTable?.ddl ?? ''),
    ...missingIndexes.map(({ ddl }) => ddl),
    ...splitStatements(grants),
    `ALTER USER '${user}'@'%' IDENTIFIED BY '${password}'`,
  ])
  return withAccount(adminUrl, { user, password })
}

async function listAuditErrors(url: string, mappingFile: string): Promise<readonly unknown[]> {
  const database = await openDatabase(parseConfig({ DATABASE_URL: url }))
  try {
    const { findings } = await auditDatabase(readMapping(await readFile(mappingFile, 'utf8')), database)
    return findings.filter(({ severity }) => severity === 'error')
  } finally {
    await database.close()
  }
}
