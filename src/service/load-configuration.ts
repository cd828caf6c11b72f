import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { defaultMappingFile, parseConfig } from '../config.js'
import type { Config } from '../config.js'
import { createDatabase } from '../database/database.js'
import type { Database } from '../database/database.js'
import type { OnStatement } from '../database/statement.js'
import { ConfigError } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { readMapping } from '../mapping/read-mapping.js'
import { readFileSync } from 'node:fs'

/** Reads a mapping file. @throws ConfigError */
export async function loadMapping(file: string): Promise<Mapping> {
  return readMapping(await readTextFile(file, 'MAPPING_FILE', 'the name of a readable YAML file'))
}

/** Reads the mapping file of an environment, or the default one. @throws ConfigError */
export async function loadConfiguredMapping(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Mapping> {
  const file = variables['MAPPING_FILE']
  return loadMapping(file === undefined || file === '' ? defaultMappingFile : file)
}

/**
 * Reads the environment, its mapping file and its certificate file.
 *
 * @throws ConfigError with all issues at once.
 */
export async function loadConfiguration(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<{ config: Config; mapping: Mapping }> {
  const [environment, authorities, mapping] = await Promise.all([
    collectIssues(() => parseConfig(variables)),
    collectIssues(() =>
      readAuthorities(variables['DATABASE_TLS_CA'] === '' ? undefined : variables['DATABASE_TLS_CA']),
    ),
    collectIssues(() => loadConfiguredMapping(variables)),
  ])
  if ('value' in environment && 'value' in authorities && 'value' in mapping)
    return { config: environment.value, mapping: mapping.value }
  throw new ConfigError(
    [environment, authorities, mapping].flatMap((one) => ('issues' in one ? one.issues : [])),
  )
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

/** The database of the configuration; nothing connects yet. @throws ConfigError */
export async function openDatabase(
  { database }: Config,
  more: { readonly heartbeat?: Mapping['heartbeat']; readonly onStatement?: OnStatement } = {},
): Promise<Database> {
  const { tlsCaFile, ...rest } = database
  return createDatabase({ ...rest, ...more, tlsCa: await readAuthorities(tlsCaFile) })
}

/** The PEM text of the certificate authorities; undefined for those of the system. @throws ConfigError */
async function readAuthorities(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const allowed = 'the name of a PEM file with a certificate'
  const text = await readTextFile(file, 'DATABASE_TLS_CA', allowed)
  try {
    new X509Certificate(text)
    return text
  } catch {
    throw new ConfigError([
      { path: 'DATABASE_TLS_CA', found: `${JSON.stringify(file)}, which holds none`, allowed },
    ])
  }
}

async function readTextFile(file: string, path: string, allowed: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable'
    throw new ConfigError([{ path, found: `${JSON.stringify(file)} (${reason})`, allowed }])
  }
}

/** The version of this release, from `package.json`. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
