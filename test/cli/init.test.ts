import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runStatements, splitStatements, withAccount } from '../product/index.js'
import { makeFolder } from '../support/folder.js'
import { createOwnDatabase } from '../support/own-database.js'
import { useProduct, useThrowaway } from '../support/service.js'
import { runVitrine } from '../support/vitrine.js'

const throwaway = useThrowaway()
const database = useProduct('plain', { registrations: 20 })
const folder = makeFolder()

const runInit = (args: readonly string[], url = database.adminUrl) =>
  runVitrine(['init', ...args], { DATABASE_URL: url })

describe('init', () => {
  test('writes the skeleton to stdout, and to stderr a key table that runs and the next three commands', async () => {
    const { status, stdout, stderr } = await runInit([])
    expect(status).toBe(0)
    expect(stdout).toContain('  table: event_registrations\n')
    const url = await createOwnDatabase(throwaway, [])
    await runStatements(url, splitStatements(stderr.slice(0, stderr.indexOf(';') + 1)))
    const before = `DATABASE_URL='${withAccount(database.adminUrl, { password: 'PASSWORD' })}' MAPPING_FILE=mapping.yaml vitrine`
    const next = [...stderr.matchAll(/^ {2}(DATABASE_URL=.*)$/gm)].map(([, line = '']) => line)
    expect(next.map((line) => line.slice(0, before.length))).toEqual([before, before, before])
    expect(next.map((line) => /vitrine (\w+)/.exec(line)?.[1])).toEqual(['check', 'grants', 'key'])
  })

  test('writes a new file, and overwrites none', async () => {
    const file = join(folder, 'new.yaml')
    const { status, stdout } = await runInit(['--out', file, '--invoices', 'none'])
    expect([status, stdout]).toEqual([0, ''])
    expect(await readFile(file, 'utf8')).not.toContain('\ninvoices:')
    await writeFile(file, 'mine')
    const again = await runInit(['--out', file])
    expect([again.status, again.stderr]).toEqual([
      64,
      expect.stringContaining(`${JSON.stringify(file)}, which exists already`),
    ])
    expect(await readFile(file, 'utf8')).toBe('mine')
  })

  test('ends with 1 in a database without tables, without one that fits, or without the named one', async () => {
    const url = await createOwnDatabase(throwaway, [])
    for (const command of ['init', 'facts'])
      expect((await runVitrine([command], { DATABASE_URL: url })).stderr).toContain('sees no table')
    await runStatements(url, ['CREATE TABLE `odd.name ``x` (`a.b` INT PRIMARY KEY, `é"` INT)'])
    const unknown = await runInit(['--invoices', 'bills'], url)
    expect([unknown.status, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('--invoices: found "bills"; allowed: a table'),
    ])
    expect((await runInit([], url)).stderr).toContain('No table looks like registrations')
  })
})

test('facts prints the facts and the instructions behind them, as text and as JSON', async () => {
  const text = await runVitrine(['facts'], { DATABASE_URL: database.adminUrl })
  expect(text).toMatchObject({ status: 0, stderr: '' })
  expect(text.stdout).toContain('\nevent_registrations(id) — 20 rows\n')
  const instructions = await readFile('docs/mapping-with-an-assistant.md', 'utf8')
  expect(text.stdout.endsWith(instructions)).toBe(true)
  const { stdout } = await runVitrine(['facts', '--json'], { DATABASE_URL: database.adminUrl })
  expect(JSON.parse(stdout)).toMatchObject({ instructions, tables: expect.any(Array) as unknown })
})
