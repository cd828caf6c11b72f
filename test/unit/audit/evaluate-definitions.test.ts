import { describe, expect, test } from 'vitest'
import type { DefinedObject, Definition } from '../../../src/audit/definitions.js'
import {
  evaluateEngines,
  evaluateGeneratedColumns,
  evaluateViews,
} from '../../../src/audit/evaluate-definitions.js'
import type { ReachableColumn } from '../../../src/audit/reach.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { plainYaml } from '../../support/plain-mapping.js'
import { buildPrivileges } from '../../support/privileges.js'

const mapping = readMapping(plainYaml)
const privileges = buildPrivileges([])
const forbidden = 'einv_hash, which neverRead forbids'

const buildObject = (definition: Definition, rest: Partial<DefinedObject> = {}): DefinedObject => ({
  database: 'shop',
  name: 'invoices',
  mapped: true,
  behindView: false,
  definition,
  engine: definition.kind === 'table' ? 'InnoDB' : undefined,
  ...rest,
})
const buildTable = (sources: Readonly<Record<string, readonly string[]>>): Definition => ({
  kind: 'table',
  columns: new Map(Object.entries(sources)),
})

describe('a mapped column', () => {
  const evaluate = (
    columns: Readonly<Record<string, string>>,
    definition: Definition,
  ): readonly (readonly [string, string])[] =>
    evaluateGeneratedColumns(mapping, {
      privileges,
      objects: [buildObject(definition)],
      reach: {
        columns: Object.entries(columns).map(([column, expression]): ReachableColumn => ({
          table: 'invoices',
          column,
          privileges: ['select'],
          expression,
        })),
        objects: [],
        schemas: [],
      },
    }).map(({ object, problem, fix }) => [`${object}: ${problem}`, fix])

  test.each([
    ['a column of neverRead', { invoice_no: ['einv_hash'] }],
    ['one in two steps', { invoice_no: ['Step'], step: ['id', 'einv_hash'] }],
    ['one in a circle', { invoice_no: ['step'], step: ['invoice_no', 'einv_hash'] }],
    ['one beside a hidden column', { invoice_no: ['none', 'einv_hash'] }],
  ])('is an error where it is computed from %s', (_, sources) => {
    expect(evaluate({ invoice_no: '' }, buildTable(sources))).toEqual([
      [`invoices.invoice_no: computed from ${forbidden}`, expect.stringContaining('map another column')],
    ])
  })

  test('is an error where it is computed from a hidden column, with the grant that shows it', () => {
    const hidden = [
      [
        'invoices.invoice_no: computed from step, which cannot be seen: it may be computed from what neverRead forbids',
        'GRANT SHOW VIEW ON `shop`.`invoices` TO `vitrine`@`%`;',
      ],
    ]
    expect(evaluate({ invoice_no: 'concat(`step`)' }, { kind: 'hidden', type: 'BASE TABLE' })).toEqual(hidden)
    expect(evaluate({ invoice_no: '' }, buildTable({ invoice_no: ['step'] }))).toEqual(hidden)
  })

  test('is no finding where it is computed from other columns, and neither is a column that is not mapped', () => {
    expect(evaluate({ invoice_no: '' }, buildTable({ invoice_no: ['id'], id: ['invoice_no'] }))).toEqual([])
    expect(evaluate({ other: '' }, buildTable({ other: ['einv_hash'] }))).toEqual([])
  })
})

describe('a view', () => {
  const evaluate = (...objects: readonly DefinedObject[]): readonly (readonly [string, string])[] =>
    evaluateViews(mapping, { privileges, objects }).map(({ object, problem }) => [object, problem])
  const buildView = (names: readonly string[], functions: readonly string[] = []): DefinedObject => {
    const reads = [{ database: 'shop', name: 'invoices' }]
    return buildObject({ kind: 'view', text: { names, functions, reads }, reads }, { name: 'bills' })
  }
  const behind = (definition: Definition): DefinedObject =>
    buildObject(definition, { mapped: false, behindView: true })

  test.each([
    [
      'reads a column of neverRead',
      ['id', 'EINV_HASH'],
      [],
      'reads invoices.EINV_HASH, which neverRead forbids',
    ],
    ['reads a generated column', ['step'], [], `reads invoices.step, which is computed from ${forbidden}`],
    [
      'calls a stored function',
      ['id', 'f'],
      ['f'],
      'calls the function f, whose text cannot be seen: it may read what neverRead forbids',
    ],
  ])('is an error where it %s', (_, names, functions, problem) => {
    const table = behind(buildTable({ id: [], step: ['einv_hash'] }))
    expect(evaluate(buildView(names, functions), table)).toEqual([
      ['`shop`.`bills`', `a view that ${problem}`],
    ])
  })

  test('is no finding where it reads allowed columns', () => {
    expect(evaluate(buildView(['id']), behind(buildTable({ id: [] })))).toEqual([])
  })

  test.each(['BASE TABLE', 'VIEW', ''])('over a hidden object of type %o is an error', (type) => {
    const hidden = behind({ kind: 'hidden', type })
    expect(evaluate(buildView(['id']), hidden).map(([object]) => object)).toEqual(['`shop`.`invoices`'])
  })

  test('that is hidden is an error, and a mapped table that is hidden is not', () => {
    expect(evaluate(buildObject({ kind: 'hidden', type: 'VIEW' }))).toHaveLength(1)
    expect(evaluate(buildObject({ kind: 'hidden', type: 'BASE TABLE' }))).toEqual([])
  })
})

describe('the storage engine of a table', () => {
  const evaluate = (engine: string | undefined): readonly string[] =>
    evaluateEngines(mapping, [buildObject(buildTable({}), { engine })]).map(({ problem }) => problem)

  test.each(['InnoDB', 'MyISAM', 'Aria', 'MEMORY', 'ARCHIVE', 'ROCKSDB', 'ndbcluster', undefined])(
    'is no finding where the table holds its own rows: %s',
    (engine) => {
      expect(evaluate(engine)).toEqual([])
    },
  )

  test.each([
    'MRG_MyISAM',
    'MRG_MYISAM',
    'FEDERATED',
    'CONNECT',
    'SPIDER',
    'OQGRAPH',
    'BLACKHOLE',
    'unknown',
  ])('is an error where the table can show rows of others: %s', (engine) => {
    expect(evaluate(engine)).toEqual([expect.stringContaining(`the storage engine ${engine},`)])
  })
})
