import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { escapeUnprintable } from '../client/text.js'
import { version } from '../client/headers.js'
import { readCommit } from '../commit.js'
import { problems } from '../problems.js'
import type { Observe } from './observation.js'
import { toPaths } from './paths.js'

/** The metrics of a process, for Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>

type ReadLabelled = () => readonly (readonly [labelValue: string, value: number])[]

/** The statuses that service objectives count. */
const expectedStatuses = [200, 304, 500, 503]

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Creates the metrics in a registry of their own, so that one process can have several.
 *
 * @param collections their names.
 */
export function createMetrics(collections: readonly string[]) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'vitrine_' })
  new Gauge({
    name: 'vitrine_build_info',
    help: 'Always 1; the labels are the version of this release and its commit.',
    labelNames: ['version', 'commit'],
    registers,
  }).set({ version, commit: readCommit() }, 1)
  return {
    /** The text of `/metrics`. */
    render: () => registry.metrics(),
    contentType: registry.contentType,
    /** Counts what happened. */
    observe: createEventMetrics(registers, collections),
    /** Registers a gauge that is read at each scrape. */
    watch: (name: string, help: string, read: () => number): void => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
    },
    /** The same with a value for each value of a label. */
    watchEach: (name: string, help: string, label: string, read: ReadLabelled): void => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset()
          for (const [key, value] of read()) this.set({ [label]: key }, value)
        },
      })
    },
    /** The same for a count since the start of the process. */
    watchCount: (name: string, help: string, read: () => number): void => {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
  }
}

function createEventMetrics(registers: Registry[], collections: readonly string[]): Observe {
  const requests = new Histogram({
    name: 'vitrine_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['route', 'status'],
    buckets,
    registers,
  })
  const statements = new Histogram({
    name: 'vitrine_database_statement_duration_seconds',
    help: 'Time from the sending of a statement to its last row, without the time in the queue.',
    labelNames: ['outcome'],
    buckets,
    registers,
  })
  const { answered, addressLimits, foreignRows, invalidRows, unknownCodes } = createCounters(registers)
  // A counter that begins with its first event would hide that event from rate().
  for (const code in problems) answered.inc({ code }, 0)
  for (const { list, item } of collections.map(toPaths))
    for (const route of [list, item]) for (const status of expectedStatuses) requests.zero({ route, status })
  for (const collection of collections) invalidRows.inc({ collection }, 0)
  const nameCode = createCodeNames()
  // Of most events there is only a line in the log.
  return (event) => {
    if (event.kind === 'answered')
      requests.observe({ route: event.route, status: event.status }, event.durationMs / 1000)
    else if (event.kind === 'statement')
      statements.observe({ outcome: event.hasFailed ? 'failed' : 'ok' }, event.seconds)
    else if (event.kind === 'problem') answered.inc({ code: event.code })
    else if (event.kind === 'invalid row') {
      const { collection, code } = event
      invalidRows.inc({ collection })
      if (code !== undefined) unknownCodes.inc({ collection, code: nameCode(code) })
    } else if (event.kind === 'address limited') addressLimits.inc()
    else if (event.kind === 'foreign rows') foreignRows.inc()
  }
}

function createCounters(registers: Registry[]) {
  const count = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers })
  return {
    answered: count('vitrine_problems_total', 'Error answers, by problem code.', ['code']),
    addressLimits: count(
      'vitrine_address_limits_total',
      'Addresses that continued after their limit of failed authentications, once a minute each.',
    ),
    foreignRows: count(
      'vitrine_foreign_rows_total',
      'Results that had rows of another workspace, or of another request; none was shown.',
    ),
    invalidRows: count('vitrine_invalid_rows_total', 'Rows read that cannot be represented.', ['collection']),
    unknownCodes: count(
      'vitrine_unknown_codes_total',
      'Rows read with a status code that the mapping does not list.',
      ['collection', 'code'],
    ),
  }
}

/** The label of a stored code that the mapping does not list. Labels cost memory: only the first codes have their own. */
function createCodeNames(): (stored: string) => string {
  const known = new Set<string>()
  return (stored) => {
    const code = escapeUnprintable(stored)
    if (code.length <= 64 && known.size < 20) known.add(code)
    return known.has(code) ? code : 'other'
  }
}
