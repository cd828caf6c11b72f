import { describe, expect, test } from 'vitest'
import { createOldestOpen, findSettled, readOldestOpen } from '../../../src/database/oldest-open.js'
import { parseDatabaseTime } from '../../../src/values/instant.js'

const now = '2026-11-23 10:00:00.000005'
const at = (time: string) => parseDatabaseTime(`2026-11-23 ${time}`)!

const read = (heartbeat: string | null, oldest: string | null, complete = 1) =>
  readOldestOpen(() => Promise.resolve([{ now, heartbeat, oldest, complete }]), {
    table: 'beats',
    column: 'ts',
    oldestOpen: 'oldest',
  })

describe('the oldest open transaction', () => {
  test('is the earliest of the rows, with the age of the oldest row', async () => {
    const found = { startedAt: at('09:00:00.5'), ageSeconds: 2 }
    expect(await read('2026-11-23 09:59:58', '2026-11-23 09:00:00.5')).toEqual(found)
    expect(await read('2026-11-23T09:59:58.000', '2026-11-23T09:00:00.500000Z')).toEqual(found)
  })

  test.each([
    ['no row', null, null, 1, 'Not every row has a time in UTC'],
    ['a row without it', '2026-11-23 09:59:58', '2026-11-23 09:00:00', 0, 'Not every row has a time in UTC'],
    ['another text', '2026-11-23 09:59:58', 'yesterday', 1, 'Not every row has a time in UTC'],
    ['the future', '2026-11-23 09:59:58', '2026-11-23 10:00:06', 1, 'It is in the future; it must be in UTC'],
  ])('is not known with %s', async (_, beat, oldest, complete, reason) => {
    expect(await read(beat, oldest, complete)).toEqual({ reason })
  })

  test('is not known where the server rejects the statement', async () => {
    const reject = () => Promise.reject(Object.assign(new Error('denied'), { errno: 1142 }))
    const found = await readOldestOpen(reject, { table: 'beats', column: 'ts', oldestOpen: 'oldest' })
    expect(found).toEqual({ reason: 'It cannot be read: denied' })
  })

  test('is known at a host while its row is not older than the limit, and each change is reported once', () => {
    const host = createOldestOpen(60)
    const note = (ageSeconds: number) => host.note({ startedAt: at('09:00:00'), ageSeconds })
    expect([host.isKnown(), host.find(), host.note(undefined)]).toEqual([undefined, undefined, []])
    expect([note(60), host.isKnown(), host.find()]).toEqual([[], true, at('09:00:00')])
    const unknown = { is: 'oldest open unknown', reason: 'A row is 61 s old' }
    expect([note(61), host.isKnown(), host.find(), note(62)]).toEqual([[unknown], false, undefined, []])
    expect([note(1), host.isKnown()]).toEqual([[{ is: 'oldest open known' }], true])
  })
})

test('what is settled is before the crawl and before the oldest open transaction, by the margin of clocks', () => {
  expect(findSettled(at('10:00:00'), at('09:00:00.5'))).toEqual(at('08:59:50.5'))
  expect(findSettled(at('10:00:00.5'), at('11:00:00'))).toEqual(at('09:59:50.5'))
})
