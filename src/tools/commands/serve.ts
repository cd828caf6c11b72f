import { setTimeout as delay } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { readCommit } from '../../commit.js'
import type { Config } from '../../config.js'
import { toErrorText } from '../../errors.js'
import { buildService } from '../../service/build-service.js'
import type { Service } from '../../service/build-service.js'
import { createLog, createLogOutput } from '../../service/create-log.js'
import type { LogOutput } from '../../service/create-log.js'
import { loadConfiguration, readVersion } from '../../service/load-configuration.js'
import { logExposedPassword, logFailedAttempt, toFailure } from '../../service/log-events.js'
import { waitForDatabase } from '../../service/wait-for-database.js'
import { toExitCode } from './run-command.js'
import type { Variables } from './run-command.js'

/**
 * Serves until a signal ends it. A start that fails is a line of the log like any other, unless a person reads the error.
 *
 * @throws ConfigError, AuditError, or Problem when the database does not answer, all before anything listens, where stderr
 * is a terminal.
 * @param waitSeconds how long an unreachable database is retried at the start; 0 for one attempt.
 */
export async function serve(variables: Variables, waitSeconds: number): Promise<void> {
  const output = openOutput()
  try {
    await start(variables, waitSeconds, output)
  } catch (error) {
    if (process.stderr.isTTY) throw error
    createLog('fatal', output).fatal(toFailure(error), 'the start failed')
    process.exitCode = toExitCode(error)
  }
}

async function start(variables: Variables, waitSeconds: number, output: LogOutput): Promise<void> {
  const { config, mapping } = await loadConfiguration(variables)
  const log = createLog(config.logLevel, output)
  const releaseSignals = endOnSignal(log)
  logExposedPassword(log, config.database)
  const service = await waitForDatabase({
    attempt: () =>
      buildService({
        config,
        mapping,
        log,
        clock: Date.now,
        ageClock: () => performance.now(),
        countDroppedLines: output.countDropped,
      }),
    waitMs: waitSeconds * 1000,
    clock: () => performance.now(),
    sleep: (delayMs) => delay(delayMs),
    onFailure: (failed) => {
      logFailedAttempt(log, failed)
    },
  })
  const limitMs = config.shutdownDelayMs + config.shutdownGraceMs
  const logger = {
    error: (what: unknown) => {
      logClosing(log, what)
    },
  }
  const grace = closeWithGrace({ delay: limitMs, logger }, async ({ err, signal }) => {
    if (err === undefined) log.info({ signal }, 'closing')
    else log.fatal({ err }, 'closing after an error')
    service.announceClosing()
    // A load balancer sends requests until it has read /readyz, or until its orchestrator removes this process.
    if (err === undefined) await delay(config.shutdownDelayMs)
    await service.close()
  })
  releaseSignals()
  try {
    await listen(service.app, 'PORT', config.listen)
    if (config.ops.port !== 0) await listen(service.ops, 'OPS_PORT', config.ops)
  } catch (error) {
    // Otherwise it would handle the end of this process as a requested one.
    grace.uninstall()
    await service.close()
    throw error
  }
  logReady(log, service, config, mapping.epoch ?? 0)
}

function logClosing(log: Logger, what: unknown): void {
  // pino would use the message of a bare error as the message of the line.
  if (what instanceof Error) log.error({ err: what }, 'an error while closing')
  else log.error(String(what))
}

function logReady(log: Logger, { app, ops }: Service, config: Config, epoch: number): void {
  log.info(
    {
      ops: config.ops.port === 0 ? undefined : ops.listeningOrigin,
      api: app.listeningOrigin,
      version: readVersion(),
      commit: readCommit(),
      epoch,
    },
    'ready',
  )
}

/** @throws Error that names the setting, where the address cannot be used. */
async function listen(
  app: Service['app'],
  setting: string,
  address: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    await app.listen(address)
  } catch (error) {
    throw new Error(`${setting}: ${toErrorText(error)}`, { cause: error })
  }
}

/** Until the service is built, a signal ends the process at once: nothing listens yet. */
function endOnSignal(log: Logger): () => void {
  const end = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'closing before the start was complete')
    process.exit(0)
  }
  const signals = ['SIGTERM', 'SIGINT'] as const
  for (const signal of signals) process.on(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}

function openOutput(): LogOutput {
  // Access to process.stdout makes a pipe non-blocking; the file descriptor alone does not.
  const output = createLogOutput(process.stdout.fd)
  process.on('exit', output.end)
  return output
}
