import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { expectIssues, listIssueTexts } from '../../support/issues.js'
import { changeSchema, plainSchema, plainYaml, replacePart } from '../../support/plain-mapping.js'
import { schemas, setOption, yamls } from '../../support/plain-mapping.js'
import { buildTable } from '../../support/schema.js'

/* Every mistake of a mapping is an issue at its own place: what was found, and what is allowed instead. */

const i = 'invoices.fields'
const gone = 'which does not exist or may not be read'

type Case = [place: string, option: string | null, ...issues: string[]]
type Mark = [value: string, type: string, found?: string]
type Typed = [place: string, column: string, type: string | null, issue?: string]

const tables = parse(readFileSync(new URL('issues.yaml', import.meta.url), 'utf8')) as {
  readonly plain: Case[]
  readonly lookups: Case[]
  readonly types: Typed[]
  readonly marks: Mark[]
}

function expectCase(yaml: string, schema: typeof plainSchema, [place, option, ...issues]: Case): void {
  const expected = issues.map((issue) => {
    if (issue.startsWith('!')) return issue.slice(1)
    return issue.startsWith('.') ? place + issue : `${place}: ${issue}`
  })
  expectIssues(listIssueTexts(setOption(yaml, place, option ?? undefined), schema), expected)
}

test.each<Case>(tables.plain)('in the plain file: %s as %s', (...row) => {
  expectCase(plainYaml, plainSchema, row)
})

const lines = buildTable('lines', {
  ...{ bill: 'int', code: 'char(9) utf8mb4_bin', net: 'decimal(12,2)', rate: 'double' },
  ...{ most: 'decimal(43,30)', more: 'decimal(44,0)' },
})

test.each<Case>(tables.lookups)('in forms that read other tables: %s as %s', (...row) => {
  expectCase(yamls.ticketing, new Map([...schemas.ticketing, ['lines', lines]]), row)
})

describe('in the types of columns', () => {
  test.each<Typed>(tables.types)('%s: %s as %s', (place, column, type, issue) => {
    const [table = '', name = ''] = column.split('.')
    const found = listIssueTexts(plainYaml, changeSchema([[table, name, type ?? undefined]]))
    const plainType = type?.replace(/ \w+_\w+$/, '')
    if (type === null) expectIssues(found, [`${place}: ${column}, ${gone} (a column that the database user`])
    else expectIssues(found, issue === undefined ? [] : [`${place}: ${column} of type ${plainType} ${issue}`])
  })

  test.each<Mark>(tables.marks)('the mark of archived %s in %s', (value, type, found) => {
    const yaml = setOption(plainYaml, 'registrations.archived', `{ column: archived_at, equals: ${value} }`)
    const issues = listIssueTexts(yaml, changeSchema([['event_registrations', 'archived_at', type]]))
    expectIssues(issues, found === undefined ? [] : [`registrations.archived: ${found}`])
  })
})

test('all of them together, what is left open first', () => {
  const changes = [
    ['currency: currency_code', 'currency: TODO # of all invoices'],
    ['column: archived_at', "column: 'TODO: the column'"],
    ['format: space', 'format: tabs'],
  ] as const
  const text = changes.reduce((whole, [part, by]) => replacePart(whole, part, by), plainYaml)
  expectIssues(listIssueTexts(text, plainSchema), [
    'registrations.archived.column: TODO: the column (a column name',
    `${i}.currency: TODO: of all invoices (a column name`,
    'apiKeys.scopes.format: "tabs"',
  ])
})

test('a file without a collection, or that is not a section', () => {
  const text = `${plainYaml.slice(0, plainYaml.indexOf('registrations:\n'))}neverRead: []\n`
  expectIssues(listIssueTexts(text, plainSchema), ['registrations: nothing, and no invoices either'])
  for (const other of ['', '[]', 'just text', '5'])
    expect(listIssueTexts(other, plainSchema)[0]).toMatch(/^\(root\): /)
})
