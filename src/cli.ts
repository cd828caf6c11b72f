#!/usr/bin/env node
import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'
import { AuditError, ConfigError, Problem, UsageError, toIssueText } from './errors.js'
import type { Mapping } from './mapping/mapping-schema.js'
import { parsePublicUrl } from './values/addresses.js'

const usage = `vitrine: a read-only public API in front of a product's MySQL database

  vitrine serve      answer HTTP until a signal ends it
    --wait SECONDS         at the start, retry an unreachable database for so long (30); 0: one attempt
  vitrine check      look at the database, section by section: privileges, columns, plans, clocks, a sample of rows;
                     ends with 1 where something stands against serving it
    --json                 for programs
    --html FILE            write the same as one page, to be handed on
  vitrine openapi    print the OpenAPI document
  vitrine grants     print the SQL that makes a user who can read the mapped columns and nothing else
    --user U --host H      the account; a host such as 10.0.0.% names where it may come from
    --database D           the product's database, if not the one of DATABASE_URL
    --require-tls          let it come over TLS only
    --replicas             let it see how far a replica is behind
  vitrine key        mint an API key; print it once, its hash, and the INSERT for whoever may write
    --workspace W          the workspace's id
    --scopes A,B           registration.read, invoices.read or both
  vitrine pull COLLECTION   bring a copy of the registrations or invoices up to date, over HTTP
    --url U                the service's public address
    --key-env NAME         the environment variable that holds the API key
    --to FILE              .ndjson, its state beside it in FILE.state; or .sqlite, with Node 22.13 or later
    --event-id E, --status S   just these; a copy keeps its filters
    --full                 read everything again, and remove what vanished because it was archived; more than
                           100 records and more than half of the copy are not removed: it ends with 1
    --allow-removals       with --full: remove them, however many they are
    --watch 30s            go on for ever, with this pause between (s, m or h)
    --json                 print the summary as JSON

The environment and the mapping file configure it, all but pull, which an integrator runs; see README.md.
`

/** Exit codes: 64 for a command line that is not understood, 78 for configuration, as in sysexits.h. */
const exitCodes = { usage: 64, configuration: 78, failure: 1 } as const

// Each command loads what it needs when it is run: pull has no use for a database's driver.
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  key: runKey,
  pull: runPull,
  serve: async (args) => {
    const { wait = '30' } = parse(args, { wait: { type: 'string' } })
    if (typeof wait !== 'string' || !/^\d{1,5}$/.test(wait))
      throw new UsageError('--wait takes whole seconds, from 0 to 99999')
    const { serve } = await import('./commands/serve.js')
    await serve(process.env, { waitSeconds: Number(wait) })
  },
  check: async (args) => {
    const { json, html } = parse(args, { json: { type: 'boolean' }, html: { type: 'string' } })
    const { check } = await import('./commands/check.js')
    const { text, ok } = await check({
      variables: process.env,
      json: json === true,
      htmlFile: typeof html === 'string' ? html : undefined,
      colour: process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '',
      clock: Date.now,
    })
    process.stdout.write(text)
    if (!ok) process.exitCode = exitCodes.failure
  },
  openapi: async (args) => {
    parse(args, {})
    const { renderOpenApi } = await import('./commands/openapi.js')
    const publicUrl = parsePublicUrl(process.env['PUBLIC_URL'])
    const allowed = 'an http or https URL with no query'
    if (publicUrl === undefined)
      throw new ConfigError([{ path: 'PUBLIC_URL', found: 'another form', allowed }])
    process.stdout.write(renderOpenApi(await loadConfiguredMapping(), publicUrl))
  },
  grants: async (args) => {
    const values = parse(args, {
      user: { type: 'string' },
      host: { type: 'string' },
      database: { type: 'string' },
      'require-tls': { type: 'boolean' },
      replicas: { type: 'boolean' },
    })
    const { user, host, database } = values
    if (typeof user !== 'string' || typeof host !== 'string')
      throw new UsageError('grants needs --user and --host')
    const { printGrants } = await import('./commands/grants.js')
    const statements = printGrants(await loadConfiguredMapping(), {
      user,
      host,
      database: typeof database === 'string' ? database : undefined,
      databaseUrl: process.env['DATABASE_URL'],
      requireTls: values['require-tls'] === true,
      replicas: values['replicas'] === true,
    })
    process.stdout.write(statements)
  },
}

async function runKey(args: readonly string[]): Promise<void> {
  const { workspace, scopes } = parse(args, { workspace: { type: 'string' }, scopes: { type: 'string' } })
  if (typeof workspace !== 'string' || typeof scopes !== 'string')
    throw new UsageError('key needs --workspace and --scopes')
  const wanted = scopes.split(',').map((scope) => scope.trim())
  const unknown = wanted.find((scope) => scope !== 'registration.read' && scope !== 'invoices.read')
  if (unknown !== undefined)
    throw new UsageError(
      `there is no scope ${JSON.stringify(unknown)}; registration.read and invoices.read are`,
    )
  const { createKey } = await import('./commands/key.js')
  const { key, hash, insert } = createKey(await loadConfiguredMapping(), {
    workspace,
    scopes: wanted,
  })
  process.stdout.write(`key     ${key}\nhash    ${hash}\ninsert  ${insert}\n`)
  process.stderr.write(
    'The key is shown this once. Columns that the mapping does not name may want values too.\n',
  )
}

async function runPull(args: readonly string[]): Promise<void> {
  const options = {
    url: { type: 'string' },
    'key-env': { type: 'string' },
    to: { type: 'string' },
    'event-id': { type: 'string' },
    status: { type: 'string' },
    watch: { type: 'string' },
    full: { type: 'boolean' },
    'allow-removals': { type: 'boolean' },
    json: { type: 'boolean' },
  } as const
  const { values, positionals } = parseAll(args, options, true)
  const [collection, ...others] = positionals
  if (others.length > 0) throw new UsageError('pull takes one collection at a time')
  const text = (name: string): string | undefined => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  const { pull } = await import('./commands/pull.js')
  const [url, keyEnv, to] = [text('url'), text('key-env'), text('to')]
  const filters = { eventId: text('event-id'), status: text('status') }
  const isSet = (name: string): boolean => values[name] === true
  const flags = { full: isSet('full'), allowRemovals: isSet('allow-removals'), json: isSet('json') }
  const watch = text('watch')
  process.exitCode = await pull({ collection, url, keyEnv, to, watch, ...filters, ...flags }, process.env)
}

async function loadConfiguredMapping(): Promise<Mapping> {
  const load = await import('./service/load-configuration.js')
  return load.loadConfiguredMapping(process.env)
}

type Options = NonNullable<ParseArgsConfig['options']>

async function run([name, ...args]: readonly string[]): Promise<void> {
  if (name === 'help' || [name, ...args].includes('--help')) {
    process.stdout.write(usage)
    return
  }
  const command = name === undefined ? undefined : commands[name]
  if (command === undefined)
    throw new UsageError(
      name === undefined ? 'which command?' : `there is no command ${JSON.stringify(name)}`,
    )
  await command(args)
}

function parse(args: readonly string[], options: Options): Readonly<Record<string, unknown>> {
  return parseAll(args, options, false).values
}

function parseAll(
  args: readonly string[],
  options: Options,
  allowPositionals: boolean,
): { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** What an operator reads when a command fails: every fault on a line of its own, and no stack. */
function report(error: unknown): void {
  if (error instanceof UsageError) {
    fail(exitCodes.usage, `${error.message}\n\n${usage}`)
  } else if (error instanceof ConfigError) {
    fail(
      exitCodes.configuration,
      `The configuration cannot be used:\n${error.issues.map((fault) => `  ${toIssueText(fault)}\n`).join('')}`,
    )
  } else if (error instanceof AuditError) {
    fail(
      exitCodes.failure,
      `The database is not as it must be:\n${error.lines.map((line) => `  ${line}\n`).join('')}`,
    )
  } else {
    fail(exitCodes.failure, `${toText(error instanceof Problem ? error.cause : error)}\n`)
  }
}

function fail(exitCode: number, text: string): void {
  process.stderr.write(`vitrine: ${text}`)
  process.exitCode = exitCode
}

/** A refused connection to several addresses has no text of its own, only its code. */
function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}

run(process.argv.slice(2)).catch(report)
