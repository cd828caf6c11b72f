import { findColumn } from '../description.js'
import type { DescribedColumn, DescribedTable, Description } from '../description.js'
import { hasColumn } from './columns.js'
import type { Content } from './content.js'
import type { TypedKey } from './parents.js'
import { toNoun } from './words.js'

/** The endings of the column with the type, beside a key that ends with `_id`. */
const typeEndings = ['type', 'module', 'model', 'class'] as const

/**
 * The typed keys of tables that mark one row among several, which no other is asked for: `bean_id` with the codes of
 * `bean_module`, `App\Models\Contact` in `owner_type`.
 */
export async function readTypedKeys(
  description: Description,
  content: Content,
): Promise<ReadonlyMap<DescribedTable, readonly TypedKey[]>> {
  const marked = [...description.values()].filter((table) => hasColumn(table, 'primary'))
  const read = marked.map(async (table) => {
    const lists = table.columns.map((column) => readOfColumn(table, column, content))
    return [table, (await Promise.all(lists)).flat()] as const
  })
  return new Map(await Promise.all(read))
}

async function readOfColumn(
  table: DescribedTable,
  column: DescribedColumn,
  content: Content,
): Promise<readonly TypedKey[]> {
  const [, stem] = /^(.+)_id$/.exec(column.name) ?? []
  const type = typeEndings
    .map((ending) => findColumn(table, `${stem ?? ''}_${ending}`))
    .find((one) => one?.kind === 'text')
  if (stem === undefined || type === undefined) return []
  const codes = await content.readTexts(table, type)
  return codes.map((code) => ({
    column,
    // The last part of the name of a class.
    noun: toNoun(code.split(/[\\.:]/).at(-1) ?? ''),
    where: { column: type.name, equals: code },
  }))
}
