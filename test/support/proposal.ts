import { parseConfig } from '../../src/config.js'
import { openDatabase } from '../../src/mapping/load-configuration.js'
import { takeBestAnswers } from '../../src/tools/init/answers.js'
import { proposeMapping } from '../../src/tools/init/propose.js'
import type { Proposal } from '../../src/tools/init/propose.js'
import { runStatements, withAccount } from '../product/index.js'
import type { Throwaway } from '../product/index.js'

/** A database with tables of its own, which is removed after the tests of the file. @returns its administrator's address. */
export async function createOwnDatabase(
  { adminUrl, undo }: Throwaway,
  statements: readonly string[],
): Promise<string> {
  const name = `vitrine_init_${crypto.randomUUID().slice(0, 8)}`
  undo({ do: 'sql', url: adminUrl, statements: [`DROP DATABASE IF EXISTS ${name}`] })
  await runStatements(adminUrl, [`CREATE DATABASE ${name} CHARACTER SET utf8mb4`])
  const url = withAccount(adminUrl, { database: name })
  await runStatements(url, statements)
  return url
}

/** What `init` proposes for a database, with the best candidate at each place. */
export async function proposeAt(url: string): Promise<Proposal> {
  const database = await openDatabase(parseConfig({ DATABASE_URL: url }))
  try {
    return await proposeMapping(database.runQuery, takeBestAnswers)
  } finally {
    await database.close()
  }
}
