import { isPrimaryKey, isSameName } from '../description.js'
import type { DescribedTable, Description } from '../description.js'
import { toSnake } from '../sensitive-names.js'

/** Where a column leads: by a foreign key, or by its name. */
interface Reference {
  readonly column: string
  readonly target: string
  readonly isDeclared: boolean
}

/** Where the columns of a table lead. */
export function listReferences(table: DescribedTable, description: Description): readonly Reference[] {
  return table.columns.flatMap(({ name: column }): readonly Reference[] => {
    const declared = table.foreignKeys.find((key) => isSameName(key.column, column))
    if (declared !== undefined) return [{ column, target: declared.target, isDeclared: true }]
    const target = isPrimaryKey(table, column) ? undefined : findByName(table.name, column, description)
    return target === undefined ? [] : [{ column, target, isDeclared: false }]
  })
}

/** The table whose rows a column is named after, such as `event_id` and `events`, or whose key has the same name. */
function findByName(own: string, column: string, description: Description): string | undefined {
  const stem = /^(.{2,}?)_?id$/.exec(toSnake(column))?.[1]
  if (stem === undefined || stem === 'uu') return undefined
  const nouns = [stem, `${stem}s`, `${stem}es`, stem.replace(/y$/, 'ies')]
  const named = [...description.values()].filter(
    (table) =>
      table.name !== own &&
      table.primary.length === 1 &&
      (isPrimaryKey(table, column) || nouns.some((noun) => `_${toSnake(table.name)}`.endsWith(`_${noun}`))),
  )
  return named.sort((a, b) => a.name.length - b.name.length)[0]?.name
}

/** Fewer tables lead to most tables that are no tenant. */
const referencesMin = 3

/** Tables that could be the tenant, one or two steps away; those to which most tables lead first. */
export function listTenants(table: string, description: Description): ReadonlyMap<string, string> {
  const all = new Map([...description].map(([name, one]) => [name, listReferences(one, description)]))
  const count = (target: string): number =>
    [...all.values()].filter((references) => references.some((one) => one.target === target)).length
  const near = (all.get(table) ?? []).map(({ column, target }) => [target, column] as const)
  const far = near.flatMap(([name, by]) =>
    (all.get(name) ?? []).map(({ column, target }) => [target, `${by} → ${name}.${column}`] as const),
  )
  const found = new Map([...far, ...near].filter(([name]) => name !== table && count(name) >= referencesMin))
  return new Map([...found].sort(([a], [b]) => count(b) - count(a)))
}
