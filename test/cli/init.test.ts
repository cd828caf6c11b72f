import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readMapping } from '../../src/mapping/read-mapping.js'
import { runStatements, withAccount } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { useThrowaway } from '../support/service.js'
import { runVitrine } from '../support/vitrine.js'
import { makeFolder } from '../support/folder.js'

const throwaway = useThrowaway()
let database: ProductDatabase
const folder = makeFolder()
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 20 })
})

const runInit = (args: readonly string[], url = database.adminUrl) =>
  runVitrine(['init', ...args], { DATABASE_URL: url })

describe('init --yes', () => {
  test('writes the mapping to stdout and everything else to stderr', async () => {
    const { status, stdout, stderr } = await runInit(['--yes'])
    expect(status).toBe(0)
    expect(readMapping(stdout)).toMatchObject({ registrations: { table: 'event_registrations' } })
    const next = withAccount(database.adminUrl, { user: 'vitrine', password: 'PASSWORD' })
    expect(stderr).toContain(`DATABASE_URL=${next} vitrine check`)
  })

  test('writes a new file, which check reads, and overwrites none', async () => {
    const file = join(folder, 'new.yaml')
    const { status, stdout } = await runInit(['--yes', '--out', file])
    expect([status, stdout]).toEqual([0, ''])
    const check = await runVitrine(['check'], { DATABASE_URL: database.readUrl, MAPPING_FILE: file })
    expect(check).toMatchObject({ status: 0, stderr: '' })
    await writeFile(file, 'mine')
    const again = await runInit(['--yes', '--out', file])
    expect(again.status).toBe(64)
    expect(again.stderr).toContain(`--out ${JSON.stringify(file)} exists; init overwrites no file`)
    expect(await readFile(file, 'utf8')).toBe('mine')
  })

  test('prints with --json the choices with their reasons and the others', async () => {
    const { status, stdout } = await runInit(['--yes', '--json'])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      mapping: { invoices: { table: 'invoices', fields: { total: 'grand_total' } } },
      choices: expect.arrayContaining([
        expect.objectContaining({
          path: 'invoices.fields.total',
          value: 'grand_total',
          confidence: 'likely',
          reasons: ['its name (+10)', 'DECIMAL(18,4) NOT NULL'],
          runnersUp: [expect.objectContaining({ label: 'subtotal + vat_total' })],
        }),
      ]) as unknown,
      newKeyTable: null,
      missingIndexes: [],
      next: expect.arrayContaining([expect.stringContaining('vitrine check')]) as unknown,
    })
  })
})

test('a user who sees only some columns gets a warning that leads, and nothing that is sure', async () => {
  const [user, password] = [`init_${crypto.randomUUID().slice(0, 8)}`, crypto.randomUUID()]
  throwaway.undo({ do: 'sql', url: throwaway.adminUrl, statements: [`DROP USER IF EXISTS '${user}'@'%'`] })
  await runStatements(database.adminUrl, [
    `CREATE USER '${user}'@'%' IDENTIFIED BY '${password}'`,
    `GRANT SELECT (id, grand_total) ON invoices TO '${user}'@'%'`,
    `GRANT SELECT ON event_registrations TO '${user}'@'%'`,
  ])
  const { status, stdout, stderr } = await runInit(
    ['--yes'],
    withAccount(database.adminUrl, { user, password }),
  )
  expect(status).toBe(0)
  expect(stderr).toMatch(/^WARNING:\n.*only some columns of invoices/)
  expect(stdout).toMatch(/^# WARNING: /)
  expect(stdout).not.toContain(', sure: ')
})

describe('init ends with what to do', () => {
  test('without a terminal and without --yes: 64', async () => {
    const { status, stdout, stderr } = await runInit([])
    expect([status, stdout]).toEqual([64, ''])
    expect(stderr).toContain('--yes takes the best proposal')
  })

  test('without DATABASE_URL: 78', async () => {
    const { status, stderr } = await runVitrine(['init', '--yes'])
    expect(status).toBe(78)
    expect(stderr).toContain('DATABASE_URL: found nothing')
  })

  test('where the database does not answer: 1, and no file', async () => {
    const file = join(folder, 'none.yaml')
    const { status, stderr } = await runInit(['--yes', '--out', file], 'mysql://a:b@127.0.0.1:1/none')
    expect(status).toBe(1)
    expect(stderr).toContain('ECONNREFUSED')
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  test('in a database without tables, or with a table that does not exist: 1', async () => {
    const name = `vitrine_init_${crypto.randomUUID().slice(0, 8)}`
    throwaway.undo({ do: 'sql', url: throwaway.adminUrl, statements: [`DROP DATABASE IF EXISTS ${name}`] })
    await runStatements(throwaway.adminUrl, [`CREATE DATABASE ${name}`])
    const url = withAccount(throwaway.adminUrl, { database: name })
    const empty = await runInit(['--yes'], url)
    expect([empty.status, empty.stdout]).toEqual([1, ''])
    expect(empty.stderr).toContain('sees no table')
    await runStatements(url, ['CREATE TABLE `odd.name ``x` (`a.b` INT PRIMARY KEY, `é"` INT)'])
    const unknown = await runInit(['--yes', '--invoices', 'bills'], url)
    expect([unknown.status, unknown.stdout]).toEqual([1, ''])
    expect(unknown.stderr).toContain('--invoices "bills" is none of the 1 tables')
    // The nearest table is proposed, however far it is.
    const odd = await runInit(['--yes'], url)
    expect(odd.status).toBe(0)
    expect(odd.stderr).toContain('not found, left out')
  })
})
