import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseConfig } from '../config.js'
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

function readMappingText(file: string): Promise<string> {
  return readTextFile(file, 'MAPPING_FILE', 'the name of a readable YAML file')
}

/**
 * Reads the environment, its mapping file and its certificate file.
 *
 * @param read what is made of the text of the mapping file.
 * @throws ConfigError with all issues at once.
 */
export async function loadConfiguration<Read = Mapping>(
  variables: Readonly<Record<string, string | undefined>>,
  read = readMapping as (text: string) => Read,
): Promise<{ config: Config; mapping: Read }> {
  const [environment, mapping, ...files] = await Promise.all([
    collectIssues(() => parseConfig(variables)),
    collectIssues(async () => read(await readMappingText(variables['MAPPING_FILE'] || defaultMappingFile))),
    ...pemVariables.map((name) => collectIssues(() => readPem(name, variables[name] || undefined))),
  ])
  const issues = [environment, ...files, mapping].flatMap((one) => ('issues' in one ? one.issues : []))
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

/** The database of the configuration; nothing connects yet. @throws ConfigError */
export async function openDatabase({ database }: Config, onStatement?: OnStatement): Promise<Database> {
  const { urlFile: _, tlsCaFile, tlsCertFile, tlsKeyFile, serverPublicKeyFile, ...rest } = database
  const tlsCa = await readPem('DATABASE_TLS_CA', tlsCaFile)
  const tlsCert = await readPem('DATABASE_TLS_CERT', tlsCertFile)
  const tlsKey = await readPem('DATABASE_TLS_KEY', tlsKeyFile)
  const serverPublicKey = await readPem('DATABASE_SERVER_PUBLIC_KEY', serverPublicKeyFile)
  return createDatabase({ ...rest, onStatement, tlsCa, tlsCert, tlsKey, serverPublicKey })
}

/** What the file of each variable must hold. `read` returns what is used of it, or throws. */
const pemContents = {
  DATABASE_TLS_CA: { holds: 'certificates', read: readCertificates },
  DATABASE_TLS_CERT: { holds: 'certificates', read: readCertificates },
  DATABASE_TLS_KEY: {
    holds: 'a private key without a passphrase',
    read: (text: string) => {
      createPrivateKey(text)
      return text
    },
  },
  DATABASE_SERVER_PUBLIC_KEY: {
    holds: 'an RSA public key',
    read: (text: string) => {
      // A private key would be accepted too, but has no place here.
      if (text.includes('PRIVATE KEY') || createPublicKey(text).asymmetricKeyType !== 'rsa') throw new Error()
      return text
    },
  },
} as const
const pemVariables = Object.keys(pemContents) as readonly (keyof typeof pemContents)[]

/**
 * Each certificate by itself: OpenSSL stops without an error at what it cannot read, such as the zero byte at the end of the
 * certificate that MySQL generates, and the certificates behind it would have no effect.
 */
function readCertificates(text: string): string {
  const all = text.match(/-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[^]*?-----END \1-----/g) ?? ['']
  for (const one of all) new X509Certificate(one)
  return all.join('\n')
}

/** The text of the PEM file of a variable; undefined where none is set. @throws ConfigError */
async function readPem(
  path: keyof typeof pemContents,
  file: string | undefined,
): Promise<string | undefined> {
  if (file === undefined) return undefined
  const { holds, read } = pemContents[path]
  const allowed = `the name of a PEM file with ${holds}`
  const text = await readTextFile(file, path, allowed)
  try {
    return read(text)
  } catch {
    throw new ConfigError([
      { path, found: `${JSON.stringify(file)}, which holds none, or one that cannot be read`, allowed },
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
