import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { keys } from '../product/index.js'
import { createClient } from '../support/client.js'
import { startService, useProduct, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'
import type { WholeMapping } from '../support/whole-mapping.js'

const throwaway = useThrowaway()
const database = useProduct('plain', { registrations: 100 })

/** The lines of requests, in their order. */
const requestsOf = (service: TestService): readonly Readonly<Record<string, unknown>>[] =>
  service.logLines().filter(({ msg }) => msg === 'request')

test('a request has one line in the log, with all that an operator asks for', async () => {
  const service = await startService(database)
  const client = createClient(service)
  const { body } = await client.get('registrations', { limit: 3 }, { 'x-request-id': 'mine' })
  await client.get(`registrations/${String(body.data[0]!['id'])}`)
  await client.get('nothing')
  await client.get('invoices', { limit: 0 })
  const [list, item, nothing, wrong] = requestsOf(service)
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(list).toEqual({
    level: 30,
    time: expect.any(Number) as number,
    reqId: 'mine',
    method: 'GET',
    route: '/api/public/v1/registrations',
    status: 200,
    durationMs: expect.any(Number) as number,
    databaseMs: expect.any(Number) as number,
    // Of the stored hash, so that support can compute it.
    keyId: digest(digest(keys.both)).slice(0, 12),
    workspaceId: database.product.workspaceId(0),
    rows: 3,
    msg: 'request',
  })
  expect(item).toMatchObject({ route: '/api/public/v1/registrations/:id', rows: 1 })
  expect(nothing).toMatchObject({ route: '(none)', status: 404, code: 'not_found', databaseMs: 0 })
  expect(wrong).toMatchObject({ status: 400, code: 'invalid_parameter', parameter: 'limit' })
  for (const { durationMs, databaseMs } of [list!, item!]) {
    expect(Number(databaseMs)).toBeGreaterThan(0)
    expect(Number(databaseMs)).toBeLessThanOrEqual(Number(durationMs))
  }
})

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
  readonly templating: { readonly list: readonly { readonly definition?: string }[] }
}

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[]
}

const dashboard = JSON.parse(readFileSync('docker/grafana-dashboard.json', 'utf8')) as Dashboard
const dashboardQueries = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ definition = '' }) => definition),
]
const ruleQueries = (parse(readFileSync('docker/prometheus-rules.yaml', 'utf8')) as RuleFile).groups.flatMap(
  ({ rules }) => rules.map(({ expr }) => expr),
)

/** Each selector of our own metrics in a query, with a matcher for each of its labels. */
function listSelectors(
  query: string,
): readonly { text: string; name: string; matchers: readonly RegExp[] }[] {
  return [...query.matchAll(/\b(vitrine_\w+)(?:\{([^}]*)\})?/g)].map(([text, name = '', labels = '']) => ({
    text,
    name,
    matchers: [...labels.matchAll(/(\w+)(=~|!~|=|!=)"([^"]*)"/g)]
      .filter(([, label = '']) => !targetLabels.includes(label))
      .map(([, label = '', operator = '', value = '']) => {
        const pattern = operator.endsWith('~') ? `(?:${value})` : value
        return new RegExp(
          operator.startsWith('!') ? `[{,]${label}="(?!${pattern}")` : `[{,]${label}="${pattern}"`,
        )
      }),
  }))
}

/** What Prometheus adds to every series. */
const targetLabels = ['vitrine', 'job', 'instance']

/** All that a service with every kind of series exposes. */
async function scrapeAll(): Promise<readonly string[]> {
  const whole = await throwaway.createProduct('plain', { registrations: 100 })
  const service = await startService(whole, { change: (mapping) => nameStatuses(mapping) })
  await createClient(service).get('registrations')
  await createClient(service, keys.revoked).get('registrations')
  return (await service.ops.inject('/metrics')).body.split('\n').filter((line) => /^vitrine_/.test(line))
}

/** A mapping with a heartbeat that lists a status that no row has, so that every row has one that is not listed. */
const nameStatuses = (mapping: WholeMapping): Mapping => ({
  ...mapping,
  heartbeat: { table: 'event_registrations', column: 'updated_at', oldestOpen: 'created_at' },
  registrations: {
    ...mapping.registrations,
    fields: { ...mapping.registrations.fields, status: { column: 'reg_status', values: { none: 'NONE' } } },
  },
})

test('every selector of the dashboard and of the rules finds a series of the service, by its name, labels and values, and the dashboard shows every metric of our own', async () => {
  const series = await scrapeAll()
  const isExposed = ({ name, matchers }: ReturnType<typeof listSelectors>[number]): boolean =>
    series.some((line) => line.split(/[{ ]/)[0] === name && matchers.every((matcher) => matcher.test(line)))
  const selectors = [...dashboardQueries, ...ruleQueries].flatMap(listSelectors)
  expect(selectors.length).toBeGreaterThan(50)
  expect(selectors.filter((selector) => !isExposed(selector)).map(({ text }) => text)).toEqual([])
  const toFamily = (name = ''): string => name.replace(/_(?:bucket|sum|count)$/, '')
  const own = series
    .map((line) => toFamily(line.split(/[{ ]/)[0]))
    .filter((name) => !/^vitrine_(?:nodejs|process)/.test(name))
  const shown = new Set(dashboardQueries.flatMap(listSelectors).map(({ name }) => toFamily(name)))
  expect([...new Set(own)].filter((name) => !shown.has(name))).toEqual([])
})
