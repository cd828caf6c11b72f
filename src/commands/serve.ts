import { setTimeout as delay } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import type { DestinationStream } from 'pino'
import { buildService } from './build-service.js'
import { createLog } from './create-log.js'
import { loadConfiguration } from './load-service.js'
import { endStart } from './spare-memory.js'

/**
 * Serves until a signal ends it.
 *
 * @throws ConfigError, AuditError, or Problem when the database does not answer; nothing was listening then.
 */
export async function serve(variables: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { config, mapping } = await loadConfiguration(variables)
  const output = openOutput()
  const log = createLog(config.logLevel, output)
  const service = await buildService({
    config,
    mapping,
    log,
    clock: Date.now,
    ageClock: () => performance.now(),
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
  try {
    endStart()
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

/** Gathers lines before it writes: a write for each would be the dearest part of a line. What ends here is written. */
function openOutput(): DestinationStream {
  const output = pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 })
  process.on('exit', () => {
    output.flushSync()
  })
  return output
}
