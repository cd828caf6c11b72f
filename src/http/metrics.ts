import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { problems } from '../errors.js'
import type { ProblemCode } from '../errors.js'

/** What is measured, for Prometheus. */
export interface Metrics {
  readonly countRequest: (route: string, status: number, seconds: number) => void
  readonly countInvalidRow: (collection: string) => void
  readonly countProblem: (code: ProblemCode) => void
  readonly countAddressLimit: () => void
  readonly observeStatement: (seconds: number, failed: boolean) => void
  /** Registers a gauge whose value is read at each scrape. */
  readonly watch: (name: string, help: string, read: () => number) => void
  /** A gauge that has a value for each of a fixed set of labels. */
  readonly watchEach: (
    name: string,
    help: string,
    read: { readonly label: string; readonly values: () => Readonly<Record<string, number>> },
  ) => void
  /** The same for a count since the start of the process. */
  readonly watchCount: (name: string, help: string, read: () => number) => void
  /** The same for several hosts of the database; undefined leaves a host out. */
  readonly watchHosts: (
    name: string,
    help: string,
    read: () => readonly (readonly [host: string, value: number | undefined])[],
  ) => void
  /** The text that `/metrics` answers. */
  readonly render: () => Promise<string>
  readonly contentType: string
}

/**
 * A registry of its own, so that two processes' worth of them can stand in one.
 *
 * @param collections their names.
 */
export function createMetrics(collections: readonly string[]): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'vitrine_' })
  return {
    ...createCounters(registry, collections),
    ...createReadMetrics(registry),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** Metrics whose values are read at each scrape. */
function createReadMetrics(
  registry: Registry,
): Pick<Metrics, 'watch' | 'watchCount' | 'watchEach' | 'watchHosts'> {
  return {
    watch: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
    watchEach: (name, help, { label, values }) => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect() {
          for (const [key, value] of Object.entries(values())) this.set({ [label]: key }, value)
        },
      })
    },
    watchCount: (name, help, read) => {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
    watchHosts: (name, help, read) => {
      new Gauge({
        name,
        help,
        labelNames: ['host'],
        registers: [registry],
        collect() {
          this.reset()
          for (const [host, value] of read()) if (value !== undefined) this.set({ host }, value)
        },
      })
    },
  }
}

type Counters = Pick<
  Metrics,
  'countRequest' | 'countInvalidRow' | 'countProblem' | 'countAddressLimit' | 'observeStatement'
>

function createCounters(registry: Registry, collections: readonly string[]): Counters {
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  const requests = new Histogram({
    name: 'vitrine_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['route', 'status'],
    buckets,
    registers: [registry],
  })
  const statements = new Histogram({
    name: 'vitrine_database_statement_duration_seconds',
    help: 'Time from the sending of a statement to its last row, without the wait for a connection.',
    labelNames: ['outcome'],
    buckets,
    registers: [registry],
  })
  const count = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const invalidRows = count(
    'vitrine_invalid_rows_total',
    'Stored rows that could not be shown truthfully.',
    'collection',
  )
  const answered = count('vitrine_problems_total', 'Answers that were a problem, by its code.', 'code')
  // A counter that begins with its first event hides it from rate().
  for (const code of Object.keys(problems)) answered.inc({ code }, 0)
  for (const collection of collections) invalidRows.inc({ collection }, 0)
  const addressLimits = count(
    'vitrine_address_limits_total',
    'Times that an address went on after its share of refused keys, at most once a minute each.',
  )
  return {
    countRequest: (route, status, seconds) => {
      requests.observe({ route, status }, seconds)
    },
    countInvalidRow: (collection) => {
      invalidRows.inc({ collection })
    },
    countProblem: (code) => {
      answered.inc({ code })
    },
    countAddressLimit: () => {
      addressLimits.inc()
    },
    observeStatement: (seconds, failed) => {
      statements.observe({ outcome: failed ? 'failed' : 'ok' }, seconds)
    },
  }
}
