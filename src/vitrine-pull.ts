#!/usr/bin/env node
// The program of the integrators' package: `pull` alone. It reaches no code of the service.
import { runCommand } from './tools/commands/command.js'
import { pullCommand } from './tools/commands/pull.js'

await runCommand('vitrine-pull', pullCommand, process.argv.slice(2))
