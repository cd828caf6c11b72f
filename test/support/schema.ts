import type { Column, Table } from '../../src/database/column.js'
import { toColumn } from '../../src/database/schema.js'
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
    nullable: match[6] === undefined ? 'NO' : 'YES',
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

/** What MySQL takes for a character set without a collation. */
const collations: Readonly<Record<string, string>> = {
  ascii: 'ascii_general_ci',
  latin1: 'latin1_swedish_ci',
  utf8mb4: 'utf8mb4_0900_ai_ci',
}
const columnForm =
  /^(`(?:[^`]|``)+`|\w+) (\w+(?:\([^)]*\))?(?: UNSIGNED)?)(?: CHARACTER SET (\w+))?(?: COLLATE (\w+))? (NOT )?NULL(.*PRIMARY KEY)?/
const keyForm = /^(UNIQUE |PRIMARY )?KEY (?:(\w+) )?\((.*)\)$/
const unquote = (name: string): string => name.replace(/^`(.*)`$/, '$1').replaceAll('``', '`')

/** The tables of a file of CREATE TABLE statements, as the server describes them. */
export function parseSchema(sql: string): Schema {
  const tables = [...sql.matchAll(/^CREATE TABLE (\S+) \(\n([^]*?)\n\)(.*);$/gm)]
  const all = tables.map(([, name = '', body = '', options = '']) => {
    const lines = body.split(',\n').map((line) => line.trim())
    const usual = /COLLATE (\w+)/.exec(options)?.[1] ?? 'utf8mb4_0900_ai_ci'
    const columns = lines.flatMap((line) => {
      const found = columnForm.exec(line)
      return found === null ? [] : [found]
    })
    const primary = columns.filter((column) => column[6] !== undefined).map(([, own = '']) => unquote(own))
    const keys = lines.flatMap((line, at) => {
      const [, kind = '', own = `${at}`, parts = ''] = keyForm.exec(line) ?? []
      if (parts === '') return []
      const indexed = parts.split(', ').map(unquote)
      if (kind === 'PRIMARY ') return [['PRIMARY', indexed]]
      const rest = primary.filter((column) => !indexed.includes(column))
      return [[kind === 'UNIQUE ' ? `uq_${own}` : own, [...indexed, ...rest]]]
    })
    return buildTable(
      unquote(name),
      Object.fromEntries(
        columns.map(([, own = '', type = '', charset, collation, not]) => {
          const isText = /char|text|enum/i.test(type)
          const order = collation ?? (charset === undefined ? usual : collations[charset])
          return [
            unquote(own),
            `${type.toLowerCase()}${isText ? ` ${order}` : ''}${not === undefined ? ' null' : ''}`,
          ]
        }),
      ),
      Object.fromEntries([...(primary.length === 0 ? [] : [['PRIMARY', primary]]), ...keys]) as Record<
        string,
        string[]
      >,
    )
  })
  return new Map(all.map((table) => [table.name, table]))
}
