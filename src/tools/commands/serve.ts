import { setTimeout as delay } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { version } from '../../client/headers.js'
import { readCommit } from '../../commit.js'
import type { Config } from '../../config.js'
import { isUnreachable } from '../../database/errors.js'
import { AuditError, ConfigError, Problem, toErrorText, unwrapProblem } from '../../errors.js'
import { buildService } from '../../api/service.js'
import type { Service, ServiceInput } from '../../api/service.js'
import { createLog, createLogOutput } from '../../api/log.js'
import type { LogOutput } from '../../api/log.js'
import { loadConfiguration } from '../../mapping/load-configuration.js'
import { isLoopback } from '../../values/addresses.js'
import { toExitCode } from './command.js'
import type { Variables } from './command.js'

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
  const service = await buildWhenReachable(waitSeconds * 1000, {
    config,
    mapping,
    log,
    clock: Date.now,
    ageClock: () => performance.now(),
    countDroppedLines: output.countDropped,
  })
  const limitMs = config.shutdownDelayMs + config.shutdownGraceMs
  const logger = {
    // pino would use the message of a bare error as the message of the line.
    error: (what: unknown) => {
      log.error(what instanceof Error ? { err: what } : { what }, 'an error while closing')
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
  const { app, ops } = service
  const origins = {
    ops: config.ops.port === 0 ? undefined : ops.listeningOrigin,
    api: app.listeningOrigin,
  }
  log.info({ ...origins, version, commit: readCommit(), epoch: mapping.epoch ?? 0 }, 'ready')
}

/** The first pause between two attempts, in milliseconds; each one is twice the one before, up to the maximum. */
const pauseMs = { min: 250, max: 5000 }

/** Builds the service; while no server can be reached, attempts are repeated for `waitMs`. */
async function buildWhenReachable(waitMs: number, input: ServiceInput): Promise<Service> {
  const endsAt = performance.now() + waitMs
  for (let pause = pauseMs.min; ; pause = Math.min(2 * pause, pauseMs.max)) {
    try {
      return await buildService(input)
    } catch (error) {
      const leftMs = endsAt - performance.now()
      const cause = error instanceof Problem ? error.cause : undefined
      if (leftMs <= 0 || !isUnreachable(cause)) throw error
      input.log.warn({ reason: toErrorText(cause) }, 'the database cannot be reached')
      await delay(Math.min(leftMs, pause))
    }
  }
}

/**
 * Warns where the password of the database user can be sent to another server: without TLS and without the key of the
 * server, the driver encrypts it with the key that the server sends.
 */
function logExposedPassword(log: Logger, { tls, serverPublicKeyFile, host }: Config['database']): void {
  if (tls !== 'off' || serverPublicKeyFile !== undefined || isLoopback(host)) return
  log.warn(
    { host },
    'DATABASE_TLS is off: a server that answers in its place can get the password; set DATABASE_TLS, or DATABASE_SERVER_PUBLIC_KEY',
  )
}

/** What the log says of a start that failed. The stack is only for an error of the program. */
function toFailure(error: unknown): object {
  if (error instanceof ConfigError) return { issues: error.issues }
  const cause = unwrapProblem(error)
  if (cause instanceof AuditError) return { findings: cause.lines }
  // Of the database, or of the system.
  const isNamed = cause instanceof Error && 'code' in cause && !String(cause.code).startsWith('ERR_')
  return isNamed ? { reason: toErrorText(cause) } : { err: cause }
}

/** @throws an error that names the setting, where the address cannot be used. */
async function listen(app: Service['app'], setting: string, address: Config['listen']): Promise<void> {
  await app.listen(address).catch((error: unknown) => {
    if (error instanceof Error) error.message = `${setting}: ${toErrorText(error)}`
    throw error
  })
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
