import pino from 'pino'
import { expect, test } from 'vitest'
import { createEventLog } from '../../../src/api/log-events.js'
import { createMetrics } from '../../../src/api/metrics.js'

/** A row of an invoice that cannot be shown. */
function countRow({ observe }: ReturnType<typeof createMetrics>, code: string | undefined): void {
  observe({ kind: 'invalid row', collection: 'invoices', id: null, reason: 'r', code })
}

/** The lines of a metric. */
async function listLines(
  { render }: ReturnType<typeof createMetrics>,
  name: string,
): Promise<readonly string[]> {
  return (await render()).split('\n').filter((line) => line.startsWith(`${name}{`))
}

test('at most 20 codes have a label of their own; the others, and long ones, are counted together', async () => {
  const metrics = createMetrics(['registrations', 'invoices'])
  countRow(metrics, 'x'.repeat(65))
  countRow(metrics, undefined)
  for (let code = 0; code < 30; code += 1) countRow(metrics, String(code))
  countRow(metrics, '0')
  const lines = await listLines(metrics, 'vitrine_unknown_codes_total')
  expect(lines).toHaveLength(21)
  expect(lines).toContain('vitrine_unknown_codes_total{collection="invoices",code="0"} 2')
  expect(lines).toContain('vitrine_unknown_codes_total{collection="invoices",code="other"} 11')
  expect(await listLines(metrics, 'vitrine_invalid_rows_total')).toEqual([
    'vitrine_invalid_rows_total{collection="registrations"} 0',
    'vitrine_invalid_rows_total{collection="invoices"} 33',
  ])
})

test('the requests that service objectives count begin with 0, so that rate() sees the first of them', async () => {
  const lines = await listLines(
    createMetrics(['registrations']),
    'vitrine_http_request_duration_seconds_count',
  )
  const base = '/api/public/v1/registrations'
  expect(lines).toEqual(
    [base, `${base}/:id`].flatMap((route) =>
      [200, 304, 500, 503].map(
        (status) => `vitrine_http_request_duration_seconds_count{route="${route}",status="${status}"} 0`,
      ),
    ),
  )
})

test('a row that cannot be shown has one line in the log, whatever the number of its pages', () => {
  const lines: unknown[] = []
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) })
  const observe = createEventLog(log)
  const row = { kind: 'invalid row', collection: 'invoices', code: undefined } as const
  for (const id of ['1', '2', '1']) observe({ ...row, id, reason: 'name is NULL' })
  observe({ ...row, id: '1', reason: 'total is NULL' })
  expect(lines).toMatchObject([
    { id: '1', reason: 'name is NULL' },
    { id: '2', reason: 'name is NULL' },
    { id: '1', reason: 'total is NULL' },
  ])
})
