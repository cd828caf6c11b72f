import type { Knex } from 'knex'
import type { Column } from '../database/column.js'
import { constant, equalsExactly, join, placeholder, quoteName, raw } from '../database/fragments-sql.js'
import type { RowTest } from '../resources/resolved-table.js'

/* The tests of the mapping file as conditions on one column, wherever it is read from. */

/** The test that holds where another does not. */
export function negate(test: RowTest): RowTest {
  if (test.is === 'set') return { ...test, is: 'unset' }
  if (test.is === 'unset') return { ...test, is: 'set' }
  return { ...test, isNegated: test.isNegated !== true }
}

/** A test of a column that is already named. */
export function renderCellTest({ column, is, isNegated }: RowTest, quoted: Knex.Raw): Knex.Raw {
  if (is === 'set') return renderSet(column, quoted)
  if (is === 'unset') return renderUnset(column, quoted)
  const tests = is.map((value) => renderEqual(column, quoted, value))
  const any = tests.length === 1 ? join(tests, '') : raw('(?)', join(tests.map(parenthesize), ' or '))
  return isNegated === true ? raw('not ifnull((?), 0)', any) : any
}

function parenthesize(test: Knex.Raw): Knex.Raw {
  return raw('(?)', test)
}

function renderEqual(column: Column, quoted: Knex.Raw, value: string): Knex.Raw {
  return column.kind === 'text'
    ? equalsExactly(column, quoted, constant(value))
    : raw('? = ?', quoted, placeholder(column, constant(value)))
}

function renderSet(column: Column, quoted: Knex.Raw): Knex.Raw {
  const zero = renderZero(column)
  return zero === undefined
    ? raw('? is not null', quoted)
    : raw('(? is not null and ? <> ?)', quoted, quoted, zero)
}

function renderUnset(column: Column, quoted: Knex.Raw): Knex.Raw {
  const zero = renderZero(column)
  return zero === undefined ? raw('? is null', quoted) : raw('(? is null or ? = ?)', quoted, quoted, zero)
}

/** The zero date of a column of times, which counts as NULL; undefined for other columns. */
function renderZero({ kind }: Column): Knex.Raw | undefined {
  if (kind === 'date') return raw("'0000-00-00'")
  return kind === 'datetime' || kind === 'timestamp' ? raw("'0000-00-00 00:00:00'") : undefined
}

/**
 * The two tests that a column of times without a value is split into, so that an index serves each: NULL, and the zero
 * date. Both servers read a NOT NULL column with `is null` as one that has the zero date, so the first excludes it.
 */
export function splitUnset(column: Column): readonly Knex.Raw[] {
  const [quoted, zero] = [quoteName(column.name), renderZero(column)]
  if (zero === undefined) return [raw('? is null', quoted)]
  return [raw('? is null and (? = ?) is not true', quoted, quoted, zero), raw('? = ?', quoted, zero)]
}
