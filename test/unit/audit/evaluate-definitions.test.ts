import { describe, expect, test } from 'vitest'
import type { DefinedObject } from '../../../src/audit/definitions.js'
import { evaluateEngines } from '../../../src/audit/evaluate-definitions.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { plainYaml } from '../../support/plain-mapping.js'

const mapping = readMapping(plainYaml)

const buildTable = (engine: string | undefined): DefinedObject => ({
  database: 'shop',
  name: 'invoices',
  mapped: true,
  behindView: false,
  definition: { kind: 'table', columns: new Map() },
  engine,
})

describe('the storage engine of a table', () => {
  const evaluate = (engine: string | undefined): readonly string[] =>
    evaluateEngines(mapping, [buildTable(engine)]).map(({ problem }) => problem)

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
