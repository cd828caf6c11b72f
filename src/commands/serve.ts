import { setTimeout as delay } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { buildService } from '../service/build-service.js'
import { createLog } from '../service/create-log.js'
import { loadConfiguration, openDatabase } from '../service/load-configuration.js'
import { createLogOutput } from '../service/log-output.js'
import type { LogOutput } from '../service/log-output.js'
import { waitForDatabase } from '../service/wait-for-database.js'

interface ServeOptions {
  /** For how long an unreachable database is tried again at the start; 0 for one attempt. */
  readonly waitSeconds: number
}

/**
 * Serves until a signal ends it.
 *
 * @throws ConfigError, AuditError, or Problem when the database does not answer; nothing was listening then.
 */
export async function serve(
  variables: Readonly<Record<string, string | undefined>>,
  { waitSeconds }: ServeOptions,
): Promise<void> {
  const { config, mapping } = await loadConfiguration(variables)
  const output = openOutput()
  const log = createLog(config.logLevel, output)
  const releaseSignals = endOnSignal(log)
  await awaitDatabase(config, log, waitSeconds)
  const service = await buildService({
    config,
    mapping,
    log,
    clock: Date.now,
    ageClock: () => performance.now(),
    countDroppedLines: output.countDropped,
  })
  const { shutdownDelayMs, shutdownGraceMs } = config
  const limitMs = shutdownDelayMs + shutdownGraceMs
  const logger = {
    // Of a bare error pino would make its message the line's.
    error: (what: unknown) => {
      if (what instanceof Error) log.error({ err: what }, 'an error on the way to the end')
      else log.error(String(what))
    },
  }
  const grace = closeWithGrace({ delay: limitMs, logger }, async ({ err, signal }) => {
    if (err === undefined) log.info({ signal }, 'closing')
    else log.fatal({ err }, 'closing after an error')
    service.announceClosing()
    // A load balancer goes on sending requests here until it has seen /readyz, or was told by its orchestrator.
    if (err === undefined) await delay(shutdownDelayMs)
    await service.close()
  })
  releaseSignals()
  try {
    await service.app.listen(config.listen)
    if (config.ops.port !== 0) await service.ops.listen(config.ops)
  } catch (error) {
    // It would take the end of this process for one that was asked for.
    grace.uninstall()
    await service.close()
    throw error
  }
  log.info(
    {
      ops: config.ops.port === 0 ? undefined : service.ops.listeningOrigin,
      api: service.app.listeningOrigin,
    },
    'ready',
  )
}

/** Until the service can be closed, a signal ends the process at once: nothing listens yet. */
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

async function awaitDatabase(config: Config, log: Logger, waitSeconds: number): Promise<void> {
  await waitForDatabase({
    probe: async () => {
      const database = await openDatabase(config)
      try {
        await database.runQuery({ sql: 'select 1 as `one`', values: [] })
      } finally {
        await database.close()
      }
    },
    waitMs: waitSeconds * 1000,
    clock: () => performance.now(),
    sleep: (delayMs) => delay(delayMs),
    onFailure: ({ attempt, reason, delayMs }) => {
      log.warn({ attempt, reason, nextAttemptInMs: delayMs }, 'the database cannot be reached')
    },
  })
}

function openOutput(): LogOutput {
  // Reading process.stdout makes a pipe non-blocking, which a file descriptor alone does not.
  const output = createLogOutput(process.stdout.fd)
  process.on('exit', output.end)
  return output
}
