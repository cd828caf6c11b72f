import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { check } from '../../src/tools/commands/check.js'
import { canary, canaryDay, canaryNumber, canaryPair, keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { changeMapping, findSection as find, rowsOf, runCheck, sectionIds } from '../support/checking.js'
import { useThrowaway } from '../support/service.js'
import { makeFolder } from '../support/folder.js'
import { readJunit } from '../verify/junit.js'

const untilTimeout = { timeout: 60_000 }

const throwaway = useThrowaway()
let plain: ProductDatabase
const folder = makeFolder()

beforeAll(async () => {
  plain = await throwaway.createProduct('plain')
})

describe('the check', () => {
  test('has eight sections, and no error for the unchanged product', async () => {
    const report = await runCheck(plain)
    expect(report.ok).toBe(true)
    expect(report.sections.map(({ id }) => id)).toEqual(sectionIds)
  })

  test('prints the query that lists accounts with the same name, whose grants it cannot see', async () => {
    const { notes } = find(await runCheck(plain), 'privileges')
    const { username } = new URL(plain.readUrl)
    expect(notes!.join()).toContain(`SELECT user, host FROM mysql.user WHERE user IN ('${username}', '');`)
  })

  test('shows the column, the type and the conversion of every public field', async () => {
    const section = find(await runCheck(plain), 'provenance')
    const invoices = rowsOf(section, 'invoices')
    const fields = invoices.map(({ field }) => field)
    expect(fields.slice(0, 9)).toEqual([
      'id',
      'number',
      'status',
      'total',
      'currency',
      'issueDate',
      'dueDate',
      'createdAt',
      'updatedAt',
    ])
    expect(invoices).toContainEqual({
      field: 'total',
      column: 'invoices.grand_total',
      type: 'decimal(18,4)',
      transform: "exact decimal text, at least the currency's digits, never rounded",
    })
    const awkward = await throwaway.createProduct('awkward', { registrations: 40 })
    const traced = rowsOf(find(await runCheck(awkward), 'provenance'), 'registrations')
    const transformOf = (field: string): unknown =>
      traced.find((row) => row['field'] === field)?.['transform']
    expect(transformOf('name')).toMatch(/^joined by/)
    expect(transformOf('status')).toMatch(/\d+ as [A-Z]+/)
    expect(transformOf('updatedAt')).toMatch(/^from [+-]\d\d:\d\d to UTC/)
  })

  test('finds a change in the future, and the time zone in which it would be in the past', async () => {
    const database = await throwaway.createProduct('plain', { registrations: 40 })
    await runStatements(database.adminUrl, [
      'UPDATE invoices SET updated_at = UTC_TIMESTAMP(3) + INTERVAL 170 MINUTE WHERE archived_at IS NULL LIMIT 1',
    ])
    const [finding, ...others] = find(await runCheck(database), 'times').findings
    expect(others).toEqual([])
    expect(finding).toMatchObject({ severity: 'error', object: 'invoices.updated_at' })
    expect(finding!.fix).toContain('+03:00')
    const moved = await changeMapping(database, "timezone: '+00:00'", "timezone: '+03:00'")
    expect(find(await runCheck(moved), 'times').findings).toEqual([])
  })

  test('compares with the mapping file that is named, and says that the epoch must be raised', async () => {
    const moved = await changeMapping(plain, "timezone: '+00:00'", "timezone: '+03:00'")
    const report = await runCheck(moved, {}, plain.mappingFile)
    const [finding, ...others] = find(report, 'epoch').findings
    expect([report.ok, others, finding?.fix]).toEqual([false, [], 'set it to 1'])
    expect(find(await runCheck(plain, {}, plain.mappingFile), 'epoch').findings).toEqual([])
  })

  test('finds a time zone that makes rows older than their last change', async () => {
    const database = await throwaway.createProduct('plain', { registrations: 40 })
    await runStatements(database.adminUrl, [
      'ALTER TABLE invoices MODIFY updated_at TIMESTAMP(3) NOT NULL',
      "SET time_zone = '+00:00'",
      'UPDATE invoices SET updated_at = created_at',
    ])
    const listTimes = async (of: ProductDatabase): Promise<readonly string[]> =>
      find(await runCheck(of), 'times').findings.map(({ object, problem }) => `${object} ${problem}`)
    expect(await listTimes(database)).toEqual([])
    const moved = await changeMapping(database, "timezone: '+00:00'", "timezone: '-03:00'")
    expect(await listTimes(moved)).toContainEqual(
      expect.stringMatching(
        /^invoices\.updated_at \d+ of \d+ rows .* created after their last change, by up to 10800 s/,
      ),
    )
  })

  test('finds a write transaction that is open for longer than the overlap, where the user may see it', async () => {
    const admin = { ...plain, readUrl: plain.adminUrl }
    const writer = await mysql.createConnection({ uri: plain.adminUrl })
    await writer.query('START TRANSACTION')
    await writer.query("UPDATE invoices SET invoice_status = 'X' LIMIT 1")
    // Another test may run a statement that the server cannot show.
    const { findings } = await vi.waitUntil(async () => {
      const section = find(await runCheck(admin, { SYNC_OVERLAP_SECONDS: '0' }), 'transactions')
      return section.notes!.length === 0 && section
    }, untilTimeout)
    await writer.query('ROLLBACK')
    await writer.end()
    expect(findings).toEqual([expect.objectContaining({ severity: 'error', object: 'SYNC_OVERLAP_SECONDS' })])
    const denied = find(await runCheck(plain), 'transactions')
    expect(denied.findings).toEqual([])
    expect(denied.notes!.join()).toMatch(/innodb_trx/)
  })

  test('counts a transaction that waits for a lock: its statement has fixed the time of change already', async () => {
    const open = (): Promise<mysql.Connection> => mysql.createConnection({ uri: plain.adminUrl })
    const [holder, writer] = [await open(), await open()]
    await holder.query('START TRANSACTION')
    await holder.query('SELECT id FROM invoices ORDER BY id LIMIT 1 FOR UPDATE')
    await writer.query('START TRANSACTION')
    const waiting = writer.query("UPDATE invoices SET invoice_status = 'X' ORDER BY id LIMIT 1")
    await vi.waitUntil(async () => {
      const section = find(await runCheck({ ...plain, readUrl: plain.adminUrl }), 'transactions')
      return section.notes!.length === 0 && rowsOf(section, 'overlap')[0]!['openWrites'] === 1
    }, untilTimeout)
    await holder.end()
    await waiting
    await writer.query('ROLLBACK')
    await writer.end()
  })

  // MariaDB shows such a statement.
  test.skipIf(inject('server').isMariaDb)(
    'goes on where a transaction runs a statement with bytes that are no text',
    async () => {
      const open = (): Promise<mysql.Connection> => mysql.createConnection({ uri: plain.adminUrl })
      const [holder, writer] = [await open(), await open()]
      await holder.query("SELECT get_lock('garbled', 0)")
      await writer.query('START TRANSACTION')
      await writer.query("UPDATE invoices SET invoice_status = 'X' LIMIT 1")
      const garbled = Buffer.from('8f3a5ce2c088', 'hex')
      const running = writer.execute("SELECT get_lock('garbled', 60), ?", [garbled])
      const notes = await vi.waitUntil(async () => {
        const report = await runCheck({ ...plain, readUrl: plain.adminUrl })
        return find(report, 'transactions').notes!.join()
      }, untilTimeout)
      await holder.end()
      await running
      await writer.end()
      expect(notes).toContain('Run the check again')
    },
  )

  test('counts the rows that cannot be shown, with their reasons; under fail they are errors', async () => {
    const database = await throwaway.createProduct('plain', { registrations: 40 })
    await runStatements(database.adminUrl, [
      "UPDATE invoices SET currency_code = 'QQQ' WHERE archived_at IS NULL ORDER BY id LIMIT 3",
      "SET sql_mode = ''",
      "UPDATE invoices SET issue_date = '0000-00-00' WHERE archived_at IS NULL ORDER BY id DESC LIMIT 2",
    ])
    const skipped = find(await runCheck(database), 'sample')
    expect(rowsOf(skipped, 'reasons').map(({ reason, rows }) => [reason, rows])).toEqual(
      expect.arrayContaining([
        [expect.stringMatching(/^(currency|total) /), expect.any(Number)],
        [expect.stringMatching(/^issueDate /), expect.any(Number)],
      ]),
    )
    expect(skipped.findings.every(({ severity }) => severity === 'warning')).toBe(true)
    const ids = await database.query(
      "SELECT id FROM invoices WHERE currency_code = 'QQQ' ORDER BY id LIMIT 1",
    )
    const currency = skipped.findings.find(({ problem }) => /: (currency|total) /.test(problem))
    expect(currency?.problem).toContain(String(ids[0]?.['id']))
    const strict = await changeMapping(database, 'invalidRows: skip', 'invalidRows: fail')
    expect((await runCheck(strict)).ok).toBe(false)
  })

  test('counts the zero dates of the key table, and says what they mean', async () => {
    const database = await throwaway.createProduct('plain', { registrations: 20 })
    await runStatements(database.adminUrl, [
      "SET sql_mode = ''",
      "UPDATE workspace_api_keys SET revoked_at = '0000-00-00' ORDER BY key_hash LIMIT 2",
      "UPDATE workspace_api_keys SET expires_at = '0000-00-00' WHERE expires_at IS NULL",
      "ALTER TABLE workspace_api_keys MODIFY expires_at DATETIME NOT NULL DEFAULT '0000-00-00'",
    ])
    const { findings } = find(await runCheck(database), 'sample')
    expect(findings).toContainEqual({
      severity: 'warning',
      object: 'workspace_api_keys.revoked_at',
      problem: '2 keys have a zero date, which counts as NULL: they are not revoked',
      fix: 'store the time that is meant, or NULL',
    })
    // A column without NULL has no other way to say it.
    expect(findings.map(({ object }) => object)).not.toContain('workspace_api_keys.expires_at')
  })

  test('finds a mapping that does not fit the schema, and skips the sections that need one that does', async () => {
    const wrong = await changeMapping(plain, 'email: attendee_email', 'email: attendee_mail')
    const report = await runCheck(wrong)
    expect(report.ok).toBe(false)
    expect(find(report, 'provenance').findings.map(({ object }) => object)).toContain(
      'registrations.fields.email',
    )
    expect(report.sections.map(({ id }) => id)).toEqual(sectionIds)
    for (const id of ['cost', 'times', 'sample'])
      expect(find(report, id)).toMatchObject({ status: 'skipped', findings: [] })
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

  test('is a JUnit report with a case for each section, which only its owner can read', async () => {
    const file = join(folder, 'check.xml')
    const wrong = await changeMapping(plain, 'email: attendee_email', 'email: attendee_mail')
    const variables = { DATABASE_URL: wrong.readUrl, MAPPING_FILE: wrong.mappingFile }
    await check(variables, { json: false, all: false, junit: file, clock: Date.now })
    const { cases, failures, skips } = await readJunit(file)
    expect(cases).toEqual(sectionIds)
    expect(failures.map(([name]) => name)).toContain('provenance')
    expect(skips.map(([name]) => name)).toContain('cost')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('names the option of a mapping file that cannot be read', async () => {
    const variables = { DATABASE_URL: plain.readUrl, MAPPING_FILE: plain.mappingFile }
    const input = { json: false, all: false, against: join(folder, 'none.yaml'), clock: Date.now }
    await expect(check(variables, input)).rejects.toMatchObject({ issues: [{ path: '--against' }] })
  })

  test('is a page that only its owner can read, even over one that all can read', async () => {
    const page = join(folder, 'page.html')
    await writeFile(page, '', { mode: 0o644 })
    await print(plain, true)
    expect((await stat(page)).mode & 0o777).toBe(0o600)
  })

  const print = async (database: ProductDatabase, json: boolean): Promise<string> => {
    const html = join(folder, 'page.html')
    const variables = { DATABASE_URL: database.readUrl, MAPPING_FILE: database.mappingFile }
    const { text } = await check(variables, { json, all: true, html, clock: Date.now })
    return text + (await readFile(html, 'utf8'))
  }

  test.each(['plain', 'awkward'] as const)(
    'contains no value of a row, no key and no password, and finds no error: %s',
    async (name) => {
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
        if (reader === database) expect((await runCheck(reader)).ok).toBe(true)
        const printed = (await print(reader, false)) + (await print(reader, true))
        for (const secret of secrets) expect(printed.toLowerCase()).not.toContain(secret.toLowerCase())
        expect(printed).not.toMatch(/\*[0-9A-F]{40}/)
        const emails = database.truth.registrations.map(({ email }) => email)
        for (const email of emails) expect(printed).not.toContain(email)
      }
    },
  )
})
