import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { pages } from '../../support/readme.js'

interface Rule {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

interface TestFile {
  readonly tests: readonly {
    readonly promql_expr_test: readonly { readonly expr: string; readonly exp_samples?: readonly unknown[] }[]
  }[]
}

const read = (file: string): string => readFileSync(file, 'utf8')
const { groups } = parse(read('docker/prometheus-rules.yaml')) as {
  groups: readonly { readonly rules: readonly Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter(({ alert }) => alert !== undefined)

test('there are at most eleven alerts, and the page names each with its severity', () => {
  expect(alerts.length).toBeLessThanOrEqual(11)
  const rows = [...(pages.get('docs/observe.md') ?? '').matchAll(/^\| `(Vitrine\w+)` +\| (page|ticket) /gm)]
  expect(rows.map(([, name, severity]) => [name, severity])).toEqual(
    alerts.map(({ alert, labels }) => [alert, labels?.['severity']]),
  )
})

test('every alert says what is wrong and what to do, and has a case in which it fires and one in which it does not', () => {
  for (const { annotations = {} } of alerts)
    expect(Object.keys(annotations)).toEqual(['summary', 'description', 'action', 'runbook_url'])
  const cases = (parse(read('test/prometheus/alerts.yaml')) as TestFile).tests.flatMap(
    (one) => one.promql_expr_test,
  )
  const lacking = alerts.filter(({ alert }) =>
    [true, false].some(
      (fires) =>
        !cases.some(
          ({ expr, exp_samples: samples = [] }) => expr.includes(alert!) && samples.length > 0 === fires,
        ),
    ),
  )
  expect(lacking.map(({ alert }) => alert)).toEqual([])
})

test('every recorded series that a rule or the dashboard reads is one that a rule records', () => {
  const recorded = rules.flatMap(({ record }) => record ?? [])
  const texts = [...rules.map(({ expr }) => expr), read('docker/grafana-dashboard.json')]
  const used = texts.flatMap((text) => text.match(/\bvitrine:\w+:\w+/g) ?? [])
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((name) => !recorded.includes(name))).toEqual([])
  expect(recorded.filter((name) => !used.includes(name))).toEqual([])
})
