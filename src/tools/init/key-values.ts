import { isPrimaryKey } from '../description.js'
import type { DescribedTable, Description } from '../description.js'
import { findColumns } from './columns.js'
import type { KeyAndValue } from './content-sql.js'
import type { Content } from './content.js'
import type { KeyValueTable } from './graph.js'
import { patterns } from './names.js'
import { toSnake } from './words.js'

/** A table of keys and values has few other columns. */
const columnsMax = 8

/** The columns of a table of keys and values; undefined for any other table. */
function findKeyAndValue(
  table: DescribedTable,
  key = findColumns(table, 'keyValueKey')[0]?.column,
): KeyAndValue | undefined {
  if (table.isView || table.columns.length > columnsMax) return undefined
  const value = findColumns(table, 'keyValue').find(({ column }) => column !== key)
  return key === undefined || value === undefined ? undefined : { key, value: value.column }
}

/** The columns of a table of settings, whose key can also be its primary key of any name; undefined for any other table. */
export function findSettings(table: DescribedTable): KeyAndValue | undefined {
  if (!patterns.settingsTable.test(toSnake(table.name))) return undefined
  const primary = table.columns.find(({ name, kind }) => kind === 'text' && isPrimaryKey(table, name))
  return findKeyAndValue(table) ?? findKeyAndValue(table, primary)
}

/** The tables of keys and values, each with the keys that its rows have as columns. */
export async function readKeyValues(
  description: Description,
  content: Content,
): Promise<ReadonlyMap<DescribedTable, KeyValueTable>> {
  const read = [...description.values()].map(async (table) => {
    const { key, value } = findKeyAndValue(table) ?? {}
    if (key === undefined || value === undefined) return []
    const keys = await content.readTexts(table, key)
    const columns = keys.map((name) => ({ ...value, name }))
    const found = { ...table, columns, keyColumn: key.name, valueColumn: value.name }
    return [[table, found] as const]
  })
  return new Map((await Promise.all(read)).flat())
}
