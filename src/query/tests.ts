import type { Column } from '../database/column.js'
import type { ResolvedTable, RowTest } from '../resources/resolved-table.js'
import { equals, join, quote, sql, Sql, toOperand } from '../database/sql.js'

/* The tests of the mapping file as conditions. A zero date counts as NULL, and NULL equals no value. */

/** The test that holds where another does not. */
export function negate(test: RowTest): RowTest {
  if (test.is === 'set') return { ...test, is: 'unset' }
  return test.is === 'unset' ? { ...test, is: 'set' } : { ...test, isNegated: test.isNegated !== true }
}

/** The tests that a record passes: those of `where`, and that none of `archived` holds. */
export function listVisibilityTests({ where, archived }: ResolvedTable): readonly RowTest[] {
  return [...where, ...archived.map(negate)]
}

/** Whether a test is one comparison for an index, or two for a column of times. */
export function isIndexable({ lookup, is, isNegated }: RowTest): boolean {
  if (lookup !== undefined || is === 'set') return false
  return is === 'unset' || (is.length === 1 && isNegated !== true)
}

/** A test of a column that is already named. */
export function testCell({ column, is, isNegated }: RowTest, quoted: Sql): Sql {
  const zero = findZero(column)
  if (is === 'set')
    return zero === undefined
      ? sql`${quoted} is not null`
      : sql`(${quoted} is not null and ${quoted} <> ${zero})`
  if (is === 'unset')
    return zero === undefined ? sql`${quoted} is null` : sql`(${quoted} is null or ${quoted} = ${zero})`
  const [first, ...others] = is.map((value) =>
    column.kind === 'text' ? equals(column, quoted, value) : sql`${quoted} = ${toOperand(column, value)}`,
  )
  const one = first ?? sql`1 = 0`
  const any =
    others.length === 0
      ? one
      : sql`(${join(
          [one, ...others].map((test) => sql`(${test})`),
          ' or ',
        )})`
  return isNegated === true ? sql`not ifnull((${any}), 0)` : any
}

/** The zero date of a column of times; undefined for other columns, and for one that is known to hold none. */
export function findZero({ kind, isZeroFree = false }: Column): Sql | undefined {
  if (isZeroFree) return undefined
  if (kind === 'date') return new Sql("'0000-00-00'")
  return kind === 'datetime' || kind === 'timestamp' ? new Sql("'0000-00-00 00:00:00'") : undefined
}

/**
 * The two tests that a column of times without a value is split into, so that an index serves each: NULL, and the zero
 * date. Both servers read a NOT NULL column with `is null` as one that has the zero date, so the first excludes it.
 */
export function splitUnset(column: Column): readonly Sql[] {
  const [quoted, zero] = [quote(column.name), findZero(column)]
  if (zero === undefined) return [sql`${quoted} is null`]
  return [sql`${quoted} is null and (${quoted} = ${zero}) is not true`, sql`${quoted} = ${zero}`]
}
