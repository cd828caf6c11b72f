import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { compareGrants, printGrants } from '../../src/tools/commands/grants.js'
import { UsageError } from '../../src/errors.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import type { ProductDatabase } from '../product/index.js'
import { splitStatements } from '../product/index.js'
import { ask } from '../support/ask.js'
import { useAuditedProduct } from '../support/audited.js'
import { replacePart } from '../support/plain-mapping.js'
import { makeFolder } from '../support/folder.js'
import { listMapped } from '../support/readable-columns.js'

const { database, run, fill, listErrors } = useAuditedProduct()
const folder = makeFolder()
const accounts = parse(readFileSync('test/database/compare-grants.yaml', 'utf8')) as Record<string, string[]>
let mappingFile: string
let yaml: string
beforeAll(async () => {
  mappingFile = join(folder, 'mapping.yaml')
  yaml = await readFile(database().mappingFile, 'utf8')
})

const account = () => ({
  user: decodeURIComponent(new URL(database().readUrl).username),
  host: '%',
  requireTls: false,
})

const useMapping = (text: string): Promise<void> => writeFile(mappingFile, text)

function compare(
  input: Partial<ReturnType<typeof account>> = {},
  { adminUrl }: Pick<ProductDatabase, 'adminUrl'> = database(),
): Promise<string> {
  return compareGrants({ DATABASE_URL: adminUrl, MAPPING_FILE: mappingFile }, { ...account(), ...input })
}

const nothing = (): string => fill('-- $u holds what the mapping needs, and nothing else.\n')

/** Runs the printed difference: the audit has no error then, and no difference is left. */
async function expectNothingAfter(printed: string): Promise<void> {
  await run(...splitStatements(printed))
  const mapping = await loadMapping(mappingFile)
  expect(await listErrors(() => mapping)).toEqual([])
  expect(await compare()).toBe(nothing())
}

describe('grants --compare', () => {
  test('prints only a comment for an account with the grants of the mapping, which can be run again', async () => {
    await useMapping(yaml)
    expect(await compare()).toBe(nothing())
    const variables = { MAPPING_FILE: mappingFile, DATABASE_URL: database().adminUrl }
    const script = await printGrants(variables, account())
    await run(...splitStatements(script), ...splitStatements(script))
    expect(await compare()).toBe(nothing())
  })

  test('follows a mapped view to every table behind it, and back', async () => {
    const shown = listMapped('event_registrations')
    await run(
      `CREATE VIEW inner_view AS SELECT ${shown} FROM event_registrations WHERE workspace_id IN (SELECT id FROM workspaces)`,
      `CREATE VIEW shown AS SELECT v.* FROM inner_view v LEFT JOIN invoices i FORCE INDEX (PRIMARY) ON i.id = v.id`,
    )
    await useMapping(replacePart(yaml, 'table: event_registrations', 'table: shown'))
    const printed = await compare()
    for (const table of ['shown', 'inner_view', 'workspaces'])
      expect(printed).toContain(fill(`SHOW VIEW ON \`$db\`.\`${table}\` TO $u;\n`))
    expect(printed).toMatch(/REVOKE SELECT \(.+\) ON `.+`\.`event_registrations` FROM/)
    await expectNothingAfter(printed)

    await useMapping(yaml)
    const back = await compare()
    for (const table of ['shown', 'inner_view', 'workspaces'])
      expect(back).toContain(fill(`SHOW VIEW ON \`$db\`.\`${table}\` FROM $u;\n`))
    await expectNothingAfter(back)
  })

  test.each(Object.entries(accounts))('leaves just the mapped columns with %s', async (_, grants) => {
    await useMapping(yaml)
    await run(...grants)
    const printed = await compare()
    expect(printed).not.toBe(nothing())
    await expectNothingAfter(printed)
  })

  test.each([
    [
      'name: attendee_name',
      'name: attendee_nam',
      /registrations\.fields\.name: found .*\.attendee_nam, which .* mean attendee_name\?/,
    ],
    ['table: workspace_api_keys', 'table: no_keys', /the table no_keys, which .*`vitrine key --table`/],
    ['table: invoices', 'table: crm.bills', /crm\.bills, no table of this database.*make a view/],
    ['table: invoices', 'table: shown', /the view shown, which cannot be read.*definer/i],
  ])('prints no GRANT for what does not exist: %s as %s', async (before, after, expected) => {
    await run(
      'CREATE USER $role_c@localhost',
      'CREATE DEFINER = $role_c@localhost VIEW shown AS SELECT * FROM invoices',
      'DROP USER $role_c@localhost',
    )
    await useMapping(replacePart(yaml, before, after))
    await expect(compare()).rejects.toThrow(expected)
    // Once for a table, and not for each of its columns.
    await expect(compare()).rejects.toMatchObject({ issues: [expect.anything()] })
    const variables = { DATABASE_URL: database().adminUrl, MAPPING_FILE: mappingFile }
    await expect(printGrants(variables, account())).rejects.toThrow(expected)
  })

  test('is an error for an account that administers the server, and where its grants or a definition are hidden', async () => {
    await useMapping(yaml)
    const [row] = await ask(database().adminUrl, 'SELECT current_user() AS account')
    const [user = '', host = ''] = String(row?.['account']).split('@')
    await expect(compare({ user, host })).rejects.toThrow(UsageError)
    await expect(compare({ user, host }, { adminUrl: database().readUrl })).rejects.toThrow(
      /cannot see the grants of/,
    )
    await run('CREATE VIEW shown AS SELECT * FROM invoices', 'GRANT SELECT ON `$db`.shown TO $u')
    await useMapping(replacePart(yaml, 'table: invoices', 'table: shown'))
    await expect(compare({}, { adminUrl: database().readUrl })).rejects.toThrow(
      /cannot see the definition of `.+`\.`shown`/,
    )
  })
})
