import type { BoundCollection } from '../../collections/collection.js'
import type { FieldContent } from '../../collections/field.js'
import { projectCases } from '../../collections/row-test.js'
import { selectRows } from '../../collections/selection.js'
import type { Column, ColumnKind } from '../../database/column.js'
import { quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Schema } from '../../database/schema.js'
import type { RunQuery } from '../../database/statement.js'
import { isNeverRead } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { compareExport } from '../export/compare.js'
import type { Compared } from '../export/link.js'
import type { ExportTable } from '../export/table.js'
import { matches } from '../facts/names.js'
import { toCell } from '../facts/values.js'
import { toSnake } from '../facts/words.js'
import { createSection, toTable } from '../report/report.js'
import type { Section } from '../report/report.js'
import { listHidingTests } from './counts.js'
import { isShown, toSeenName, toShown, withUnseen } from './sample.js'
import { from } from '../../collections/resolved-table.js'

/** The section of what follows. */
export const exportsHead = {
  id: 'exports',
  title: 'What the product exports, beside what the mapping shows',
} as const

/** A file that the product wrote, with the collection whose records it has. */
export interface Exported {
  readonly name: string
  readonly file: string
  readonly table: ExportTable
}

/** Compares each export with the rows of its collection. */
export async function compareExports(
  exports: readonly Exported[],
  collections: readonly BoundCollection[],
  mapping: Mapping,
  schema: Schema,
  run: RunQuery,
): Promise<Section> {
  const compare = async ({ name, file, table }: Exported): Promise<Partial<Section>> => {
    const collection = collections.find((one) => one.name === name)
    const about = `${file} has ${table.lines.length} lines`
    if (collection === undefined)
      return { notes: [`${about}, and was not compared: ${name} does not fit the tables, or is not mapped.`] }
    const columns = [...(schema.get(collection.table.name)?.columns.values() ?? [])]
    const { findings, notes, fields, linked } = compareExport(
      await readRows(collection, mapping, columns, run),
      table,
    )
    const found = `${about}; ${linked} belong to a record of ${name}. A field without a column was not found in the export.`
    const tables = [toTable(`${name}-export`, { ...heads, field: `Field of ${name}` }, fields)]
    return { notes: [found, ...notes], findings, tables }
  }
  const all: Partial<Section>[] = []
  // One after the other: while one is compared, the answer of a statement could not be received in its time.
  for (const one of exports) all.push(await compare(one))
  return createSection({
    ...exportsHead,
    notes: all.flatMap(({ notes = [] }) => notes),
    tables: all.flatMap(({ tables = [] }) => tables),
    findings: all.flatMap(({ findings = [] }) => findings),
  })
}

const heads = { field: 'Field', column: 'Column of the export', lines: 'Lines that agree', as: 'Shown as' }

/** The most rows of a table that are compared with an export. */
const comparedMax = 20_000

const contents: Readonly<Partial<Record<ColumnKind, FieldContent>>> = {
  text: 'personal',
  integer: 'text',
  decimal: 'amount',
  float: 'amount',
  date: 'time',
  datetime: 'time',
  timestamp: 'time',
}

/** The rows of the table of a collection, the greatest ids first, with the test that hides each. No column of `neverRead` is read. */
export async function readRows(
  collection: BoundCollection,
  mapping: Mapping,
  columns: readonly Column[],
  run: RunQuery,
): Promise<Compared> {
  const { table, name } = collection
  const isOpen = ({ name: column, kind, length }: Column): boolean =>
    kind in contents &&
    length <= 255 &&
    !isNeverRead(mapping.neverRead, table.name, column) &&
    !matches('secret', toSnake(column))
  const seen = columns.filter(isOpen)
  const cases = listHidingTests(table).map(({ place, test, what }) => ({
    test,
    then: `${name}.${place}: ${what}`,
  }))
  const reading = withUnseen(table, seen)
  const hiding = cases.length === 0 ? [] : [{ ...projectCases({ cases, otherwise: '' }), as: 'hidden' }]
  const order = sql`order by ${quoteColumn(table.name, table.id.column)} desc limit ${String(comparedMax)}`
  const all = { ...reading, projection: [...reading.projection, ...hiding] }
  const rows = await run(toStatement(selectRows(all, sql`${from(table)} ${order}`)))
  return {
    name,
    table: table.name,
    contents: {
      record: collection.contents,
      cells: Object.fromEntries(seen.map((one) => [one.name, contents[one.kind] ?? 'text'])),
    },
    isWhole: rows.length < comparedMax,
    rows: rows.map((row) => {
      const all = seen.map((column) => [column.name, toCell(row[toSeenName(column)]) ?? ''] as const)
      const [cells, hidden = ''] = [Object.fromEntries(all), toCell(row['hidden'])]
      const shown = toShown(collection, row)
      if (shown !== undefined && isShown(shown)) {
        const { record, workspace } = shown
        return { record, workspace, hidden, cells }
      }
      const fault = shown?.message ?? 'its workspace is NULL'
      return { record: undefined, workspace: undefined, hidden: hidden || fault, cells }
    }),
  }
}
