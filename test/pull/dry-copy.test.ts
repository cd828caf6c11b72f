import { expect, test } from 'vitest'
import type { AnyRecord } from '../../src/pull/copy.js'
import { createDryCopy, renderChanges } from '../../src/pull/dry-copy.js'
import { describeCopies, page } from '../support/copies.js'

const record = (id: string, name = id): AnyRecord => {
  const time = '2026-03-01T09:00:00.000Z'
  const rest = { eventId: 'E', status: 'S', email: 'e', checkedIn: true, checkedInAt: null }
  return { id, name, ...rest, createdAt: time, updatedAt: time }
}

describeCopies('a dry run over a copy in a %s', ['ndjson', 'sqlite'], (one) => {
  test.each([
    [false, { removed: 0 }, 4],
    [true, { removed: 1 }, 3],
  ])('counts what would change, and changes nothing; full: %s', async (full, expected, total) => {
    await one.copy.begin(false)
    await one.copy.save(page([record('a'), record('b'), record('c')], null))
    const dry = createDryCopy(one.copy)
    await dry.begin(full)
    await dry.save(page([record('a'), record('b', 'first')], 'c1'))
    await dry.save(page([record('b', 'second'), record('d')], null, 'N2'))
    expect(dry.countChanges()).toEqual({ added: 1, changed: 1, unchanged: 1, ...expected })
    expect(await dry.count()).toEqual({ total, ...expected })
    expect(await one.read()).toEqual([record('a'), record('b'), record('c')])
    expect(await one.copy.begin(false)).toEqual({ since: 'N1', cursor: null })
  })

  test('adds everything to a copy without records', async () => {
    const dry = createDryCopy(one.copy)
    await dry.begin(true)
    await dry.save(page([record('a')], null))
    expect(dry.countChanges()).toEqual({ added: 1, changed: 0, unchanged: 0, removed: 0 })
  })
})

test('the changes in words name the option that they would need', () => {
  const changes = { added: 1, changed: 2, unchanged: 3, removed: 4 }
  const words = 'would add 1, change 2, leave 3 unchanged and remove 4; nothing was written'
  expect(renderChanges(changes, 6)).toBe(words)
  expect(renderChanges({ ...changes, removed: 1000 }, 6)).toContain(
    'remove 1,000, which needs --allow-removals; ',
  )
})
