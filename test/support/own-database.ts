import { parseConfig } from '../../src/config.js'
import type { RunQuery } from '../../src/database/statement.js'
import { withDatabase as openFor } from '../../src/tools/commands/with-database.js'
import { runStatements, withAccount } from '../product/index.js'
import type { Throwaway } from '../product/index.js'

/** A database with tables of its own, which is removed after the tests of the file. @returns its administrator's address. */
export async function createOwnDatabase(
  { adminUrl, undo }: Throwaway,
  statements: readonly string[],
): Promise<string> {
  const name = `vitrine_own_${crypto.randomUUID().slice(0, 8)}`
  undo({ do: 'sql', url: adminUrl, statements: [`DROP DATABASE IF EXISTS ${name}`] })
  await runStatements(adminUrl, [`CREATE DATABASE ${name} CHARACTER SET utf8mb4`])
  const url = withAccount(adminUrl, { database: name })
  await runStatements(url, statements)
  return url
}

/** Reads from a database with the sessions of the service. */
export function withDatabase<Answer>(
  url: string,
  read: (runQuery: RunQuery) => Promise<Answer>,
): Promise<Answer> {
  return openFor(parseConfig({ DATABASE_URL: url }), ({ runCheckQuery }) => read(runCheckQuery))
}
