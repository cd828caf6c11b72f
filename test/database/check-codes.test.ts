import { beforeAll, describe, expect, test } from 'vitest'
import type { Section } from '../../src/tools/report/report.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { changeMapping, findSection, runCheck } from '../support/checking.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase

beforeAll(async () => {
  database = await throwaway.createProduct('awkward', { registrations: 80 })
  await runStatements(database.adminUrl, [
    'UPDATE `attendees?` SET `state` = 1',
    'UPDATE `attendees?` SET `state` = 88 WHERE is_deleted = 0 AND hidden_at IS NULL ORDER BY `attendee no` LIMIT 3',
    'UPDATE `attendees?` SET `state` = 77 WHERE is_deleted = 0 AND hidden_at IS NULL ORDER BY `attendee no` DESC LIMIT 1',
    'UPDATE `attendees?` SET `state` = 66 WHERE is_deleted = 1',
  ])
})

const findSample = async (of = database): Promise<Section> => findSection(await runCheck(of), 'sample')
const listFindings = async (of = database): Promise<Section['findings']> =>
  (await findSample(of)).findings.filter(({ object }) => object === 'attendees?.state')

describe('a status code that the mapping does not list', () => {
  test('is named with its rows and the line that accepts it; archived rows do not count', async () => {
    expect(await listFindings()).toEqual([
      {
        severity: 'warning',
        object: 'attendees?.state',
        problem: 'has status codes that the mapping does not list: 88 (3 rows), 77 (1 row)',
        fix: 'say what they mean in registrations.fields.status.values: { 88: …, 77: … }; or registrations.fields.status.otherwise: OTHER',
      },
    ])
    const sample = await findSample()
    expect(sample.findings.filter(({ problem }) => problem.includes('is not in the mapping'))).toEqual([])
  })

  test('has no finding with a word for all others', async () => {
    const others = await changeMapping(database, '7: CONFIRMED }', '7: CONFIRMED }, otherwise: OTHER')
    expect(await listFindings(others)).toEqual([])
  })
})
