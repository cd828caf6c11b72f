import { toQuotedName } from '../../database/sql.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { isMoment } from './columns.js'
import type { Reference } from './references.js'

/** The rows that are read of each end of a large table, for counts and for values. */
export const countedMax = 2000
export const valuesMax = 1000

/** Whether the server estimates more rows than are read. */
export function isLarge({ rows }: DescribedTable, max = countedMax): boolean {
  return rows > 2 * max
}

/**
 * Selects from a sample of a table: all rows of a small one, else the newest and the oldest ones by the primary key.
 *
 * @param inner the cells that a row has, such as `name as c0`
 * @param outer what is selected of them; the names of the cells without it
 */
export function renderSample(
  { name, primary, rows }: Pick<DescribedTable, 'name' | 'primary' | 'rows'>,
  max: number,
  inner: readonly string[],
  outer: readonly string[] = ['*'],
): string {
  const end = (order: string, limit: number): string => {
    const by = primary.map((column) => `${toQuotedName(column)}${order}`).join(', ')
    return `(select ${inner.join(', ')} from ${toQuotedName(name)}${by === '' ? '' : ` order by ${by}`} limit ${limit})`
  }
  const hasEnds = primary.length > 0 && rows > 2 * max
  const sample = hasEnds ? `(${end(' desc', max)} union all ${end('', max)})` : end(' desc', 2 * max)
  return `select ${outer.join(', ')} from ${sample} as sample`
}

/** A cell that costs little: of long texts the beginning, of what cannot be compared whether it is there. */
export function renderCell({ name, kind, length }: DescribedColumn): string {
  const quoted = toQuotedName(name)
  if (kind === 'bit') return `${quoted} + 0`
  if (kind === 'text') return length <= 255 ? quoted : `cast(left(${quoted}, 200) as char(200))`
  return kind === 'json' || kind === 'unreadable' || length > 64 ? `if(${quoted} is null, null, 1)` : quoted
}

/** Counts of each column: filled, distinct, empty, e-mail addresses, JSON, range, and times beside the creation. */
export function renderCounts(
  table: DescribedTable,
  ranged: ReadonlySet<DescribedColumn>,
  created: DescribedColumn | undefined,
): string {
  const outer = table.columns.flatMap((column, i): readonly string[] => {
    const isTime = isMoment(column) || column.kind === 'date'
    const value = isTime ? `if(year(c${i}) = 0, null, c${i})` : `c${i}`
    const at = created === undefined || created === column ? -1 : table.columns.indexOf(created)
    return [
      `count(c${i}) as n${i}, count(distinct c${i}) as d${i}`,
      ...(isTime ? [`sum(year(c${i}) = 0) as z${i}`] : []),
      ...(column.kind === 'text'
        ? [
            `sum(c${i} = '') as z${i}, sum(c${i} like '%_@_%._%') as e${i}, sum(left(c${i}, 1) in ('{', '[')) as j${i}`,
          ]
        : []),
      ...(ranged.has(column)
        ? [`cast(min(${value}) as char) as lo${i}, cast(max(${value}) as char) as hi${i}`]
        : []),
      ...(isMoment(column) && at >= 0 ? [`sum(c${i} > c${at}) as g${i}, sum(c${i} < c${at}) as l${i}`] : []),
    ]
  })
  const inner = table.columns.map((column, i) => `${renderCell(column)} as c${i}`)
  return renderSample(table, countedMax, inner, ['count(*) as n', ...outer])
}

/** The share of the newest values of each reference that its parent has, as `found/all`. */
export function renderShares(table: DescribedTable, references: readonly Reference[]): string {
  const shares = references.map(({ column, parent, key }, i) => {
    const newest = renderSample({ ...table, rows: 0 }, 125, [`${toQuotedName(column.name)} as v`])
    const found = `exists (select 1 from ${toQuotedName(parent.name)} as parent where parent.${toQuotedName(key)} = one.v)`
    return `(select concat(coalesce(sum(${found}), 0), '/', count(*)) from (${newest}) as one where one.v is not null) as r${i}`
  })
  return `select ${shares.join(', ')}`
}

/** The names in the JSON objects of a few new rows. */
export function renderJsonKeys(table: DescribedTable, columns: readonly DescribedColumn[]): string {
  const cells = columns.map(({ name }, i) => {
    const quoted = toQuotedName(name)
    return `cast(if(json_valid(${quoted}), json_keys(${quoted}), null) as char) as k${i}`
  })
  return renderSample({ ...table, rows: 0 }, 50, cells)
}
