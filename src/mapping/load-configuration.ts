import { readFile } from 'node:fs/promises'
import { describeUnreadable, parseConfig } from '../config.js'
import type { Config } from '../config.js'
import { defaultMappingFile } from '../environment.js'
import { createDatabase } from '../database/database.js'
import type { Database } from '../database/database.js'
import type { OnStatement } from '../database/statement.js'
import { ConfigError } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import type { Mapping } from './mapping-schema.js'
import { readMapping } from './read-mapping.js'

/** Reads a mapping file. @throws ConfigError */
export async function loadMapping(file: string): Promise<Mapping> {
  return readMapping(await readMappingText(file))
}

/** Reads the mapping file of an environment, or the default one. @throws ConfigError */
export async function loadConfiguredMapping(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Mapping> {
  return loadMapping(variables['MAPPING_FILE'] || defaultMappingFile)
}

async function readMappingText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const found = describeUnreadable(file, error)
    throw new ConfigError([{ path: 'MAPPING_FILE', found, allowed: 'the name of a readable YAML file' }])
  }
}

/**
 * Reads the environment and its mapping file.
 *
 * @param read what is made of the text of the mapping file.
 * @throws ConfigError with all issues at once.
 */
export async function loadConfiguration<Read = Mapping>(
  variables: Readonly<Record<string, string | undefined>>,
  read = readMapping as (text: string) => Read,
): Promise<{ config: Config; mapping: Read }> {
  const [environment, mapping] = await Promise.all([
    collectIssues(() => parseConfig(variables)),
    collectIssues(async () => read(await readMappingText(variables['MAPPING_FILE'] || defaultMappingFile))),
  ])
  const issues = [environment, mapping].flatMap((one) => ('issues' in one ? one.issues : []))
  if (!('value' in environment) || !('value' in mapping) || issues.length > 0) throw new ConfigError(issues)
  return { config: environment.value, mapping: mapping.value }
}

async function collectIssues<Value>(
  load: () => Value | Promise<Value>,
): Promise<{ value: Value } | { issues: readonly ConfigIssue[] }> {
  try {
    return { value: await load() }
  } catch (error) {
    if (error instanceof ConfigError) return { issues: error.issues }
    throw error
  }
}

/** The database of the configuration; nothing connects yet. */
export function openDatabase({ database }: Config, onStatement?: OnStatement): Promise<Database> {
  return Promise.resolve(createDatabase({ ...database, onStatement }))
}
