import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSchema } from '../../src/database/schema.js'
import { readMapping } from '../../src/mapping/load-configuration.js'
import { fillMapping, listMappedTables } from '../../src/mapping/mapped-columns.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { readRows } from '../../src/tools/check/exports.js'
import { compareExport } from '../../src/tools/export/compare.js'
import type { Compared } from '../../src/tools/export/link.js'
import { readTable } from '../../src/tools/export/table.js'
import { readFacts } from '../../src/tools/facts/read-facts.js'
import { splitStatements } from '../product/index.js'
import { drawExport } from '../support/exports.js'
import { createOwnDatabase, withDatabase } from '../support/own-database.js'
import { useThrowaway } from '../support/service.js'

/* Exports in drawn forms, of right mappings and of mistaken ones. Each is drawn from the rows that the right mapping shows. */

const throwaway = useThrowaway()

/** The rows of each collection of a mapping. */
const readCompared = (url: string, text: string): Promise<readonly Compared[]> =>
  withDatabase(url, async (run) => {
    const mapping = await fillMapping(readMapping(text), run)
    const { tables } = await readFacts(run)
    const schema = await readSchema(run, listMappedTables(mapping))
    const { registrations, invoices } = resolveMapping(mapping, schema)
    const bound = [registrations, invoices].filter((one) => one !== undefined)
    return Promise.all(
      bound.map((one) => readRows(one, mapping, tables.get(one.table.name)?.columns ?? [], run)),
    )
  })

interface Mistake {
  readonly what: string
  readonly change: Readonly<Record<string, string>>
}

/** What is reported of a mistake of each kind. */
const kinds: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  tickets: {
    'the address of the organizer': /^registrations\.fields\.email: differs from “E-Mail”/,
    'the test is turned round': /are not records: registrations\.archived: deleted_at is/,
  },
  bills: {
    'test rows are shown': /4 of them have is_test 1, and no other has/,
    'cents as units': /differs from “\w+” in .* 100\.00 times as much/,
    'the tax as the total': /differs from “\w+” in 68 of 68 lines/,
    'a column that is all NULL': /are not records: createdAt is NULL/,
  },
  conference: {
    'subscribers to news as registrations': /they belong to no row of|only \d+ of \d+ lines/,
    'the title of the event as the name': /^registrations\.fields\.name: differs from/,
    'the meanings of two codes exchanged': /\.status: is crossed with “Status”: /,
  },
  ledger: {
    'the net for the gross': /the export has llx_facture\.\w*ttc/,
    'the type as the status': /\.status: (?:does not follow|has 1 values)/,
    'local times as UTC': /^timezone: is not that of every column: .*createdAt at .* updatedAt at/,
    'the two days exchanged': /the export has there what the mapping shows as \w+Date/,
  },
}

describe.each(Object.keys(kinds))('%s', (name) => {
  const read = (end: string) => readFile(new URL(`../mistakes/${name}${end}`, import.meta.url), 'utf8')
  let url: string
  let text: string
  let right: readonly Compared[]
  beforeAll(async () => {
    url = await createOwnDatabase(throwaway, splitStatements(await read('.sql')))
    text = await read('.yaml')
    right = await readCompared(url, text)
  })

  /** The rows of a mapping beside three exports of the right one. */
  const compareAll = (all: readonly Compared[]) =>
    all.flatMap((of) =>
      [1, 2, 5].flatMap((seed) => {
        const shown = right.find((one) => one.name === of.name)
        if (shown === undefined) return []
        const zone = /^timezone: *'?([^'\n]+)/m.exec(text)?.[1] ?? '+00:00'
        const table = readTable('export.csv', drawExport(shown, zone, seed).bytes)
        return [{ ...compareExport(of, table), table }]
      }),
    )
  const compare = (all: readonly Compared[]): readonly string[] =>
    compareAll(all).flatMap(({ findings }) => findings.map(({ object, problem }) => `${object}: ${problem}`))

  test('an export of the right mapping causes no warning, and each of its lines that is a record has one', () => {
    const all = compareAll(right)
    expect(all.flatMap(({ findings }) => findings)).toEqual([])
    expect(all.flatMap(({ notes }) => notes.filter((note) => note.includes('are not records')))).toEqual([])
    for (const { table, fields } of all) {
      const created = table.titles.find((title) => /^(?:Registered on|Angemeldet am)$/.test(title)) ?? null
      const [shown = null] = fields.flatMap(({ field, column }) => (field === 'createdAt' ? [column] : []))
      if (created !== null) expect(shown).toBe(created)
    }
  })

  test('a line whose row cannot be shown has the reason, and is of no other table', () => {
    const hide = (of: Compared): Compared => ({
      ...of,
      rows: of.rows.map((row, at) => (at % 9 > 0 ? row : { ...row, record: undefined, hidden: 'no reason' })),
    })
    const notes = compareAll(right.map(hide)).flatMap(({ findings, notes: all }) => [
      ...findings.map(({ problem }) => problem),
      ...all,
    ])
    expect(notes.some((note) => note.includes('not records: no reason'))).toBe(true)
    expect(notes.filter((note) => note.includes('they belong to no row'))).toEqual([])
  })

  test('a word stands as the export has it, and a column of days proves no more of a time', () => {
    for (const { table, fields } of compareAll(right))
      for (const { field, column, as } of fields) {
        const at = table.titles.findIndex((title) => title === column)
        const texts = table.lines.flatMap((line) => line[at] ?? [])
        const words = typeof as === 'string' ? as.split(', ') : []
        if (field === 'status')
          expect(words.filter((word) => !texts.includes(word.replace(/ is .*/, '')))).toEqual([])
        if (field === 'createdAt' && at !== -1)
          expect(as === 'days only').toBe(texts.every((text) => !text.includes(':')))
      }
  })

  test('few lines that differ cause no warning, and each is named', () => {
    const all = right.map((of) => {
      const shown = of.rows.filter(({ record, hidden }) => hidden === '' && record !== undefined)
      const statuses = [...new Set(shown.map(({ record }) => record?.['status']))]
      const [first] = shown
      const status = statuses.find((one) => one !== first?.record?.['status']) ?? ''
      const rows = of.rows.map((row) =>
        row === first ? { ...row, record: { ...row.record, status, email: 'x@y', number: 'X-0' } } : row,
      )
      return { ...of, rows }
    })
    const notes = compareAll(all).flatMap((one) => one.notes)
    for (const field of ['status', 'email|number'])
      expect(notes).toContainEqual(
        expect.stringMatching(
          new RegExp(`\\.(?:${field}): differs from “.*” in 1 of \\d+ lines \\(line \\d+: `),
        ),
      )
    expect(compare(all)).toEqual([])
  })

  test('words that differ by case only are one', () => {
    const lower = ({ record, ...row }: Compared['rows'][number], at: number) =>
      at % 2 === 0 || record === undefined
        ? { ...row, record }
        : { ...row, record: { ...record, status: String(record['status']).toLowerCase() } }
    expect(compare(right.map((of) => ({ ...of, rows: of.rows.map(lower) })))).toEqual([])
  })

  // Persons of the others have several registrations, and the one that is left is taken for the one that is gone.
  test.runIf(/tickets|bills/.test(name))(
    'lines whose rows are gone belong to none, and cause no other warning',
    () => {
      const rest = right.map((of) => ({ ...of, rows: of.rows.filter((_, at) => at % 4 > 0) }))
      const said = compare(rest)
      expect(said).not.toEqual([])
      expect(said.filter((line) => !/are not records: they belong to no row of/.test(line))).toEqual([])
    },
  )

  test('a number or an address alone finds the row of a line', () => {
    for (const of of right) {
      const key = of.name === 'invoices' ? 'number' : 'email'
      const records = of.rows.flatMap(({ record, hidden }) => (hidden === '' && record ? [record] : []))
      const texts = records.map((record) => String(record[key]))
      const own = texts.filter((one) => one.length > 6 && texts.indexOf(one) === texts.lastIndexOf(one))
      const table = { titles: [key, 'Quantity'], lines: own.map((one) => [one, '1']), numbers: [] }
      expect(compareExport(of, table).linked).toBe(own.length)
    }
  })

  test.each(Object.entries(kinds[name] ?? {}))('%s: a warning says what differs', async (what, said) => {
    const open = parse(await read('-mistakes.yaml')) as readonly Mistake[]
    const change = Object.entries(open.find((one) => one.what === what)?.change ?? {})
    expect(change).not.toEqual([])
    const mistaken = change.reduce((all, [part, by]) => all.replace(part, by), text)
    expect(compare(await readCompared(url, mistaken))).toContainEqual(expect.stringMatching(said))
  })
})
