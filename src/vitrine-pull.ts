#!/usr/bin/env node
// The program of the integrators' package: `pull` alone. It reaches no code of the service.
import { pullCommand } from './tools/commands/pull-command.js'
import { runCommand } from './tools/commands/run-command.js'

const program = 'vitrine-pull'
await runCommand({ program, invocation: program, command: pullCommand, args: process.argv.slice(2) })
