import { readDatabaseUrl } from '../../config.js'
import type { Column } from '../../database/column.js'
import { readSchema } from '../../database/schema.js'
import { renderKeyTable } from '../key-table-sql.js'
import { listMappedColumns } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { loadConfiguration, loadConfiguredMapping, openDatabase } from '../../mapping/load-configuration.js'
import type { Variables } from './run-command.js'

/**
 * The statement of `vitrine key --table`, with the type of workspace ids that the live schema has.
 *
 * @throws ConfigError, or Problem when the database does not answer.
 */
export async function printKeyTable(variables: Variables): Promise<string> {
  if (readDatabaseUrl(variables).issue.found === 'nothing')
    return renderKeyTable((await loadConfiguredMapping(variables)).apiKeys, undefined)
  const { config, mapping } = await loadConfiguration(variables)
  const database = await openDatabase(config)
  try {
    const workspaces = listWorkspaceColumns(mapping)
    const tables = workspaces.map(({ table }) => table)
    const schema = await readSchema(database.runCheckQuery, tables)
    const found = workspaces.map(({ table, column }): Column | undefined =>
      schema.get(table)?.columns.get(column.toLowerCase()),
    )
    return renderKeyTable(
      mapping.apiKeys,
      found.find((column) => column !== undefined),
    )
  } finally {
    await database.close()
  }
}

/** The columns of the collections that hold the id of a workspace. */
function listWorkspaceColumns(mapping: Mapping): readonly { table: string; column: string }[] {
  return listMappedColumns(mapping).filter(({ path }) => /^(?!apiKeys\.).*\.workspace$/.test(path))
}
