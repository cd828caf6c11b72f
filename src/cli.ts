#!/usr/bin/env node
import { version } from './client/headers.js'
import { renderHint } from './client/text.js'
import { readCommit } from './commit.js'
import {
  defineCommand,
  exitCodes,
  flag,
  isHelp,
  option,
  repeated,
  renderUsage,
  reportError,
  required,
  runCommand,
  toUsageLine,
} from './tools/commands/command.js'
import type { Command } from './tools/commands/command.js'
import {
  anyText,
  filledText,
  exportFile,
  keyVariable,
  oneOf,
  scopeList,
  serviceAddress,
  sqlName,
  wholeNumber,
} from './tools/commands/forms.js'
import { pullCommand } from './tools/commands/pull.js'
import { ConfigError, UsageError } from './errors.js'
import type { Mapping } from './mapping/mapping-schema.js'
import { parsePublicUrl } from './values/addresses.js'

const requests = wholeNumber('a whole number', 1, 100_000)

// Each command imports its modules when it runs: pull does not need a database driver.
const commands: readonly Command[] = [
  defineCommand({
    name: 'serve',
    summary: 'answer HTTP requests until a signal ends it',
    options: {},
    run: async () => {
      const { serve } = await import('./tools/commands/serve.js')
      await serve(process.env)
    },
  }),
  defineCommand({
    name: 'facts',
    summary: 'print what decides a mapping, for a person and an assistant: no value of a person is in it',
    options: { json: flag('print JSON') },
    run: async ({ json }) => {
      const { printFacts } = await import('./tools/commands/init.js')
      process.stdout.write(await printFacts(process.env, json))
    },
  }),
  defineCommand({
    name: 'init',
    summary:
      'write the skeleton of a mapping file for the database of DATABASE_URL: what is sure, and TODO\nwith candidates; print the key table and the next commands',
    options: {
      out: option('FILE', 'write the mapping to this new file; otherwise to stdout', anyText),
      registrations: option('TABLE', 'the table of the registrations; none leaves them out', anyText),
      invoices: option('TABLE', 'the table of the invoices; none leaves them out', anyText),
    },
    run: async (values) => {
      const { init } = await import('./tools/commands/init.js')
      await init(process.env, values)
    },
  }),
  defineCommand({
    name: 'check',
    summary:
      'prove the mapping on the database: what it shows, what contradicts it, privileges, cost;\nexits with 1 if a section has an error',
    options: {
      records: flag('also print eight records of each collection in full, to compare with the product'),
      export: repeated(
        'COLLECTION=FILE',
        'compare records with a CSV that the product exported, such as invoices=FILE; can be given again',
        exportFile,
      ),
      all: flag('also print what was read: fields, privileges, the cost of each request'),
      json: flag('print JSON'),
      html: option('FILE', 'also write the report as one page', anyText),
      junit: option('FILE', 'also write the report as JUnit XML', anyText),
    },
    run: async (values) => {
      const { check } = await import('./tools/commands/check.js')
      const { text, ok } = await check(process.env, { ...values, clock: Date.now })
      process.stdout.write(text)
      if (!ok) process.exitCode = exitCodes.failure
    },
  }),
  defineCommand({
    name: 'openapi',
    summary: 'print the OpenAPI document',
    options: {
      oas: option(
        'VERSION',
        'the version of OpenAPI: 3.1 (the default), or 3.0 for older tools',
        oneOf('3.1', '3.0'),
      ),
    },
    run: async ({ oas = '3.1' }) => {
      const { renderOpenApi } = await import('./tools/commands/openapi.js')
      const publicUrl = parsePublicUrl(process.env['PUBLIC_URL'])
      const allowed = 'an http or https URL with no query'
      if (publicUrl === undefined)
        throw new ConfigError([{ path: 'PUBLIC_URL', found: 'another form', allowed }])
      process.stdout.write(renderOpenApi(await loadMapping(), publicUrl, oas))
    },
  }),
  defineCommand({
    name: 'grants',
    summary: 'print the SQL that creates a user with access to the mapped columns only',
    options: {
      user: required('U', 'the user name', sqlName),
      host: required('H', 'the host part of the account, such as 10.0.0.%', sqlName),
      requireTls: flag('require TLS for the account'),
      compare: flag(
        'print only the GRANT and REVOKE by which the account differs from the mapping;\nthe user of DATABASE_URL must be able to see its grants, as an administrator can',
      ),
    },
    run: async (values) => {
      const { compareGrants, printGrants } = await import('./tools/commands/grants.js')
      const print = values.compare ? compareGrants : printGrants
      process.stdout.write(await print(process.env, values))
    },
  }),
  defineCommand({
    name: 'key',
    summary: 'create an API key; print the key, its hash, and the INSERT that stores it',
    options: {
      workspace: option('W', 'the id of the workspace', filledText),
      scopes: option('A,B', `${scopeList.allowed}; left out where the mapping grants them`, scopeList),
      table: flag('print the statement that creates the table of API keys instead'),
    },
    run: async ({ workspace, scopes, table }) => {
      const mapping = await loadMapping()
      if (table) {
        if (workspace !== undefined || scopes !== undefined)
          throw new UsageError('--table takes no --workspace and no --scopes')
        const { renderKeyTable } = await import('./tools/commands/key.js')
        process.stdout.write(renderKeyTable(mapping.apiKeys))
        return
      }
      const { createKey } = await import('./tools/commands/key.js')
      const { key, hash, insert } = createKey(mapping, { workspace, scopes })
      process.stdout.write(`key     ${key}\nhash    ${hash}\ninsert  ${insert}\n`)
      process.stderr.write(
        'The key is printed only once. Columns that are not in the mapping may need values too.\n',
      )
    },
  }),
  defineCommand({
    name: 'verify',
    summary:
      'verify that a deployment keeps the contract, over HTTP and with requests that change nothing;\nexits with 1 if a guarantee is broken, and with 69 if Vitrine does not answer at the address',
    options: {
      url: option('U', 'the public address of the service; VITRINE_URL without it', serviceAddress),
      keyEnv: option(
        'NAME',
        'the environment variable that holds the API key; VITRINE_KEY without it',
        keyVariable,
      ),
      otherKeyEnv: option(
        'NAME',
        'the one that holds a key of another workspace, to verify that each sees only its own',
        keyVariable,
      ),
      scopedKeyEnv: option('NAME', 'the one that holds a key without one of the scopes', keyVariable),
      revokedKeyEnv: option('NAME', 'the one that holds a revoked key', keyVariable),
      maxRequests: option('N', 'send at most so many requests (600)', requests),
      json: flag('print the report as JSON'),
      junit: option('FILE', 'also write the report as JUnit XML', anyText),
    },
    run: async ({ maxRequests = 600, ...values }) => {
      const { verifyService } = await import('./tools/commands/verify.js')
      process.exitCode = await verifyService({ maxRequests, ...values }, process.env)
    },
  }),
  pullCommand,
]

async function loadMapping(): Promise<Mapping> {
  const { loadConfiguredMapping } = await import('./mapping/load-configuration.js')
  return loadConfiguredMapping(process.env)
}

async function run([name, ...args]: readonly string[]): Promise<void> {
  // `help COMMAND` is the same as `COMMAND --help`.
  const [commandName, commandArgs] =
    name === 'help' && args[0] !== undefined ? [args[0], ['--help']] : [name, args]
  const command = commands.find((one) => one.name === commandName)
  if (command !== undefined) {
    await warnOfNames(command)
    await runCommand(`vitrine ${command.name}`, command, commandArgs)
  } else if (commandName === 'help' || isHelp(commandName ?? '')) process.stdout.write(renderAllUsages())
  else if (commandName === '--version') process.stdout.write(`${version} (${readCommit()})\n`)
  else {
    const names = commands.map((one) => one.name)
    const reason =
      commandName === undefined
        ? 'a command is missing'
        : `there is no command ${JSON.stringify(commandName)}${renderHint(commandName, names)}`
    reportError(new UsageError(reason), 'vitrine')
  }
}

/** Prints which variables are not read: `serve` logs them, and `pull` and `verify` need an address and a key only. */
async function warnOfNames({ name }: Command): Promise<void> {
  if (/^(?:serve|pull|verify)$/.test(name)) return
  const { listUnreadNames } = await import('./environment.js')
  for (const text of listUnreadNames(process.env)) process.stderr.write(`vitrine: ${text}.\n`)
}

function renderAllUsages(): string {
  const usages = commands.map((command) => renderUsage(`vitrine ${command.name}`, command))
  return `vitrine: a read-only public API in front of a product's MySQL database

${usages.join('')}
${toUsageLine('  vitrine help COMMAND', 'print the usage of one command; so does -h or --help behind it')}${toUsageLine('  vitrine --version', 'print the version')}
The environment and the mapping file configure all commands but verify and pull, which need an address and a key only.
docs/product-team.md leads from facts to serve, docs/deploy.md to production, docs/configure.md lists the variables,
docs/integrators.md is about pull, and docs/qa.md about verify.
`
}

await run(process.argv.slice(2))
