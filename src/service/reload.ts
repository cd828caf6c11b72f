import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { createCoalescer } from '../coalescer.js'
import { readDatabaseUrl } from '../config.js'
import type { Config } from '../config.js'
import type { Account } from '../database/account.js'
import { ConfigError } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import type { Metrics } from '../api/metrics.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { readMapping } from '../mapping/read-mapping.js'
import { parseDatabaseUrl } from '../values/addresses.js'
import { toFailure } from './log-events.js'

/** The environment and the mapping file, as they were read. */
export interface Configuration {
  readonly config: Config
  readonly mapping: Mapping
}

interface ReloadInput extends Pick<Configuration, 'config'> {
  readonly log: Logger
  readonly metrics: Metrics
  readonly account: Pick<Account, 'current'>
  /** The mapping in force. */
  readonly current: () => Mapping
  /** Reads everything again. @throws ConfigError */
  readonly load: () => Promise<Configuration>
  /** Audits the new configuration and puts it into force. @throws AuditError, or Problem when the database does not answer. */
  readonly exchange: (next: Configuration) => Promise<void>
}

/** What a reload did; with the reasons where the old configuration stays in force. */
export type ReloadResult = { readonly status: 'loaded' } | ({ readonly status: 'rejected' } & object)

/** Reads the mapping file and the file of the address again, and puts them into force if they can be used. Never throws. */
export function createReload(input: ReloadInput): () => Promise<ReloadResult> {
  const { config, log, load, exchange } = input
  let isLastLoaded = true
  input.metrics.watch(
    'vitrine_reload_succeeded',
    'Whether the last reload was loaded, or there was none: 1 or 0.',
    () => Number(isLastLoaded),
  )
  input.metrics.watch(
    'vitrine_configuration_changed',
    'Whether the mapping file or the file of the address is not what is in force: 1 or 0.',
    createChangeTest(input),
  )
  return createCoalescer(async () => {
    try {
      const next = await load()
      requireRestartOnly({ config, mapping: input.current() }, next)
      await exchange(next)
      isLastLoaded = true
      log.info('the configuration was reloaded')
      return { status: 'loaded' }
    } catch (error) {
      isLastLoaded = false
      const failure = withAdvice(toFailure(error))
      log.error(failure, 'the configuration was not reloaded: the old one stays in force')
      return { status: 'rejected', ...failure }
    }
  })
}

/** The fix of a finding makes an account fit the new mapping, and takes from the one in use what the old mapping reads. */
function withAdvice(failure: object): object {
  if (!('findings' in failure)) return failure
  const advice =
    'run no statement of the findings for the account in use, which the mapping in force needs as it is: introduce the new one with a second account (docs/change.md, "Migrate the schema of the product")'
  return { ...failure, advice }
}

/** @throws ConfigError for what is bound to the connections and the health checks of the process. */
function requireRestartOnly(old: Configuration, next: Configuration): void {
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
  const toPlace = ({ config: { database } }: Configuration) => [database.hosts, database.name]
  const issues: ConfigIssue[] = []
  const allowed = 'the same as at the start; a restart takes another one into use'
  if (!isSame(toPlace(old), toPlace(next)))
    issues.push({ path: 'DATABASE_URL_FILE', found: 'another host or database', allowed })
  if (!isSame(old.mapping.heartbeat, next.mapping.heartbeat))
    issues.push({ path: 'heartbeat', found: 'another one', allowed })
  if (issues.length > 0) throw new ConfigError(issues)
}

/** Reads the files at each call; the mapping file is parsed only after it changed. */
function createChangeTest({ config, account, current }: ReloadInput): () => number {
  const { urlFile, hosts, name } = config.database
  let known = { text: '', parsed: '' }
  const readKnown = (text: string): string => {
    if (text !== known.text) known = { text, parsed: JSON.stringify(readMapping(text)) }
    return known.parsed
  }
  const isChanged = (): boolean => {
    if (readKnown(readFileSync(config.mappingFile, 'utf8')) !== JSON.stringify(current())) return true
    if (urlFile === undefined) return false
    const address = parseDatabaseUrl(readDatabaseUrl({ DATABASE_URL_FILE: urlFile }).text)
    const { user, password } = account.current()
    return JSON.stringify(address) !== JSON.stringify({ user, password, name, hosts })
  }
  return () => {
    try {
      return Number(isChanged())
    } catch {
      // A file that cannot be read or used is none that is in force.
      return 1
    }
  }
}
