import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { check } from '../../src/tools/commands/check.js'
import { canary, canaryDay, canaryNumber, canaryPair, keys, runStatements } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import type { Bars } from '../../src/tools/report/report.js'
import { changeMapping, findSection as find, rowsOf, runCheck, sectionIds } from '../support/checking.js'
import { useProduct, useThrowaway } from '../support/service.js'
import { makeFolder } from '../support/folder.js'
import { readJunit } from '../verify/junit.js'
import { listMapped } from '../support/readable-columns.js'

const throwaway = useThrowaway()
const plain = useProduct('plain')
const folder = makeFolder()

describe('the check', () => {
  test('shows the column, the type and the option of every public field', async () => {
    const invoices = rowsOf(find(await runCheck(plain), 'profile'), 'invoices')
    const status = invoices.find(({ field }) => field === 'status')!
    expect(status).toMatchObject({ column: 'invoices.invoice_status: varchar(24)', none: 0 })
    expect((status['bars'] as Bars).map(({ label }) => label).sort()).toEqual(
      [...new Set(plain.truth.invoices.map((one) => one.status))].sort(),
    )
    const awkward = await throwaway.createProduct('awkward', { registrations: 40 })
    const traced = rowsOf(find(await runCheck(awkward), 'profile'), 'registrations')
    const mappedAs = (field: string): unknown => traced.find((row) => row['field'] === field)?.['mapped']
    expect(mappedAs('status')).toMatch(/"values":\{.*\d+":"[A-Z]+"/)
    expect(mappedAs('updatedAt')).toBe('"touched"')
  })

  test('counts the ids that several records behind a view have, by the collation of the column', async () => {
    const names = listMapped('invoices')
    await runStatements(plain.adminUrl, [
      `CREATE TABLE copies AS SELECT ${names} FROM invoices`,
      'ALTER TABLE copies MODIFY id VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL',
      'INSERT INTO copies SELECT * FROM copies WHERE archived_at IS NULL ORDER BY id LIMIT 3',
      // Neither an archived row nor one without an id counts, and a record in another case does.
      'UPDATE copies SET archived_at = created_at WHERE archived_at IS NULL ORDER BY id LIMIT 2',
      'UPDATE copies SET id = lower(id) WHERE archived_at IS NULL ORDER BY id LIMIT 1',
      `CREATE VIEW viewed AS SELECT ${names} FROM copies`,
    ])
    const viewed = await changeMapping(
      { ...plain, readUrl: plain.adminUrl },
      'table: invoices',
      'table: viewed',
    )
    const { findings } = find(await runCheck(viewed), 'contradictions')
    expect(findings.filter(({ object }) => object === 'viewed.id').map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^2 of the ids have several records/),
    ])
  })

  test.each(['SELECT', 'ALL PRIVILEGES'])(
    'says in one line that an account with %s is not that of a service, and proves the mapping all the same',
    async (privileges) => {
      const reader = new URL(plain.adminUrl)
      Object.assign(reader, { username: `reader_${reader.pathname.slice(1, 20)}`, password: 'x' })
      const account = `'${reader.username}'@'%'`
      await plain.query(`CREATE USER ${account} IDENTIFIED BY 'x'`)
      await plain.query(`GRANT ${privileges} ON ${reader.pathname.slice(1)}.* TO ${account}`)
      const report = await runCheck({ ...plain, readUrl: reader.href })
      await plain.query(`DROP USER ${account}`)
      const problem = expect.stringMatching(/^sees more than the mapping needs: /) as string
      expect(find(report, 'privileges').findings).toMatchObject([{ severity: 'warning', problem }])
      const objects = find(report, 'contradictions').findings.map(({ object }) => object)
      expect(objects).not.toContain('neverRead')
      expect(report.ok).toBe(true)
    },
  )

  test('lists what the account of a service has too much', async () => {
    const { username, pathname } = new URL(plain.readUrl)
    const all = `ALL PRIVILEGES ON ${pathname.slice(1)}.*`
    await plain.query(`GRANT ${all} TO '${username}'@'%'`)
    const report = await runCheck(plain)
    await plain.query(`REVOKE ${all} FROM '${username}'@'%'`)
    expect(find(report, 'privileges').findings).toContainEqual(expect.objectContaining({ severity: 'error' }))
  })

  test('leaves out what is TODO, with its candidates, and checks the rest', async () => {
    const text = await readFile(plain.mappingFile, 'utf8')
    const todo = text
      .replace('name: attendee_name', 'name: TODO # candidates: attendee_name | badge_name')
      .replace('status: reg_status', 'status: { column: reg_status, values: TODO }')
      .replace('updatedAt: updated_at', 'updatedAt: TODO')
      .replace(/invoices:[^]*?fields:\n/, (section) => section.replace(/workspace: .*/, 'workspace: TODO'))
      .replace(/apiKeys:[^]*?(?=registrations:)/, 'apiKeys: TODO\n')
    const mappingFile = join(folder, 'todo.yaml')
    await writeFile(mappingFile, todo)
    const report = await runCheck({ readUrl: plain.adminUrl, mappingFile })
    const { findings } = find(report, 'contradictions')
    expect(
      findings
        .filter(({ problem }) => problem.includes('TODO'))
        .map(({ object, problem }) => `${object} ${problem}`),
    ).toEqual([
      'apiKeys is TODO, and was left out of the check',
      'registrations.fields.status is TODO, and was left out of the check',
      'registrations.fields.name is TODO, and was left out of the check; candidates: attendee_name | badge_name',
      'registrations.fields.updatedAt is TODO, and was left out of the check',
      'invoices.workspace is TODO, and was left out of the check',
    ])
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    const fields = rowsOf(find(report, 'profile'), 'registrations').map(({ field }) => field)
    expect(fields).toEqual(['id', 'eventId', 'email', 'checkedIn', 'checkedInAt', 'createdAt'])
    expect(rowsOf(find(report, 'profile'), 'invoices')[3]).toMatchObject({ field: 'total', none: 0 })
    expect(find(report, 'profile').notes?.join()).toMatch(/invoices from invoices: .*workspaces: TODO/)
    // An index without the workspace would be a wrong one.
    expect(find(report, 'cost').findings).toEqual([])
  })

  test('says of a place without which a collection cannot be read that nothing of it was checked', async () => {
    const text = await readFile(plain.mappingFile, 'utf8')
    const mappingFile = join(folder, 'open.yaml')
    await writeFile(mappingFile, text.replace(/^ {4}id: .*/m, '    id: TODO'))
    const report = await runCheck({ readUrl: plain.adminUrl, mappingFile })
    const { findings } = find(report, 'contradictions')
    expect(findings.map(({ object, problem }) => `${object} ${problem}`)).toEqual([
      'registrations.fields.id is TODO, and nothing of registrations was checked',
    ])
    expect(rowsOf(find(report, 'profile'), 'invoices')).toHaveLength(9)
  })

  test('finds a mapping that does not fit the schema, and skips what needs one that does', async () => {
    const wrong = await changeMapping(plain, 'email: attendee_email', 'email: attendee_mail')
    const report = await runCheck(wrong)
    expect(report.ok).toBe(false)
    expect(find(report, 'contradictions').findings.map(({ object }) => object)).toContain(
      'registrations.fields.email',
    )
    expect(report.sections.map(({ id }) => id)).toEqual(sectionIds)
    // The other collection fits.
    expect(rowsOf(find(report, 'profile'), 'invoices')).toHaveLength(9)
    const none = await changeMapping(wrong, 'currency: currency_code', 'currency: currency')
    for (const id of ['cost', 'profile'])
      expect(find(await runCheck(none), id)).toMatchObject({ status: 'skipped', findings: [] })
  })
})

describe('what the check prints', () => {
  test('contains nothing that a terminal obeys, even from a status of the database', async () => {
    const database = await throwaway.createProduct('plain', { registrations: 20 })
    await runStatements(database.adminUrl, [
      "UPDATE invoices SET invoice_status = CONCAT('BAD', CHAR(27), CHAR(7)) WHERE archived_at IS NULL",
    ])
    const listed = await changeMapping(
      database,
      'status: invoice_status',
      'status: { column: invoice_status, values: [PAID] }',
    )
    const printed = await print(listed, true)
    expect(printed).toContain('BAD\\\\u001b\\\\u0007')
    expect(await print(listed, false)).toContain('BAD\\u001b\\u0007 (')
  })

  test('is a page, and a JUnit report with a case for each section, which only their owner can read', async () => {
    const [file, html] = [join(folder, 'check.xml'), join(folder, 'page.html')]
    const wrong = await changeMapping(
      await changeMapping(plain, 'email: attendee_email', 'email: attendee_mail'),
      'currency: currency_code',
      'currency: currency',
    )
    const variables = { DATABASE_URL: wrong.readUrl, MAPPING_FILE: wrong.mappingFile }
    await check(variables, { json: false, all: false, junit: file, html, clock: Date.now })
    const { cases, failures, skips } = await readJunit(file)
    expect(cases).toEqual(sectionIds)
    expect(failures.map(([name]) => name)).toContain('contradictions')
    expect(skips.map(([name]) => name)).toContain('cost')
    for (const one of [file, html]) expect((await stat(one)).mode & 0o777).toBe(0o600)
  })

  const print = async (database: ProductDatabase, json: boolean): Promise<string> => {
    const html = join(folder, 'page.html')
    const variables = { DATABASE_URL: database.readUrl, MAPPING_FILE: database.mappingFile }
    const { text } = await check(variables, { json, all: true, html, clock: Date.now })
    return text + (await readFile(html, 'utf8'))
  }

  test.each(['plain', 'awkward'] as const)('has no value of a row, key or password: %s', async (name) => {
    const database = await throwaway.createProduct(name, { registrations: 60 })
    const secrets = [
      canary,
      canaryNumber,
      canaryDay,
      new URL(database.readUrl).password,
      ...Object.values(keys),
    ]
    if (name === 'plain') secrets.push(canaryPair)
    for (const reader of [database, { ...database, readUrl: database.adminUrl }]) {
      if (reader === database)
        expect(
          (await runCheck(reader)).sections.flatMap(({ findings }) =>
            findings.filter(({ severity }) => severity === 'error'),
          ),
        ).toEqual([])
      const printed = (await print(reader, false)) + (await print(reader, true))
      for (const secret of secrets) expect(printed.toLowerCase()).not.toContain(secret.toLowerCase())
      expect(printed).not.toMatch(/\*[0-9A-F]{40}/)
      const emails = database.truth.registrations.map(({ email }) => email)
      for (const email of emails) expect(printed).not.toContain(email)
    }
  })
})
