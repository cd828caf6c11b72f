import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import { loadMapping, openDatabase } from '../../src/service/load-configuration.js'
import { parseConfig } from '../../src/config.js'
import { readSchema } from '../../src/database/schema.js'
import { listResources, resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { listMappedTables } from '../../src/mapping/mapped-columns.js'
import type { ResolvedTable } from '../../src/resources/resolved-table.js'
import type { ProductDatabase } from '../product/index.js'

/** The collections that are measured. */
export type CollectionName = 'registrations' | 'invoices'

/** The mapped tables as Vitrine itself finds them, from which its statements are made. */
export async function readSources(
  database: ProductDatabase,
): Promise<Readonly<Record<CollectionName, ResolvedTable>>> {
  const opened = await openDatabase(parseConfig({ DATABASE_URL: database.readUrl }))
  try {
    const mapping = await loadMapping(database.mappingFile)
    const bound = resolveMapping(mapping, await readSchema(opened.runQuery, listMappedTables(mapping)))
    const [registrations, invoices] = listResources(bound).map((collection) => collection.table)
    return { registrations: registrations!, invoices: invoices! }
  } finally {
    await opened.close()
  }
}

/** Asks as the administrator, with times as text. */
export async function ask<Row>(
  database: ProductDatabase,
  sql: string,
  values: readonly string[] = [],
): Promise<readonly Row[]> {
  const connection = await mysql.createConnection({ uri: database.adminUrl, dateStrings: true })
  try {
    const [rows] = await connection.query<RowDataPacket[]>(sql, [...values])
    return rows as Row[]
  } finally {
    await connection.end()
  }
}
