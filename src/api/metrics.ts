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
    observe: createEventMetrics(registry, collections),
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

function createEventMetrics(registry: Registry, collections: readonly string[]): Observe {
  const registers = [registry]
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
  const answered = new Counter({
    name: 'vitrine_problems_total',
    help: 'Error answers, by problem code.',
    labelNames: ['code'],
    registers,
  })
  const addressLimits = new Counter({
    name: 'vitrine_address_limits_total',
    help: 'Addresses that continued after their limit of failed authentications, once a minute each.',
    registers,
  })
  const foreignRows = new Counter({
    name: 'vitrine_foreign_rows_total',
    help: 'Results that had rows of another workspace, or of another request; none was shown.',
    registers,
  })
  // A counter that begins with its first event would hide that event from rate().
  for (const code of Object.keys(problems)) answered.inc({ code }, 0)
  for (const { list, item } of collections.map(toPaths))
    for (const route of [list, item]) for (const status of expectedStatuses) requests.zero({ route, status })
  const countInvalidRow = createInvalidRowCounter(registry, collections)
  // Of most events there is only a line in the log.
  return (event) => {
    if (event.kind === 'answered')
      requests.observe({ route: event.route, status: event.status }, event.durationMs / 1000)
    else if (event.kind === 'statement')
      statements.observe({ outcome: event.hasFailed ? 'failed' : 'ok' }, event.seconds)
    else if (event.kind === 'problem') answered.inc({ code: event.code })
    else if (event.kind === 'invalid row') countInvalidRow(event.collection, event.code)
    else if (event.kind === 'address limited') addressLimits.inc()
    else if (event.kind === 'foreign rows') foreignRows.inc()
  }
}

/** A label costs memory in every scraper, and a column can hold any number of codes. */
const codeLabels = { countMax: 20, lengthMax: 64, rest: 'other' } as const

/** @returns counts a row; its code is the stored one of a status that the mapping does not list. */
function createInvalidRowCounter(registry: Registry, collections: readonly string[]) {
  const registers = [registry]
  const invalidRows = new Counter({
    name: 'vitrine_invalid_rows_total',
    help: 'Rows read that cannot be represented.',
    labelNames: ['collection'],
    registers,
  })
  const unknownCodes = new Counter({
    name: 'vitrine_unknown_codes_total',
    help: 'Rows read with a status code that the mapping does not list.',
    labelNames: ['collection', 'code'],
    registers,
  })
  for (const collection of collections) invalidRows.inc({ collection }, 0)
  /** The first codes of the process; the rest has one label. */
  const known = new Set<string>()
  return (collection: string, stored: string | undefined): void => {
    invalidRows.inc({ collection })
    if (stored === undefined) return
    const code = escapeUnprintable(stored)
    if (code.length <= codeLabels.lengthMax && known.size < codeLabels.countMax) known.add(code)
    unknownCodes.inc({ collection, code: known.has(code) ? code : codeLabels.rest })
  }
}
