import { toQuotedName } from '../../database/sql.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import type { Reference } from './references.js'

/** The rows that are read of each end of a table. */
const endRows = 500

/** The most rows that are read of a table. */
export const sampleMax = 2 * endRows

/** Selects from all rows of a small table, else from the newest and the oldest ones by the primary key. */
function renderEnds(
  { name, primary, rows }: DescribedTable,
  limit: number,
  cells: readonly string[],
): string {
  const end = (order: string, most: number): string => {
    const by = primary.map((column) => `${toQuotedName(column)}${order}`).join(', ')
    return `(select ${cells.join(', ')} from ${toQuotedName(name)}${by === '' ? '' : ` order by ${by}`} limit ${most})`
  }
  const hasEnds = primary.length > 0 && rows > 2 * limit
  return hasEnds ? `${end(' desc', limit)} union all ${end('', limit)}` : end(' desc', 2 * limit)
}

/** Selects the columns of a sample, as `c0`, `c1`: of long texts the beginning, of what cannot be shown whether it is there. */
export function renderSample(table: DescribedTable): string {
  return renderEnds(
    table,
    endRows,
    table.columns.map((column, i) => `${renderCell(column)} as c${i}`),
  )
}

function renderCell(column: DescribedColumn): string {
  const { name, kind, length } = column
  const quoted = toQuotedName(name)
  if (kind === 'bit') return `${quoted} + 0`
  // Where bytes of a UUID hold its version: at the usual place, or in front, as MySQL swaps them.
  if (kind === 'binary' && length === 16)
    return `concat(${[1, 13, 17].map((at) => `substr(hex(${quoted}), ${at}, 1)`).join(', ')})`
  if (kind === 'text') return length <= 255 ? quoted : `cast(left(${quoted}, 200) as char(200))`
  if (kind === 'date' || kind === 'datetime' || kind === 'timestamp') return `cast(${quoted} as char)`
  return isHidden(column) ? `if(${quoted} is null, null, 1)` : quoted
}

/** Whether the sample says of a column only whether it is there. */
export function isHidden({ kind, length }: DescribedColumn): boolean {
  return kind === 'json' || kind === 'unreadable' || (kind === 'binary' && length !== 16)
}

/** The share of the newest values of each reference that its parent has, as `found/all`. */
export function renderShares(table: DescribedTable, references: readonly Reference[]): string {
  const shares = references.map(({ column, parent, key }, i) => {
    const newest = renderEnds({ ...table, rows: 0 }, 125, [`${toQuotedName(column.name)} as v`])
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
  return renderEnds({ ...table, rows: 0 }, 50, cells)
}
