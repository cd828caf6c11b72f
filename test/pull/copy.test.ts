import { appendFile, mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { AnyRecord } from '../../src/pull/copy.js'
import { openCopy } from '../../src/pull/open-copy.js'
import { describeCopies, page, target } from '../support/copies.js'
import { readNdjson } from '../support/pulling.js'

/** A record whose minute and name identify its version. */
function record(id: string, minute: number, name = `${id}${minute}`): AnyRecord {
  const time = `2026-03-01T09:${String(minute).padStart(2, '0')}:00.000Z`
  const rest = { eventId: 'E', status: 'S', email: 'e', checkedIn: minute > 5, checkedInAt: null }
  return { id, name, ...rest, createdAt: time, updatedAt: time }
}

describeCopies('a copy in a %s', ['ndjson', 'sqlite'], (one) => {
  const names = async () => (await one.read()).map(({ name }) => name)

  test('keeps each record in its last version from one sync to the next', async () => {
    expect(await one.copy.begin(false)).toEqual({ since: null, cursor: null })
    await one.copy.save(page([record('b', 1), record('a', 2)], 'c1'))
    await one.copy.save(page([record('b', 9)], null))
    expect(await one.copy.count()).toEqual({ total: 2, removed: 0 })
    await one.reopen()
    expect(await one.copy.begin(false)).toEqual({ since: 'N1', cursor: null })
    // A late commit set the time of one back; one is new, and one changed without a new time.
    await one.copy.save(page([record('b', 8, 'late'), record('c', 3), record('a', 2, 'again')], null, 'N2'))
    expect(await one.copy.begin(false)).toEqual({ since: 'N2', cursor: null })
    expect(await names()).toEqual(['again', 'late', 'c3'])
    expect((await one.read())[1]).toEqual(record('b', 8, 'late'))
  })

  test('continues an interrupted sync from its last page', async () => {
    await one.copy.begin(false)
    await one.copy.save(page([record('a', 1)], 'c1'))
    await one.reopen()
    expect(await one.copy.begin(false)).toEqual({ since: null, cursor: 'c1' })
    await one.copy.save(page([record('b', 2)], null))
    expect(await names()).toEqual(['a1', 'b2'])
  })

  test('stays unchanged until a full sync is complete, which then removes the missing records', async () => {
    await one.copy.begin(false)
    await one.copy.save(page([record('a', 1), record('b', 1), record('c', 1)], null))
    expect(await one.copy.begin(true)).toEqual({ since: null, cursor: null })
    await one.copy.save(page([record('c', 1)], 'f1'))
    expect(await names()).toEqual(['a1', 'b1', 'c1'])
    await one.reopen()
    expect(await one.copy.begin(true)).toEqual({ since: null, cursor: 'f1' })
    await one.copy.save(page([record('d', 4)], null, 'N2'))
    expect(await names()).toEqual(['c1', 'd4'])
    expect(await one.copy.count()).toEqual({ total: 2, removed: 2 })
    expect(await one.copy.begin(false)).toEqual({ since: 'N2', cursor: null })
  })

  test('drops an interrupted full sync when a sync of changes starts', async () => {
    await one.copy.begin(false)
    await one.copy.save(page([record('a', 1), record('b', 1)], null))
    await one.copy.begin(true)
    await one.copy.save(page([record('x', 1)], 'f1'))
    await one.reopen()
    expect(await one.copy.begin(false)).toEqual({ since: 'N1', cursor: null })
    await one.copy.save(page([record('b', 2)], null, 'N2'))
    expect(await names()).toEqual(['a1', 'b2'])
    expect(await one.copy.begin(true)).toEqual({ since: null, cursor: null })
  })

  test('is complete without any record', async () => {
    await one.copy.begin(false)
    await one.copy.save(page([], null))
    expect([await names(), await one.copy.count()]).toEqual([[], { total: 0, removed: 0 }])
    await one.reopen()
    expect(await one.copy.begin(false)).toEqual({ since: 'N1', cursor: null })
  })

  test.each([
    ['url', { url: 'http://b.test' }],
    ['event', { eventId: 'E' }],
    ['status', { status: 'S' }],
  ])('is not used for another %s', async (_, other) => {
    await one.copy.begin(false)
    await one.copy.save(page([record('a', 1)], 'c1'))
    await one.copy.close()
    const otherTarget = async () => (await openCopy(one.file, { ...target, ...other })).begin(false)
    await expect(otherTarget()).rejects.toThrow(
      /registrations --url http:\/\/a\.test; allowed: registrations --url/,
    )
    one.copy = await openCopy(`${one.file}.ndjson`, target)
  })

  test('is locked against a second pull', async () => {
    await expect(openCopy(one.file, target)).rejects.toThrow(/another pull is writing/)
  })
})

describeCopies('a copy in a %s file', ['ndjson'], (one) => {
  beforeEach(async () => {
    await one.copy.begin(false)
    await one.copy.save(page([record('a', 1)], null))
  })

  test.each(['{"page":{"data":[{"id":"b"', '\u0000\u0000\u0000\n', 'null\n'])(
    'ignores what a crash left at the end of its state: %j',
    async (rest) => {
      await one.copy.begin(false)
      await one.copy.save(page([record('b', 2)], 'c1'))
      await appendFile(`${one.file}.state`, rest)
      await one.reopen()
      expect(await one.copy.begin(false)).toEqual({ since: 'N1', cursor: 'c1' })
      await one.copy.save(page([record('c', 3)], null))
      expect((await readNdjson(one.file)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    },
  )

  test.each([
    ['before', ''],
    ['after', '.state'],
  ])('continues a merge that failed %s the new file replaced the old one', async (_, blocked) => {
    await one.copy.begin(false)
    await one.copy.save(page([record('b', 2)], 'c1'))
    // A folder at the path of the temporary file makes this step of the merge fail.
    const folder = `${one.file}${blocked}.tmp`
    await mkdir(folder)
    await expect(one.copy.save(page([record('c', 3)], null, 'N2'))).rejects.toThrow()
    await rmdir(folder)
    await one.reopen()
    expect(await one.copy.begin(false)).toEqual({ since: 'N2', cursor: null })
    expect((await readNdjson(one.file)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  test('that another program changed is an error, and a full sync reads it again', async () => {
    await appendFile(one.file, 'x\n')
    await one.reopen()
    await expect(one.copy.begin(false)).rejects.toThrow(/changed since the last pull/)
    expect(await one.copy.begin(true)).toEqual({ since: null, cursor: null })
    await one.copy.save(page([record('b', 2)], null))
    expect((await readNdjson(one.file)).map(({ id }) => id)).toEqual(['b'])
  })

  test('that was removed is created again', async () => {
    await rm(one.file)
    await one.reopen()
    expect(await one.copy.begin(false)).toEqual({ since: null, cursor: null })
  })

  test('does not replace a file that pull did not create', async () => {
    await one.copy.close()
    const file = join(dirname(one.file), 'precious.ndjson')
    await writeFile(file, 'precious\n')
    one.copy = await openCopy(file, target)
    await expect(one.copy.begin(true)).rejects.toThrow(/pull did not create/)
    expect(await readFile(file, 'utf8')).toBe('precious\n')
  })
})
