import type { RunQuery } from '../database/statement.js'
import { renderCodes } from './description-sql.js'
import type { DescribedColumn, DescribedTable } from './description.js'

/** How a column of a key table lists scopes. */
export interface FoundScopes {
  /** Undefined where no row shows it. */
  readonly format: 'space' | 'comma' | 'json' | undefined
  /** Whether the table has keys with a scope of Vitrine; undefined where it has no keys. */
  readonly hasOwn: boolean | undefined
}

/** Finds how a column lists scopes. */
export type ReadScopes = (table: DescribedTable, column: DescribedColumn) => Promise<FoundScopes>

/** Reads the scopes of at most 1,000 keys; a column that the user may not read shows nothing. */
export function createReadScopes(runQuery: RunQuery): ReadScopes {
  return async (table, column) => {
    try {
      const rows = await runQuery(renderCodes(table.name, column.name))
      return findScopes(rows.flatMap(({ code }) => (Buffer.isBuffer(code) ? [code.toString()] : [])))
    } catch {
      return { format: undefined, hasOwn: undefined }
    }
  }
}

/** What the texts of a column of scopes show. */
export function findScopes(texts: readonly string[]): FoundScopes {
  const lists = texts.map((text) => text.trim()).filter((text) => text !== '')
  const own = lists.filter((text) => /\b(?:registration|invoices)\.read\b/.test(text))
  const shown = own.length > 0 ? own : lists
  return { format: findFormat(shown), hasOwn: lists.length === 0 ? undefined : own.length > 0 }
}

function findFormat(lists: readonly string[]): FoundScopes['format'] {
  if (lists.length > 0 && lists.every((text) => text.startsWith('['))) return 'json'
  if (lists.some((text) => text.includes(','))) return 'comma'
  return lists.some((text) => /\s/.test(text)) ? 'space' : undefined
}
