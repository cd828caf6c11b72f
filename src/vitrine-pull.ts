#!/usr/bin/env node
// The program of the integrators' package: `pull` alone. It reaches no code of the service.
import { version } from './client/headers.js'
import { pullCommand } from './commands/pull-command.js'
import { runCommand } from './commands/run-command.js'

const program = 'vitrine-pull'
const options = {
  ...pullCommand.options,
  help: { help: 'print this text' },
  version: { help: 'print the version' },
}

const args = process.argv.slice(2)
if (args.includes('--version')) {
  process.stdout.write(`${version}\n`)
} else {
  await runCommand({ program, invocation: program, command: { ...pullCommand, options }, args })
}
