import type { Row } from '../../src/database/statement.js'
import type { BoundCollection } from '../../src/collections/collection.js'

/* Rows as the driver gives them: times, decimals and large integers as text. */

/** Fills the cells of a row that are not given with NULL. */
export function fillRow({ projection }: Pick<BoundCollection['table'], 'projection'>, row: Row): Row {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    typeof cell === 'bigint' ? String(cell) : cell,
  ])
  return {
    ...Object.fromEntries(projection.map(({ as }) => [as, null])),
    ...Object.fromEntries(cells),
  } as Row
}
