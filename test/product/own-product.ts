import { loadMapping, requireMappingFits } from './built.js'
import type { Janitor } from './janitor.js'
import { insertRows, runScripts, withConnection } from './load.js'
import type { SqlSource, TableRows } from './text-source.js'
import type { MappingSource } from './written-mapping.js'
import { toMappingFile } from './written-mapping.js'

/** A product of the caller's own. */
export interface ProductDefinition {
  /**
   * The statements that make the tables, views and triggers: a script or several, such as the output of `mysqldump`.
   * `USE` and statements on databases are left out, and so is `DEFINER`; everything is made in one new database.
   */
  readonly schema: SqlSource
  /** The rows: a script or several, or `{ table: [{ column: value }] }` in an order that foreign keys allow. */
  readonly rows?: SqlSource | TableRows | undefined
  /** The mapping file, its text as `{ text }`, or an object. */
  readonly mapping: MappingSource
}

/** Makes the tables and rows in an empty database. Returns the mapping file. @throws Error that names the statement or every issue */
export async function loadDefinition(
  adminUrl: string,
  { schema, rows, mapping: source }: ProductDefinition,
  janitor: Pick<Janitor, 'add'>,
): Promise<string> {
  const mappingFile = await toMappingFile(source, janitor)
  const mapping = await loadMapping(mappingFile)
  await withConnection(adminUrl, async (connection) => {
    await runScripts(connection, schema, 'schema')
    if (rows === undefined) return
    if (isTableRows(rows)) await insertRows(connection, rows)
    else await runScripts(connection, rows, 'rows')
  })
  await requireMappingFits(mapping, mappingFile, adminUrl)
  return mappingFile
}

function isTableRows(rows: SqlSource | TableRows): rows is TableRows {
  if (typeof rows === 'string' || rows instanceof URL || Array.isArray(rows)) return false
  return !('text' in rows && typeof rows.text === 'string')
}
