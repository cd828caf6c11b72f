#!/usr/bin/env node
import { version } from './client/headers.js'
import { readCommit } from './commit.js'
import { defineCommand, renderHint } from './tools/commands/define-command.js'
import type { Command } from './tools/commands/define-command.js'
import {
  filledText,
  keyVariable,
  oneOf,
  scopeList,
  serviceAddress,
  sqlName,
  wholeNumber,
  writableFile,
} from './tools/commands/forms.js'
import { pullCommand } from './tools/commands/pull-command.js'
import {
  exitCodes,
  isHelp,
  renderUsage,
  reportError,
  runCommand,
  toUsageLine,
} from './tools/commands/run-command.js'
import { ConfigError, UsageError } from './errors.js'
import type { Mapping } from './mapping/mapping-schema.js'
import { parsePublicUrl } from './values/addresses.js'

// Each command imports its modules when it runs: pull does not need a database driver.
const commands: readonly Command[] = [
  defineCommand({
    name: 'serve',
    summary: 'answer HTTP requests until a signal ends it',
    options: {
      wait: {
        value: 'SECONDS',
        form: wholeNumber('whole seconds', 0, 99_999),
        help: 'at the start, retry an unreachable database for this time (30); 0: one attempt',
      },
    },
    run: async ({ wait = 30 }) => {
      const { serve } = await import('./tools/commands/serve.js')
      await serve(process.env, wait)
    },
  }),
  defineCommand({
    name: 'facts',
    summary: 'print what decides a mapping, for a person and an assistant: no value of a person is in it',
    options: { json: { help: 'print JSON' } },
    run: async ({ json }) => {
      const { printFacts } = await import('./tools/commands/facts.js')
      process.stdout.write(await printFacts(process.env, json))
    },
  }),
  defineCommand({
    name: 'init',
    summary:
      'write the skeleton of a mapping file for the database of DATABASE_URL: what is sure, and TODO\nwith candidates; print the table of keys and the next commands',
    options: {
      out: { value: 'FILE', help: 'write the mapping to this new file; otherwise to stdout' },
      registrations: { value: 'TABLE', help: 'the table of the registrations; none leaves them out' },
      invoices: { value: 'TABLE', help: 'the table of the invoices; none leaves them out' },
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
      all: { help: 'also print what was read: fields, privileges, the cost of each request' },
      json: { help: 'print JSON' },
      html: { value: 'FILE', form: writableFile, help: 'also write the report as one page' },
      junit: { value: 'FILE', form: writableFile, help: 'also write the report as JUnit XML' },
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
      oas: {
        value: 'VERSION',
        form: oneOf('3.1', '3.0'),
        help: 'the version of OpenAPI: 3.1 (the default), or 3.0 for older tools',
      },
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
      user: { value: 'U', form: sqlName, isRequired: true, help: 'the user name' },
      host: {
        value: 'H',
        form: sqlName,
        isRequired: true,
        help: 'the host part of the account, such as 10.0.0.%',
      },
      database: { value: 'D', form: sqlName, help: 'not the one of DATABASE_URL' },
      'require-tls': { help: 'require TLS for the account' },
      compare: {
        help: 'print only the GRANT and REVOKE by which the account differs from the mapping;\nthe user of DATABASE_URL must be able to see its grants, as an administrator can',
      },
    },
    run: async (values) => {
      if (values.compare && values.database !== undefined)
        throw new UsageError('--compare takes no --database')
      const { compareGrants, printGrants } = await import('./tools/commands/grants.js')
      const print = values.compare ? compareGrants : printGrants
      process.stdout.write(await print(process.env, values))
    },
  }),
  defineCommand({
    name: 'key',
    summary: 'create an API key; print the key, its hash, and the INSERT that stores it',
    options: {
      workspace: { value: 'W', form: filledText, help: 'the id of the workspace' },
      scopes: {
        value: 'A,B',
        form: scopeList,
        help: `${scopeList.allowed}; left out where the mapping grants them`,
      },
      table: { help: 'print the statement that creates the table of API keys instead' },
    },
    run: async ({ workspace, scopes, table }) => {
      if (table) {
        if (workspace !== undefined || scopes !== undefined)
          throw new UsageError('--table takes no --workspace and no --scopes')
        const { printKeyTable } = await import('./tools/commands/key-table.js')
        process.stdout.write(await printKeyTable(process.env))
        return
      }
      const { createKey } = await import('./tools/commands/key.js')
      const { key, hash, insert } = createKey(await loadMapping(), { workspace, scopes })
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
      url: { value: 'U', form: serviceAddress, isRequired: true, help: 'the public address of the service' },
      'key-env': {
        value: 'NAME',
        form: keyVariable,
        isRequired: true,
        help: 'the environment variable that holds an API key',
      },
      'other-key-env': {
        value: 'NAME',
        form: keyVariable,
        help: 'the one that holds a key of another workspace, to verify that each sees only its own',
      },
      'scoped-key-env': {
        value: 'NAME',
        form: keyVariable,
        help: 'the one that holds a key without one of the scopes',
      },
      'revoked-key-env': { value: 'NAME', form: keyVariable, help: 'the one that holds a revoked key' },
      'max-requests': {
        value: 'N',
        form: wholeNumber('a whole number', 1, 100_000),
        help: 'send at most so many requests (600)',
      },
      json: { help: 'print the report as JSON' },
      junit: { value: 'FILE', form: writableFile, help: 'also write the report as JUnit XML' },
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
    const invocation = `vitrine ${command.name}`
    await runCommand({ program: 'vitrine', invocation, command, args: commandArgs })
  } else if (commandName === 'help' || isHelp(commandName ?? '')) {
    process.stdout.write(renderAllUsages())
  } else if (commandName === '--version') {
    process.stdout.write(`${version} (${readCommit()})\n`)
  } else {
    const names = commands.map((one) => one.name)
    const reason =
      commandName === undefined
        ? 'a command is missing'
        : `there is no command ${JSON.stringify(commandName)}${renderHint(commandName, names)}`
    reportError(new UsageError(reason), { program: 'vitrine', invocation: 'vitrine' })
  }
}

function renderAllUsages(): string {
  const usages = commands.map((command) => renderUsage(`vitrine ${command.name}`, command))
  return `vitrine: a read-only public API in front of a product's MySQL database

${usages.join('')}
${toUsageLine('  vitrine help COMMAND', 'print the usage of one command; so does -h or --help behind it')}${toUsageLine('  vitrine --version', 'print the version')}
The environment and the mapping file configure all commands but verify and pull, which know an address and a key only;
see README.md.
`
}

await run(process.argv.slice(2))
