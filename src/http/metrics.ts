import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

/** What is measured, for Prometheus. */
export interface Metrics {
  readonly countRequest: (route: string, status: number, seconds: number) => void
  readonly countInvalidRow: (collection: string) => void
  readonly watch: (name: string, help: string, read: () => number) => void
  /** The text that `/metrics` answers. */
  readonly render: () => Promise<string>
  readonly contentType: string
}

/** A registry of its own, so that two processes' worth of them can stand in one. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'vitrine_' })
  const requests = new Histogram({
    name: 'vitrine_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const invalidRows = new Counter({
    name: 'vitrine_invalid_rows_total',
    help: 'Stored rows that could not be shown truthfully.',
    labelNames: ['collection'],
    registers: [registry],
  })
  return {
    countRequest: (route, status, seconds) => {
      requests.observe({ route, status }, seconds)
    },
    countInvalidRow: (collection) => {
      invalidRows.inc({ collection })
    },
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
    render: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
