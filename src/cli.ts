#!/usr/bin/env node
import { parsePublicUrl } from './config.js'
import { loadMapping } from './commands/load-service.js'
import { renderOpenApi } from './commands/openapi.js'
import { serve } from './commands/serve.js'
import { AuditError, ConfigError, Problem, toFaultText } from './errors.js'

const usage = `vitrine: a read-only public API in front of a product's MySQL database

  vitrine serve      answer HTTP until a signal ends it
  vitrine openapi    print the OpenAPI document

The environment and the mapping file configure it; see README.md.
`

/** Exit codes: 64 for a command line that is not understood, 78 for configuration, as in sysexits.h. */
const exitCodes = { usage: 64, configuration: 78, failure: 1 } as const

async function run([command, ...rest]: readonly string[]): Promise<void> {
  if (command === '--help' || command === 'help' || command === undefined) {
    process.stdout.write(usage)
    if (command === undefined) process.exitCode = exitCodes.usage
    return
  }
  if (rest.length > 0) {
    refuse(`${command} takes no ${JSON.stringify(rest[0])}`)
    return
  }
  if (command === 'serve') return serve(process.env)
  if (command === 'openapi') return printOpenApi()
  refuse(`there is no command ${JSON.stringify(command)}`)
}

function refuse(reason: string): void {
  process.stderr.write(`vitrine: ${reason}\n\n${usage}`)
  process.exitCode = exitCodes.usage
}

async function printOpenApi(): Promise<void> {
  const mapping = await loadMapping(process.env['MAPPING_FILE'] ?? 'config/mapping.yaml')
  process.stdout.write(renderOpenApi(mapping, parsePublicUrl(process.env['PUBLIC_URL']) ?? ''))
}

/** What an operator reads when a command fails: every fault on a line of its own, and no stack. */
function report(error: unknown): void {
  if (error instanceof ConfigError || error instanceof AuditError) {
    const what =
      error instanceof ConfigError
        ? 'The configuration cannot be used'
        : 'The database does not hold what the mapping says'
    process.stderr.write(
      `vitrine: ${what}:\n${error.faults.map((fault) => `  ${toFaultText(fault)}\n`).join('')}`,
    )
    process.exitCode = error instanceof ConfigError ? exitCodes.configuration : exitCodes.failure
    return
  }
  const cause = error instanceof Problem ? error.cause : error
  process.stderr.write(`vitrine: ${cause instanceof Error ? toText(cause) : String(cause)}\n`)
  process.exitCode = exitCodes.failure
}

/** A refused connection to several addresses has no text of its own, only its code. */
function toText(error: Error & { code?: string }): string {
  return error.message === '' ? (error.code ?? error.name) : error.message
}

run(process.argv.slice(2)).catch(report)
