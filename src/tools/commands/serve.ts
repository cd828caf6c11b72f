import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import closeWithGrace from 'close-with-grace'
import { version } from '../../client/headers.js'
import { readCommit } from '../../commit.js'
import type { Config } from '../../config.js'
import { listUnreadNames } from '../../environment.js'
import { AuditError, ConfigError, toErrorText } from '../../errors.js'
import { unwrapProblem } from '../../problems.js'
import { buildService } from '../../api/service.js'
import type { Service } from '../../api/service.js'
import { createLog, createLogOutput } from '../../log.js'
import type { LogOutput } from '../../log.js'
import { loadConfiguration } from '../../mapping/load-configuration.js'
import { toExitCode, toFailureText } from './command.js'
import type { Variables } from './command.js'

/**
 * Serves until a signal ends it. A start that fails is a line of the log like any other, unless a person reads the error.
 *
 * @throws ConfigError, AuditError, or Problem when the database does not answer, all before anything listens, where stderr
 * is a terminal.
 */
export async function serve(variables: Variables): Promise<void> {
  // After a burst of requests that wait, V8 would make objects of every request old at once, with all that they refer to.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Access to process.stdout makes a pipe non-blocking; the file descriptor alone does not.
  const output = createLogOutput(process.stdout.fd)
  process.on('exit', output.end)
  try {
    await start(variables, output)
  } catch (error) {
    if (process.stderr.isTTY) throw error
    createLog('fatal', output).fatal(toFailure(error, variables), 'the start failed')
    process.exitCode = toExitCode(error)
  }
}

async function start(variables: Variables, output: LogOutput): Promise<void> {
  const { config, mapping } = await loadConfiguration(variables)
  const log = createLog(config.logLevel, output)
  for (const text of listUnreadNames(variables)) log.warn(text)
  let service: Service | undefined
  const logger = {
    // pino would use the message of a bare error as the message of the line.
    error: (what: unknown) => {
      log.error(what instanceof Error ? { err: what } : { what }, 'an error while closing')
    },
  }
  const limitMs = config.shutdownDelayMs + config.shutdownGraceMs
  const grace = closeWithGrace({ delay: limitMs, logger }, async ({ err, signal }) => {
    if (err === undefined) log.info({ signal }, 'closing')
    else log.fatal({ err }, 'closing after an error')
    // Until the service is built, nothing listens.
    if (service === undefined) return
    service.announceClosing()
    // A load balancer sends requests until it has read /readyz, or until its orchestrator removes this process.
    if (err === undefined) await delay(config.shutdownDelayMs)
    await service.close()
  })
  try {
    service = await buildService({
      ...{ config, mapping, log, clock: Date.now, ageClock: performance.now.bind(performance) },
      countDroppedLines: output.countDropped,
    })
    await listen(service.app, 'HOST or PORT', config.listen)
    if (config.ops.port !== 0) await listen(service.ops, 'OPS_HOST or OPS_PORT', config.ops)
  } catch (error) {
    // Otherwise it would handle the end of this process as a requested one.
    grace.uninstall()
    await service?.close()
    throw error
  }
  const { app, ops } = service
  const origins = { ops: config.ops.port === 0 ? undefined : ops.listeningOrigin, api: app.listeningOrigin }
  log.info({ ...origins, version, commit: readCommit(), epoch: mapping.epoch ?? 0 }, 'ready')
}

/** What the log says of a start that failed. The stack is only for an error of the program. */
function toFailure(error: unknown, variables: Variables): object {
  const unread = listUnreadNames(variables)
  if (error instanceof ConfigError) return { issues: error.issues, ...(unread.length > 0 && { unread }) }
  const cause = unwrapProblem(error)
  if (cause instanceof AuditError) return { findings: cause.lines }
  // Of the database, or of the system.
  const isNamed = cause instanceof Error && 'code' in cause && !String(cause.code).startsWith('ERR_')
  return isNamed ? { reason: toFailureText(error) } : { err: cause }
}

/** @throws an error that names the settings, where the address cannot be used. */
async function listen(app: Service['app'], setting: string, address: Config['listen']): Promise<void> {
  await app.listen(address).catch((error: unknown) => {
    const allowed = 'an address of this machine, with a port that no other process uses'
    if (error instanceof Error) error.message = `${setting}: found ${toErrorText(error)}; allowed: ${allowed}`
    throw error
  })
}
