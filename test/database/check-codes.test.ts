import { beforeAll, describe, expect, test } from 'vitest'
import type { Section } from '../../src/tools/report/report.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { changeMapping, findSection, rowsOf, runCheck } from '../support/checking.js'
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

describe('a status that is NULL', () => {
  test('is no stored value: otherwise does not accept it, and a case of when does', async () => {
    await runStatements(database.adminUrl, [
      'UPDATE `attendees?` SET `state` = 1',
      'ALTER TABLE `attendees?` MODIFY `state` TINYINT NULL',
      'UPDATE `attendees?` SET `state` = NULL WHERE is_deleted = 0 AND hidden_at IS NULL ORDER BY `attendee no` LIMIT 2',
    ])
    const old =
      'status: { column: state, values: { 1: CONFIRMED, 2: PENDING, 3: CANCELLED, 4: WAITLISTED, 7: CONFIRMED } }'
    const others = await changeMapping(database, old, old.replace(' } }', ' }, otherwise: OTHER }'))
    const { findings } = await findSample(others)
    expect(findings.map(({ problem, fix }) => [problem, fix])).toEqual([
      [
        expect.stringMatching(/^2 rows of the sample cannot be shown: status is NULL /),
        'correct the rows; or, because NULL is no stored value, write registrations.fields.status as when, with { column: state, is: unset, then: … } as its first case',
      ],
    ])
    const cases = '{ column: state, is: unset, then: NONE }, { column: state, equals: 1, then: CONFIRMED }'
    const whole = await changeMapping(database, old, `status: { when: [${cases}], otherwise: OTHER }`)
    const section = await findSample(whole)
    expect(section.findings).toEqual([])
    expect(rowsOf(section, 'samples')[0]).toMatchObject({ collection: 'registrations', refused: 0 })
  })
})
