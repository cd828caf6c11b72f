import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openSqlite } from '../../src/pull/sqlite-table.js'
import type { AnyRecord } from '../../src/pull/copy.js'
import { describeCopies, page } from '../support/copies.js'

const time = '2026-03-01T09:00:00.000Z'
const rest = { eventId: 'E', status: 'S', email: 'e', checkedIn: false, checkedInAt: null }
const record = (id: string): AnyRecord => ({ id, name: id, ...rest, createdAt: time, updatedAt: time })

const state = { since: 'N0', etag: 'W/"1"' }
const kept = { ...state, cursor: null }

describeCopies('the tag in the state of a copy in a %s', ['ndjson', 'sqlite'], (one, form) => {
  const fill = async (): Promise<void> => {
    await one.copy.begin(false)
    await one.copy.save(page([record('a')], null))
  }

  /** Makes the state what an earlier release wrote: without a tag. */
  const age = async (): Promise<void> => {
    if (form === 'ndjson') {
      const { etag, ...old } = JSON.parse(await readFile(`${one.file}.state`, 'utf8')) as { etag: unknown }
      expect(etag).toBeNull()
      await writeFile(`${one.file}.state`, `${JSON.stringify(old)}\n`)
      return
    }
    const database = openSqlite(one.file)
    database.exec('ALTER TABLE vitrine_state DROP COLUMN etag')
    database.close()
  }

  test('is kept with its instant, also by a sync that finds nothing', async () => {
    await fill()
    await one.copy.keep(state)
    for (const _ of [1, 2]) {
      await one.reopen()
      expect(await one.copy.begin(false)).toEqual(kept)
    }
    expect(await one.copy.count()).toEqual({ total: 1, removed: 0 })
  })

  test.each([[[record('a'), record('b')]], [[]]])('is dropped by a complete sync of %j', async (records) => {
    await fill()
    await one.copy.keep(state)
    await one.copy.begin(false)
    await one.copy.save(page(records, null, 'N2'))
    await one.reopen()
    expect(await one.copy.begin(false)).toEqual({ since: 'N2', cursor: null })
  })

  test('has no effect on a sync that continues', async () => {
    await fill()
    await one.copy.keep(state)
    await one.copy.begin(false)
    await one.copy.save(page([record('b')], 'c1'))
    await one.reopen()
    const { since, cursor, etag } = await one.copy.begin(false)
    expect({ since, cursor, etag }).toEqual({ since: 'N0', cursor: 'c1', etag: undefined })
  })

  test('has no effect on a full sync, which drops it', async () => {
    await fill()
    await one.copy.keep(state)
    expect(await one.copy.begin(true)).toEqual({ since: null, cursor: null })
    await one.copy.save(page([record('a')], null, 'N3'))
    expect(await one.copy.begin(false)).toEqual({ since: 'N3', cursor: null })
  })

  test('is missing in the state of an earlier release, which continues to work', async () => {
    await fill()
    await age()
    await one.reopen()
    expect(await one.copy.begin(false)).toEqual({ since: 'N1', cursor: null })
    await one.copy.save(page([record('b')], null, 'N2'))
    await one.copy.keep(state)
    await one.reopen()
    expect(await one.copy.begin(false)).toEqual(kept)
    expect(await one.read()).toHaveLength(2)
  })
})
