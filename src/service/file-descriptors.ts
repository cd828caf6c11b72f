import { close, open } from 'node:fs'
import { devNull } from 'node:os'
import type { Logger } from 'pino'
import type { Metrics } from '../http/metrics.js'

/** How often a file descriptor is opened, in milliseconds. */
const probeMs = 1000

/**
 * Finds out whether a file descriptor is free. Nothing else does: without one, Node closes new connections without an event, and
 * the ops port does not answer.
 *
 * @returns what ends it.
 */
export function watchFileDescriptors(log: Logger, metrics: Pick<Metrics, 'watchCount'>): () => void {
  let exhausted = 0
  let isExhausted = false
  metrics.watchCount(
    'vitrine_file_descriptors_exhausted_total',
    'Checks, once a second, that found no free file descriptor.',
    () => exhausted,
  )
  const timer = setInterval(() => {
    open(devNull, 'r', (error, descriptor) => {
      if (error === null) close(descriptor)
      const wasExhausted = isExhausted
      isExhausted = error?.code === 'EMFILE' || error?.code === 'ENFILE'
      if (isExhausted) exhausted += 1
      if (isExhausted && !wasExhausted)
        log.error(
          { err: error },
          'no file descriptor is free: new connections are closed without an answer; raise the limit of open files (ulimit -n, LimitNOFILE)',
        )
      if (!isExhausted && wasExhausted) log.info('file descriptors are free again')
    })
  }, probeMs)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}
