import type { Description, DescribedTable } from '../../database/description.js'
import { findColumns } from './columns.js'
import type { Content } from './content.js'
import type { KeyValueTable } from './graph.js'

/** A table of keys and values has few other columns. */
const columnsMax = 8

/** The tables of keys and values, each with the keys that its rows have as columns. */
export async function readKeyValues(
  description: Description,
  content: Content,
): Promise<ReadonlyMap<DescribedTable, KeyValueTable>> {
  const read = [...description.values()].map(async (table) => {
    const [key] = findColumns(table, 'keyValueKey')
    const value = findColumns(table, 'keyValue').find(({ column }) => column !== key?.column)
    if (table.isView || key === undefined || value === undefined || table.columns.length > columnsMax)
      return []
    const keys = await content.readTexts(table, key.column)
    const columns = keys.map((name) => ({ ...value.column, name }))
    const found = { ...table, columns, keyColumn: key.column.name, valueColumn: value.column.name }
    return [[table, found] as const]
  })
  return new Map((await Promise.all(read)).flat())
}
