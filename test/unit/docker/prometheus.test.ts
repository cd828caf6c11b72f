import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { pages, readRunbook } from '../../support/readme.js'

interface Rule {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]
}

interface TestFile {
  readonly tests: readonly {
    readonly promql_expr_test: readonly { readonly expr: string; readonly exp_samples?: readonly unknown[] }[]
  }[]
}

const rulesText = readFileSync('docker/prometheus-rules.yaml', 'utf8')
const rules = (parse(rulesText) as RuleFile).groups.flatMap((group) => group.rules)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const alertNames = alerts.map(({ alert }) => alert!)
const testFiles = readdirSync('test/prometheus')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => `test/prometheus/${name}`)

test('every alert has a case in which it fires, and one in which a similar situation does not', () => {
  const cases = testFiles.flatMap((file) =>
    (parse(readFileSync(file, 'utf8')) as TestFile).tests.flatMap((one) => one.promql_expr_test),
  )
  const findCases = (name: string, fires: boolean): number =>
    cases.filter(
      ({ expr, exp_samples: samples = [] }) =>
        new RegExp(`alertname=~?"[^"]*\\b${name}\\b`).test(expr) && samples.length > 0 === fires,
    ).length
  expect(alertNames.filter((name) => findCases(name, true) === 0)).toEqual([])
  expect(alertNames.filter((name) => findCases(name, false) === 0)).toEqual([])
})

test('every alert has one of two severities, a summary, a description, and a section of the runbook, in the same order', () => {
  const [, ...sections] = readRunbook().keys()
  expect(sections).toEqual(alertNames)
  for (const { alert, labels, annotations } of alerts) {
    expect(Object.keys(annotations ?? {})).toEqual(['summary', 'description', 'runbook_url'])
    expect(annotations!['runbook_url']).toBe(`docs/observe.md#${alert!.toLowerCase()}`)
    expect(labels).toEqual({
      severity: expect.stringMatching(/^(?:page|ticket)$/) as string,
      service: 'vitrine',
    })
  }
})

test('docs/observe.md names every alert in the table of metrics or of objectives, and no other', () => {
  const [before = ''] = (pages.get('docs/observe.md') ?? '').split('\n## Runbook\n')
  const named = [...before.matchAll(/\[(Vitrine\w+)\]\(#(\w+)\)/g)]
  for (const [, name = '', anchor] of named) expect(anchor).toBe(name.toLowerCase())
  expect([...new Set(named.map(([, name]) => name))].sort()).toEqual([...alertNames].sort())
})

test('every recorded series that a rule or the dashboard reads is one that a rule records', () => {
  const recorded = new Set(rules.flatMap(({ record }) => record ?? []))
  const texts = [...rules.map(({ expr }) => expr), readFileSync('docker/grafana-dashboard.json', 'utf8')]
  const read = texts.flatMap((text) => text.match(/\bvitrine:\w+:\w+/g) ?? [])
  expect(read.length).toBeGreaterThan(20)
  expect(read.filter((name) => !recorded.has(name))).toEqual([])
  expect([...recorded].filter((name) => !read.includes(name))).toEqual([])
})

interface Panel {
  readonly id: number
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
}

test('panels of the dashboard have ids of their own, and none covers another', () => {
  const { panels } = JSON.parse(readFileSync('docker/grafana-dashboard.json', 'utf8')) as { panels: Panel[] }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)}/${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
})
