import { expect, test } from 'vitest'
import { parseDatabaseTime } from '../../../src/values/instant.js'
import { parseZone } from '../../../src/values/zone.js'

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
