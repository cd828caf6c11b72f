import { toColumn } from '../../src/database/column.js'
import type { Column, Table } from '../../src/database/column.js'
import type { Schema } from '../../src/database/schema.js'

const definitionForm = /^(\w+)(?:\((\d+)?[^)]*\))?( unsigned)?(?: zerofill)?(?: (([a-z0-9]+)_\w+))?( null)?$/

/** A column as the server describes it, from a definition such as `char(26) ascii_bin null`. */
export function buildColumn(name: string, definition: string): Column {
  const match = definitionForm.exec(definition)
  if (match === null) throw new Error(`Not a column definition: ${definition}`)
  const dataType = match[1] ?? ''
  const size = Number(match[2] ?? 0)
  return toColumn({
    name,
    dataType,
    columnType: definition.replace(/ null$/, '').replace(/ [a-z0-9]+_\w+$/, ''),
    nullable: match[6] !== undefined,
    length: /char|binary/.test(dataType) ? size : 0,
    fractionDigits: /datetime|timestamp/.test(dataType) ? size : 0,
    characterSet: match[5] ?? null,
    collation: match[4] ?? null,
  })
}

/** Names say which indexes are unique. */
function isUnique(index: string): boolean {
  return index === 'PRIMARY' || index.startsWith('uq_')
}

/** A table of such columns, and its indexes by name; those named `PRIMARY` or `uq_…` are unique. A view without any. */
export function buildTable(
  name: string,
  columns: Readonly<Record<string, string>>,
  indexes?: Readonly<Record<string, readonly string[]>>,
): Table {
  return {
    name,
    columns: new Map(
      Object.entries(columns).map(([column, definition]) => [
        column.toLowerCase(),
        buildColumn(column, definition),
      ]),
    ),
    isView: indexes === undefined,
    indexes: Object.entries(indexes ?? {}).map(([index, parts]) => ({
      name: index,
      ...(isUnique(index) && parts.length === 1 ? { uniqueOn: parts[0]?.toLowerCase() } : {}),
      columns: parts,
    })),
  }
}

/** The tables as `readSchema` gives them. */
export function buildSchema(...tables: readonly Table[]): Schema {
  return new Map(tables.map((table) => [table.name, table]))
}
