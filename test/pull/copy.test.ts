import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnyRecord, Copy } from '../../src/pull/copy.js'
import { openCopy } from '../../src/pull/open-copy.js'
import { hasSqlite, readNdjson, readSqlite } from '../support/pulling.js'

const target = { collection: 'registrations', url: 'http://a.test', eventId: null, status: null } as const
let folder: string
let file: string
let copy: Copy
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-copy-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A record whose minute and name tell its versions apart. */
function record(id: string, minute: number, name = `${id}${minute}`): AnyRecord {
  const time = `2026-03-01T09:${String(minute).padStart(2, '0')}:00.000Z`
  const rest = { eventId: 'E', status: 'S', email: 'e', checkedIn: minute > 5, checkedInAt: null }
  return { id, name, ...rest, createdAt: time, updatedAt: time }
}

function page(data: readonly AnyRecord[], cursor: string | null, nextUpdatedSince = 'N1') {
  return { data, cursor, nextUpdatedSince }
}

async function reopen(): Promise<void> {
  await copy.close()
  copy = await openCopy(file, target)
}

describe.each([
  ['ndjson', false],
  ['sqlite', !hasSqlite],
] as const)('a copy in a .%s', (form, skipped) => {
  const reason = skipped ? ` (skipped, Node ${process.version} has no node:sqlite)` : ''
  describe.skipIf(skipped)(`keeps what it was given${reason}`, () => {
    const read = async () => (form === 'ndjson' ? await readNdjson(file) : readSqlite(file, 'registrations'))
    const names = async () => (await read()).map(({ name }) => name)
    beforeEach(async () => {
      file = join(folder, `${crypto.randomUUID()}.${form}`)
      copy = await openCopy(file, target)
      return () => copy.close()
    })

    test('from one sync to the next, each record as it came last', async () => {
      expect(await copy.begin(false)).toEqual({ since: null, cursor: null })
      await copy.save(page([record('b', 1), record('a', 2)], 'c1'))
      await copy.save(page([record('b', 9)], null))
      expect(await copy.count()).toEqual({ total: 2, removed: 0 })
      await reopen()
      expect(await copy.begin(false)).toEqual({ since: 'N1', cursor: null })
      // A transaction that committed late turned the time of one back; one is new, and one changed within an instant.
      await copy.save(page([record('b', 8, 'late'), record('c', 3), record('a', 2, 'again')], null, 'N2'))
      expect(await copy.begin(false)).toEqual({ since: 'N2', cursor: null })
      expect(await names()).toEqual(['again', 'late', 'c3'])
      expect((await read())[1]).toEqual(record('b', 8, 'late'))
    })

    test('where a sync was interrupted, and goes on from its last page', async () => {
      await copy.begin(false)
      await copy.save(page([record('a', 1)], 'c1'))
      await reopen()
      expect(await copy.begin(false)).toEqual({ since: null, cursor: 'c1' })
      await copy.save(page([record('b', 2)], null))
      expect(await names()).toEqual(['a1', 'b2'])
    })

    test('until a full sync is complete, which then removes what it did not see', async () => {
      await copy.begin(false)
      await copy.save(page([record('a', 1), record('b', 1), record('c', 1)], null))
      expect(await copy.begin(true)).toEqual({ since: null, cursor: null })
      await copy.save(page([record('c', 1)], 'f1'))
      expect(await names()).toEqual(['a1', 'b1', 'c1'])
      await reopen()
      expect(await copy.begin(true)).toEqual({ since: null, cursor: 'f1' })
      await copy.save(page([record('d', 4)], null, 'N2'))
      expect(await names()).toEqual(['c1', 'd4'])
      expect(await copy.count()).toEqual({ total: 2, removed: 2 })
      expect(await copy.begin(false)).toEqual({ since: 'N2', cursor: null })
    })

    test('and gives up a full sync that was interrupted for one of what changed', async () => {
      await copy.begin(false)
      await copy.save(page([record('a', 1), record('b', 1)], null))
      await copy.begin(true)
      await copy.save(page([record('x', 1)], 'f1'))
      await reopen()
      expect(await copy.begin(false)).toEqual({ since: 'N1', cursor: null })
      await copy.save(page([record('b', 2)], null, 'N2'))
      expect(await names()).toEqual(['a1', 'b2'])
      expect(await copy.begin(true)).toEqual({ since: null, cursor: null })
    })

    test('also of nothing at all', async () => {
      await copy.begin(false)
      await copy.save(page([], null))
      expect([await names(), await copy.count()]).toEqual([[], { total: 0, removed: 0 }])
      await reopen()
      expect(await copy.begin(false)).toEqual({ since: 'N1', cursor: null })
    })

    test.each([
      ['url', { url: 'http://b.test' }],
      ['event', { eventId: 'E' }],
      ['status', { status: 'S' }],
    ])('and refuses another %s', async (_, other) => {
      await copy.begin(false)
      await copy.save(page([record('a', 1)], 'c1'))
      await copy.close()
      const strange = async () => (await openCopy(file, { ...target, ...other })).begin(false)
      await expect(strange()).rejects.toThrow(
        /registrations --url http:\/\/a\.test; allowed: registrations --url/,
      )
      copy = await openCopy(join(folder, `${crypto.randomUUID()}.${form}`), target)
    })

    test('and lets one pull at a time at it', async () => {
      await expect(openCopy(file, target)).rejects.toThrow(/another pull at work/)
    })
  })
})

describe('an NDJSON copy', () => {
  beforeEach(async () => {
    file = join(folder, `${crypto.randomUUID()}.ndjson`)
    copy = await openCopy(file, target)
    await copy.begin(false)
    await copy.save(page([record('a', 1)], null))
    return () => copy.close()
  })

  test.each(['{"page":{"data":[{"id":"b"', '\u0000\u0000\u0000\n', 'null\n'])(
    'passes over what a crash left at the end of its state: %j',
    async (rest) => {
      await copy.begin(false)
      await copy.save(page([record('b', 2)], 'c1'))
      await appendFile(`${file}.state`, rest)
      await reopen()
      expect(await copy.begin(false)).toEqual({ since: 'N1', cursor: 'c1' })
      await copy.save(page([record('c', 3)], null))
      expect((await readNdjson(file)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    },
  )

  test('that was changed by another hand is refused, and read again in full', async () => {
    await appendFile(file, 'x\n')
    await reopen()
    await expect(copy.begin(false)).rejects.toThrow(/changed since the last pull/)
    expect(await copy.begin(true)).toEqual({ since: null, cursor: null })
    await copy.save(page([record('b', 2)], null))
    expect((await readNdjson(file)).map(({ id }) => id)).toEqual(['b'])
  })

  test('that was removed is made anew', async () => {
    await rm(file)
    await reopen()
    expect(await copy.begin(false)).toEqual({ since: null, cursor: null })
  })

  test('does not take the place of a file that no pull made', async () => {
    await copy.close()
    file = join(folder, 'precious.ndjson')
    await writeFile(file, 'precious\n')
    copy = await openCopy(file, target)
    await expect(copy.begin(true)).rejects.toThrow(/no pull made/)
    expect(await readFile(file, 'utf8')).toBe('precious\n')
  })
})
