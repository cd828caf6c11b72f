import type { Row, RowReader } from '../../src/database/statement.js'
import type { BoundCollection } from '../../src/collections/collection.js'

/* Rows as the driver gives them: times, decimals and large integers as text. */

type Projection = Pick<BoundCollection['table'], 'projection'>

/** Gives rows of a collection to a reader, and returns its result. */
export function readBy<Result>(reader: RowReader<Result>, table: Projection, rows: readonly Row[]): Result {
  for (const row of rows) reader.read(fill(table, row))
  return reader.end([])
}

function fill({ projection }: Projection, row: Row): Row {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    typeof cell === 'bigint' ? String(cell) : cell,
  ])
  return {
    ...Object.fromEntries(projection.map(({ as }) => [as, null])),
    ...Object.fromEntries(cells),
  } as Row
}
