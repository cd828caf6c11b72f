import type { Config } from '../../config.js'
import type { Database } from '../../database/database.js'
import { openDatabase } from '../../mapping/load-configuration.js'

/** What a task finds out with the database of the configuration, which is closed behind it. @throws ConfigError */
export async function withDatabase<Result>(
  config: Config,
  task: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(config)
  try {
    return await task(database)
  } finally {
    await database.close()
  }
}
