import { expect, test } from 'vitest'
import { createDryCopy, renderChanges } from '../../src/pull/copy.js'
import { change, describeCopies, record, sync } from '../support/copies.js'

describeCopies('a dry run over a copy in a %s', ['ndjson', 'sqlite'], (one) => {
  test.each([
    [false, [], 4],
    [true, ['c'], 3],
  ])('counts what would change, and changes nothing; full: %s', async (full, removedIds, total) => {
    await sync(one.copy, false, change('s1', [record('a'), record('b'), record('c')]))
    const dry = createDryCopy(one.copy)
    const first = change('s2', [record('a'), record('b', 'first')])
    const last = change('s3', [record('b', 'second'), record('d')], removedIds)
    expect(await sync(dry, full, first, last)).toBe(total)
    expect(dry.countChanges()).toEqual({ added: 1, changed: 1, unchanged: 1, removed: removedIds.length })
    expect(await one.read()).toEqual([record('a'), record('b'), record('c')])
    await one.reopen()
    expect([await one.copy.begin(false), await one.copy.readState()]).toEqual([3, 's1'])
  })

  test('adds everything to a copy without records', async () => {
    const dry = createDryCopy(one.copy)
    expect(await sync(dry, true, change('s1', [record('a')]))).toBe(1)
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
