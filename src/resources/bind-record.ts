import type { Cells } from '../database/cells.js'
import { RowFault } from '../errors.js'
import type { JsonBytes } from '../values/json-bytes.js'
import type { BoundField, ResolvedField, RowLayout } from './field.js'

/** A record of a collection, bound to the cells that its statements select. */
export interface BoundRecord {
  /** Writes the record of the current row as JSON. @throws RowFault when the row cannot be shown truthfully. */
  readonly write: (cells: Cells, out: JsonBytes) => void
  /** The position of a cell, by the name under which it is selected. */
  readonly at: (as: string) => number
}

/** @param fields by their public names, in the order of the contract: exactly these are written. */
export function bindRecord(fields: Readonly<Record<string, ResolvedField>>): BoundRecord {
  const names = Object.values(fields).flatMap(({ projection }) => projection.map(({ as }) => as))
  const layout: RowLayout = {
    at: (as) => {
      const position = names.indexOf(as)
      if (position === -1) throw new Error(`No cell is selected as ${as}`)
      return position
    },
    read: (field) => {
      const { read } = bind(field)
      if (read === undefined) throw new Error(`The value of ${field} cannot be read`)
      return (cells) => {
        try {
          return read(cells)
        } catch (error) {
          throw nameFault(error, field)
        }
      }
    },
  }
  const bind = (field: string): BoundField => {
    const resolved = fields[field]
    if (resolved === undefined) throw new Error(`There is no field ${field}`)
    return resolved.bind(layout)
  }
  const parts = Object.keys(fields).map((field, at) => ({
    field,
    name: `${at === 0 ? '{' : ','}"${field}":`,
    write: bind(field).write,
  }))
  return {
    at: layout.at,
    write: (cells, out) => {
      let current = ''
      try {
        for (const { field, name, write } of parts) {
          current = field
          out.ascii(name)
          write(cells, out)
        }
      } catch (error) {
        throw nameFault(error, current)
      }
      out.ascii('}')
    },
  }
}

/** The fault of a field begins with the field's name, for the log. */
function nameFault(error: unknown, field: string): unknown {
  return error instanceof RowFault ? error.of(field) : error
}
