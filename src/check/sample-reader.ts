import type { Row, Statement } from '../database/statement.js'
import type { ResolvedResource } from '../resources/resource.js'
import { RowFault } from '../errors.js'
import { JsonBytes } from '../values/json-bytes.js'

/** The name of the cell that holds the record of a row, or its fault. */
const recordName = 'record'

/** A statement of rows of a collection, whose rows have the record too, as requests answer it. */
export function withRecords({ record }: ResolvedResource, statement: Statement): Statement {
  return {
    ...statement,
    createReader: () => {
      const rows: Row[] = []
      return {
        read: (cells) => {
          const out = new JsonBytes(1024)
          const write = (): unknown => {
            record.write(cells, out)
            return JSON.parse(out.toBuffer().toString())
          }
          rows.push({ ...cells.toRow(), [recordName]: orFault(write) })
        },
        end: () => rows,
      }
    },
  }
}

function orFault(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof RowFault) return error
    throw error
  }
}

/** Why the record of a row cannot be shown; undefined where it can. */
export function findFault(row: Row): RowFault | undefined {
  const record = row[recordName]
  return record instanceof RowFault ? record : undefined
}

/** A field of the record of a row, as text; undefined where the record cannot be shown. */
export function readField(row: Row, field: string): string | undefined {
  if (findFault(row) !== undefined) return undefined
  return String((row[recordName] as Readonly<Record<string, unknown>>)[field])
}
