import { readFile, writeFile } from 'node:fs/promises'
import { beforeEach, expect, test } from 'vitest'
import type { AnyRecord } from '../../src/pull/copy.js'
import { describeCopies, page } from '../support/copies.js'
import { readNdjson } from '../support/pulling.js'

/** Creates records with consecutive ids. */
function records(count: number, start = 0, name = 'old'): readonly AnyRecord[] {
  const time = '2026-03-01T09:00:00.000Z'
  const rest = { eventId: 'E', status: 'S', email: 'e', checkedIn: false, checkedInAt: null }
  return Array.from({ length: count }, (_, index) => {
    const id = `r${String(start + index).padStart(5, '0')}`
    return { id, name, ...rest, createdAt: time, updatedAt: time }
  })
}

describeCopies('a full sync of a %s that would remove many records', ['ndjson', 'sqlite'], (one, form) => {
  const ids = async () => (await one.read()).map(({ id }) => id)
  const fill = async (count: number): Promise<void> => {
    await one.copy.begin(false)
    await one.copy.save(page(records(count), null, 'N1'))
  }
  /** A full sync that returns these records, the first of them on a page of its own. */
  const saveFull = async (seen: readonly AnyRecord[], allowRemovals?: boolean): Promise<void> => {
    expect(await one.copy.begin(true, allowRemovals)).toEqual({ since: null, cursor: null })
    await one.copy.save(page(seen.slice(0, 1), 'f1', 'N2'))
    await one.copy.save(page(seen.slice(1), null, 'N2'))
  }

  test.each([
    [300, 149, /would remove 151 of the 300 records/],
    [300, 0, /would remove 300 of the 300 records/],
    [101, 0, /would remove 101 of the 101 records/],
  ])('of %i keeps %i: an error with both numbers, and the copy is unchanged', async (held, kept, text) => {
    await fill(held)
    const before = await readFile(one.file)
    const outcome = saveFull(records(kept, 0, 'new'))
    await expect(outcome).rejects.toThrow(text)
    await expect(outcome).rejects.toThrow('--allow-removals')
    if (form === 'ndjson') expect((await readFile(one.file)).equals(before)).toBe(true)
    expect(await one.read()).toEqual(records(held))
    expect(await one.copy.count()).toEqual({ total: held, removed: 0 })
  })

  test.each([
    [300, 150],
    [100, 0],
    [150, 50],
    [1000, 899],
  ])('of %i keeps %i: removes the others', async (held, kept) => {
    await fill(held)
    await saveFull(records(kept, 0, 'new'))
    expect(await one.read()).toEqual(records(kept, 0, 'new'))
    expect(await one.copy.count()).toEqual({ total: kept, removed: held - kept })
  })

  test('new records do not count against removed ones', async () => {
    await fill(300)
    await expect(saveFull(records(300, 200))).rejects.toThrow(/would remove 200 of the 300/)
  })

  test('removes them with --allow-removals, also after an error', async () => {
    await fill(300)
    await expect(saveFull(records(2, 0, 'new'))).rejects.toThrow(/298 of the 300/)
    await saveFull(records(2, 0, 'newer'), true)
    expect(await one.read()).toEqual(records(2, 0, 'newer'))
    expect(await one.copy.count()).toEqual({ total: 2, removed: 298 })
    expect(await one.copy.begin(false)).toEqual({ since: 'N2', cursor: null })
  })

  test.each([false, true])(
    'after an error, the next sync starts where the last complete one ended; reopened: %s',
    async (isReopened) => {
      await fill(300)
      await expect(saveFull(records(2, 0, 'new'))).rejects.toThrow(/298 of the 300/)
      if (isReopened) await one.reopen()
      expect(await one.copy.begin(false)).toEqual({ since: 'N1', cursor: null })
      await one.copy.save(page(records(1, 0, 'changed'), null, 'N3'))
      expect(await one.read()).toEqual([...records(1, 0, 'changed'), ...records(299, 1)])
      expect(await one.copy.begin(false)).toEqual({ since: 'N3', cursor: null })
    },
  )

  test('a first full sync, which has nothing to remove, is complete', async () => {
    await saveFull(records(300))
    expect(await ids()).toHaveLength(300)
  })
})

describeCopies('a full sync of an %s that was killed before it was merged', ['ndjson'], (one) => {
  beforeEach(async () => {
    await one.copy.begin(false)
    await one.copy.save(page(records(300), null, 'N1'))
    // The state after a kill: it has every page, and the copy is the old one.
    const old = JSON.parse(await readFile(`${one.file}.state`, 'utf8')) as object
    const lines = [{ ...old, full: true }, { page: page(records(2, 0, 'new'), null, 'N2') }]
    await writeFile(`${one.file}.state`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await one.reopen()
  })

  test('removes nothing in a sync of changes, which starts where the last complete one ended', async () => {
    expect(await one.copy.begin(false)).toEqual({ since: 'N1', cursor: null })
    expect(await readNdjson(one.file)).toEqual(records(300))
    await one.copy.save(page([], null, 'N3'))
    expect(await readNdjson(one.file)).toEqual(records(300))
  })

  test('removes nothing in another full sync without permission', async () => {
    expect(await one.copy.begin(true)).toEqual({ since: null, cursor: null })
    expect(await readNdjson(one.file)).toEqual(records(300))
  })

  test('is merged in a full sync with permission', async () => {
    expect(await one.copy.begin(true, true)).toEqual({ since: null, cursor: null })
    expect(await readNdjson(one.file)).toEqual(records(2, 0, 'new'))
  })
})
