import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { problems } from '../errors.js'
import { escapeUnprintable } from '../client/printable.js'
import type { ProblemCode } from '../errors.js'
import { toPaths } from './paths.js'

/** The metrics of a process, for Prometheus. */
export interface Metrics extends EventMetrics, WatchedMetrics {
  /** The text of `/metrics`. */
  readonly render: () => Promise<string>
  readonly contentType: string
}

/** Metrics that are updated by each event. */
interface EventMetrics {
  readonly countRequest: (route: string, status: number, seconds: number) => void
  /** @param code the stored code of a status that the mapping does not list. */
  readonly countInvalidRow: (collection: string, code: string | undefined) => void
  readonly countProblem: (code: ProblemCode) => void
  readonly countAddressLimit: () => void
  readonly observeStatement: (seconds: number, failed: boolean) => void
}

/** Registers metrics whose values are read at each scrape. */
interface WatchedMetrics {
  readonly watch: (name: string, help: string, read: () => number) => void
  /** A gauge with a value for each value of a label; undefined leaves one out. */
  readonly watchEach: (metric: LabelledMetric) => void
  /** A gauge that is always 1, for its labels. */
  readonly inform: (name: string, help: string, labels: Readonly<Record<string, string>>) => void
  /** A count since the start of the process. */
  readonly watchCount: (name: string, help: string, read: () => number) => void
}

interface LabelledMetric {
  readonly name: string
  readonly help: string
  readonly label: string
  readonly read: () => readonly (readonly [labelValue: string, value: number | undefined])[]
}

/**
 * Creates the metrics in a registry of their own, so that one process can have several.
 *
 * @param collections their names.
 */
export function createMetrics(collections: readonly string[]): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'vitrine_' })
  return {
    ...createEventMetrics(registry, collections),
    ...createWatchedMetrics(registry),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function createWatchedMetrics(registry: Registry): WatchedMetrics {
  const registers = [registry]
  return {
    watch: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
    },
    watchEach: ({ name, help, label, read }) => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset()
          for (const [key, value] of read()) if (value !== undefined) this.set({ [label]: key }, value)
        },
      })
    },
    inform: (name, help, labels) => {
      new Gauge({ name, help, labelNames: Object.keys(labels), registers }).set({ ...labels }, 1)
    },
    watchCount: (name, help, read) => {
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

/** The statuses that service objectives count. */
const expectedStatuses = [200, 304, 500, 503]

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

function createEventMetrics(registry: Registry, collections: readonly string[]): EventMetrics {
  const registers = [registry]
  const histogram = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const requests = histogram(
    'vitrine_http_request_duration_seconds',
    'Time from the arrival of a request to the end of its answer.',
    'route',
    'status',
  )
  const statements = histogram(
    'vitrine_database_statement_duration_seconds',
    'Time from the sending of a statement to its last row, without the time in the queue.',
    'outcome',
  )
  const answeredProblems = counter('vitrine_problems_total', 'Error answers, by problem code.', 'code')
  const addressLimits = counter(
    'vitrine_address_limits_total',
    'Addresses that continued after their limit of failed authentications, once a minute each.',
  )
  // A counter that begins with its first event would hide that event from rate().
  for (const code of Object.keys(problems)) answeredProblems.inc({ code }, 0)
  for (const { list, item } of collections.map(toPaths))
    for (const route of [list, item]) for (const status of expectedStatuses) requests.zero({ route, status })
  return {
    countRequest: (route, status, seconds) => {
      requests.observe({ route, status }, seconds)
    },
    countInvalidRow: createInvalidRowCounter(registry, collections),
    countProblem: (code) => {
      answeredProblems.inc({ code })
    },
    countAddressLimit: () => {
      addressLimits.inc()
    },
    observeStatement: (seconds, failed) => {
      statements.observe({ outcome: failed ? 'failed' : 'ok' }, seconds)
    },
  }
}

function createInvalidRowCounter(
  registry: Registry,
  collections: readonly string[],
): EventMetrics['countInvalidRow'] {
  const registers = [registry]
  const invalidRows = new Counter({
    name: 'vitrine_invalid_rows_total',
    help: 'Stored rows that cannot be represented.',
    labelNames: ['collection'],
    registers,
  })
  const unknownCodes = new Counter({
    name: 'vitrine_unknown_codes_total',
    help: 'Rows read with a status code that the mapping does not list.',
    labelNames: ['collection', 'code'],
    registers,
  })
  const toCodeLabel = createCodeLabels()
  for (const collection of collections) invalidRows.inc({ collection }, 0)
  return (collection, code) => {
    invalidRows.inc({ collection })
    if (code !== undefined) unknownCodes.inc({ collection, code: toCodeLabel(escapeUnprintable(code)) })
  }
}

/** A label costs memory in every scraper, and a column can hold any number of codes. */
const codeLabels = { countMax: 20, lengthMax: 64, rest: 'other' } as const

/** The label of a code: itself for the first ones of the process, `other` for the rest. */
function createCodeLabels(): (code: string) => string {
  const known = new Set<string>()
  return (code) => {
    if (code.length > codeLabels.lengthMax) return codeLabels.rest
    if (known.size < codeLabels.countMax) known.add(code)
    return known.has(code) ? code : codeLabels.rest
  }
}
