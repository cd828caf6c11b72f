import { expect, test } from 'vitest'
import { parseApiTime, parseDatabaseTime, toDatabaseTime } from '../../../src/values/instant.js'
import { parseZone } from '../../../src/values/zone.js'

const berlin = parseZone('Europe/Berlin')!

test.each([
  ['2026-03-29T00:59:59.5Z', '2026-03-29 01:59:59.500000'],
  ['2026-03-29T01:00:00Z', '2026-03-29 02:00:00.000000'],
  ['2026-03-29T01:00:00.000001Z', '2026-03-29 03:00:00.000001'],
  ['2026-10-24T23:59:59Z', '2026-10-25 01:59:59.000000'],
  ['2026-10-25T00:30:00Z', '2026-10-25 02:00:00.000000'],
  ['2026-10-25T00:59:59.999999Z', '2026-10-25 02:00:00.000000'],
  ['2026-10-25T01:20:00Z', '2026-10-25 02:20:00.000000'],
  ['2026-10-25T02:00:00Z', '2026-10-25 03:00:00.000000'],
])(
  'the first local time of %s is %s: no row that was written then or later has an earlier one',
  (instant, local) => {
    expect(toDatabaseTime(parseApiTime(instant)!, berlin, 6)).toBe(local)
  },
)

test('no offset and no name is no zone; a name may be in any case', () => {
  expect([parseZone('Europe/Berln'), parseZone('berlin'), parseZone('')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(parseDatabaseTime('2026-07-15 12:00:00', parseZone('asia/riyadh'))?.seconds).toBe(
    Date.UTC(2026, 6, 15, 9) / 1000,
  )
})
