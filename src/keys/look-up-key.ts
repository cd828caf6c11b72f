import type { RunQuery } from '../database/statement.js'
import { bindTemplate } from '../database/template.js'
import type { Template } from '../database/template.js'
import { RowFault } from '../errors.js'
import { toKeyId, toStoredHash } from './hash-key.js'
import type { HashForm } from './hash-key.js'
import { toKeyRow } from './key-row.js'
import type { KeyReaders, KeyRow } from './key-row.js'
import { compileKeyLookup } from './key-sql.js'
import type { KeyColumns } from './key-sql.js'

interface KeyLookupInput {
  /** The key table as it is now, always the same object while it stays so. @throws Problem when it cannot be read */
  readonly requireTable: () => KeyTable
  readonly form: HashForm
  readonly runQuery: RunQuery
  /** Told of a key that is in the table but cannot be accepted, and why. */
  readonly onFault: (keyId: string, reason: string) => void
}

/** The columns of the key table, and how their cells are read. */
export interface KeyTable {
  readonly columns: KeyColumns
  readonly readers: KeyReaders
}

/**
 * Looks a key up by its digest; null where there is none that can be accepted.
 *
 * @throws Problem when the database does not answer.
 */
export function createKeyLookup(input: KeyLookupInput): (digest: string) => Promise<KeyRow | null> {
  const templates = new WeakMap<KeyColumns, Template>()
  return async (digest) => {
    const { columns, readers } = input.requireTable()
    const template = templates.get(columns) ?? compileKeyLookup(columns)
    templates.set(columns, template)
    const hash = toStoredHash(digest, input.form)
    const rows = await input.runQuery(
      bindTemplate(
        template,
        new Map([
          ['hash', hash],
          ['limit', '2'],
        ]),
      ),
      { table: columns.table },
    )
    const [row] = rows
    if (row === undefined) return null
    const keyId = toKeyId(hash)
    try {
      // A second row is asked for because then nobody can say whose key it is.
      if (rows.length > 1) throw new RowFault('the hash is in the table more than once')
      return toKeyRow(row, keyId, readers)
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      input.onFault(keyId, error.message)
      return null
    }
  }
}
