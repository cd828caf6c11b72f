import type { Column } from '../../database/column.js'
import { equals, join, quote, sql, toStatement } from '../../database/sql.js'
import type { Statement } from '../../database/statement.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createWarning } from '../report/report.js'
import { listRecordColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, RowTest } from '../../collections/resolved-table.js'
import type { Question } from './questions.js'

/** A column whose rows have a key beside their value, such as `meta_value` with `meta_key`. */
interface KeyedValues {
  readonly table: string
  readonly value: string
  readonly key: RowTest
  /** The columns of the primary key. */
  readonly order: readonly Column[]
  /** The keys that the mapping reads. */
  readonly words: readonly string[]
}

/** The other keys of each column of a key-value table, whose values the database user can read too. */
export function askKeyValues(collections: readonly BoundCollection[]): readonly Question[] {
  const found = new Map<string, KeyedValues>()
  const columns = collections.flatMap(({ table }) => listRecordColumns(table))
  for (const values of columns.flatMap(toKeyedValues)) {
    const name = JSON.stringify([values.table, values.value, values.key.column.name])
    const known = found.get(name)?.words ?? []
    found.set(name, { ...values, words: [...new Set([...known, ...values.words])] })
  }
  return [...found.values()].map(toQuestion)
}

/** The columns that a lookup reads of the rows with some words. */
function toKeyedValues({ column, lookup }: FoundColumn): readonly KeyedValues[] {
  // Without a value, only the row itself is tested.
  if (lookup?.choice === undefined || column.name === lookup.key.name) return []
  if (column.kind !== 'text' && column.kind !== 'json') return []
  const { table } = lookup
  const { order } = lookup.choice
  return lookup.choice.tests.flatMap((key) =>
    typeof key.is === 'string' || key.isNegated === true || key.column.kind !== 'text'
      ? []
      : [{ table, value: column.name, key, order, words: key.is }],
  )
}

/** Keys that are named. */
const shownMax = 10

function toQuestion(values: KeyedValues): Question {
  const object = `${values.table}.${values.value}`
  return {
    object,
    unknown: 'its other keys could not be read',
    statement: renderOtherKeys(values),
    evaluate: (rows) => {
      if (rows.length === 0) return []
      const shown = rows.slice(0, shownMax).map((row) => String(row['value']).slice(0, 64))
      const more = rows.length > shownMax ? ', and others' : ''
      const problem = `has the values of other keys too, all of which the database user can read: ${shown.join(', ')}${more}`
      const fix =
        'if one of them is a secret, map a view of the keys that are shown: docs/product-team.md, "Key-value tables"'
      return [createWarning(object, problem, fix)]
    },
  }
}

/** Rows of a key-value table that are looked at, those with the greatest primary keys. */
const keyRowsMax = 100_000

/** The keys of a key-value table that the mapping does not read, the most frequent first. */
function renderOtherKeys({ table, key: { column }, order, words }: KeyedValues): Statement {
  const name = quote(column.name)
  const newest = order.map((one) => sql`${quote(one.name)} desc`)
  const rows = sql`(select ${name} from ${quote(table)} order by ${join(newest, ', ')} limit ${String(keyRowsMax)}) as \`newest\``
  const listed = words.map((word) => equals(column, name, word))
  return toStatement(
    sql`select ${name} as \`value\` from ${rows} where not (${join(listed, ' or ')}) group by ${name} order by count(*) desc limit ${String(shownMax + 1)}`,
  )
}
