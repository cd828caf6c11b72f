import { appendFile, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openCopy } from '../../src/pull/open-copy.js'
import { openSqlite } from '../../src/pull/sqlite-table.js'
import { toTime } from '../support/record-server.js'
import { change, describeCopies, record, sync, target } from '../support/copies.js'

describeCopies('a copy in a %s', ['ndjson', 'sqlite'], (one, form) => {
  const names = async () => (await one.read()).map(({ name }) => name)
  const readIds = async () => {
    const ids: string[] = []
    for await (const id of await one.copy.readIds()) ids.push(id)
    return ids.toSorted()
  }

  test('keeps each record in its last version from one sync to the next', async () => {
    expect([await one.copy.begin(false), (await one.copy.readState()) ?? null]).toEqual([0, null])
    const first = [change('s1', [record('b', 'b1'), record('a')]), change('s2', [record('b', 'b2')])]
    expect(await sync(one.copy, false, ...first, change('s3'))).toBe(2)
    await one.reopen()
    expect([await one.copy.begin(false), await one.copy.readState()]).toEqual([2, 's3'])
    expect(await sync(one.copy, false, change('s4', [record('b', 'b3'), record('c')]))).toBe(3)
    expect(await names()).toEqual(['a', 'b3', 'c'])
    expect((await one.read())[1]).toEqual(record('b', 'b3'))
    expect([await readIds(), await one.copy.readState()]).toEqual([['a', 'b', 'c'], 's4'])
  })

  test('continues an interrupted sync', async () => {
    await one.copy.begin(false)
    await one.copy.write(change('s1', [record('a')]))
    await one.reopen()
    await one.copy.begin(false)
    expect(await one.copy.readState()).toBe('s1')
    expect(await sync(one.copy, false, change('s2', [record('b')]))).toBe(2)
    expect(await names()).toEqual(['a', 'b'])
  })

  test('removes records in a sync that is not full, also those that it read before', async () => {
    await sync(
      one.copy,
      false,
      change(
        's1',
        ['a', 'b', 'c'].map((id) => record(id)),
      ),
    )
    await one.copy.begin(false)
    await one.copy.write(change('s2', [record('c', 'c2'), record('d'), record('e')]))
    await one.copy.write(change('s3', [], ['a', 'c', 'd']))
    await one.reopen()
    expect(await sync(one.copy, false, change('s4', [record('d', 'd2')]))).toBe(3)
    expect(await names()).toEqual(['b', 'd2', 'e'])
    await one.reopen()
    expect([await one.copy.begin(false), await one.copy.readState()]).toEqual([3, 's4'])
  })

  test('has the records of a range, with those of the sync under way', async () => {
    const at = (id: string, minute: number) => ({ ...record(id), updatedAt: toTime(minute * 60_000) })
    const readRange = async (from: number, to: number) => {
      const range = { from: toTime(from * 60_000), to: toTime(to * 60_000) }
      const found: string[] = []
      for await (const { id, updatedAt } of await one.copy.readRange!(range)) found.push(`${id} ${updatedAt}`)
      return found.toSorted()
    }
    expect(await readRange(0, 9)).toEqual([])
    await sync(
      one.copy,
      false,
      change(
        's1',
        ['a', 'b', 'c', 'd'].map((id, minute) => at(id, minute)),
      ),
    )
    await one.copy.begin(false)
    expect(await readRange(1, 3)).toEqual([`b ${toTime(60_000)}`, `c ${toTime(120_000)}`])
    await one.copy.write(change('s2', [at('b', 5), at('e', 2)], ['c']))
    expect(await readRange(1, 3)).toEqual([`e ${toTime(120_000)}`])
    await one.reopen()
    await one.copy.begin(false)
    expect(await readRange(2, 6)).toEqual([
      `b ${toTime(300_000)}`,
      `d ${toTime(180_000)}`,
      `e ${toTime(120_000)}`,
    ])
    await one.copy.commit()
    expect(await readRange(2, 6)).toHaveLength(3)
  })

  test('stays unchanged until a full sync is complete, which then removes the missing records', async () => {
    await sync(one.copy, false, change('s1', [record('a'), record('b'), record('c')]))
    const before = await readFile(one.file)
    expect(await one.copy.begin(true)).toBe(3)
    await one.copy.write(change('s1', [record('c', 'c2')]))
    await one.copy.write(change('s2', [record('d')], ['a', 'b']))
    expect((await readFile(one.file)).equals(before)).toBe(true)
    expect([await readIds(), await one.copy.commit()]).toEqual([['a', 'b', 'c'], 2])
    expect([await names(), await one.copy.readState()]).toEqual([['c2', 'd'], 's2'])
  })

  test.each([false, true])('drops a full sync that was not complete; reopened: %s', async (isReopened) => {
    await sync(one.copy, false, change('s1', [record('a'), record('b')]))
    for (const full of [true, false]) {
      await one.copy.begin(true)
      await one.copy.write(change('s1', [record('x')]))
      if (isReopened) await one.reopen()
      await sync(one.copy, full, change('s1', [record('a'), record('b')]), change('s2'))
      expect([await names(), await one.copy.readState()]).toEqual([['a', 'b'], 's2'])
    }
  })

  test('is complete without any record', async () => {
    expect(await sync(one.copy, false, change('s1'))).toBe(0)
    await one.reopen()
    expect([await one.copy.begin(false), await one.copy.readState(), await names()]).toEqual([0, 's1', []])
  })

  test.each([
    ['url', { url: 'http://b.test' }],
    ['event', { eventId: 'E' }],
    ['status', { status: 'S' }],
  ])('is not used for another %s', async (_, other) => {
    await one.copy.begin(false)
    await one.copy.write(change('s1', [record('a')]))
    await one.copy.close()
    const otherTarget = async () => (await openCopy(one.file, { ...target, ...other })).begin(false)
    await expect(otherTarget()).rejects.toThrow(
      /registrations --url http:\/\/a\.test; allowed: registrations --url/,
    )
    one.copy = await openCopy(`${one.file}.ndjson`, target)
  })

  test('of a release with another state is an error that names it', async () => {
    await one.copy.close()
    if (form === 'ndjson') await writeFile(`${one.file}.state`, '{"vitrine":1,"target":{},"total":0}\n')
    else openSqlite(one.file).exec('CREATE TABLE vitrine_state (collection TEXT, since TEXT)')
    const opened = async () => (await openCopy(one.file, target)).begin(false)
    await expect(opened()).rejects.toThrow(
      /(state of a pull|vitrine_state) of another release; allowed: another name/,
    )
    one.copy = await openCopy(`${one.file}.ndjson`, target)
  })

  test('is locked against a second pull, and an SQLite file not against one of the other collection', async () => {
    await expect(openCopy(one.file, target)).rejects.toThrow(/another pull is writing/)
    if (form === 'sqlite') {
      const other = await openCopy(one.file, { ...target, collection: 'invoices' })
      await sync(one.copy, false, change('s1', [record('a')]))
      await sync(other, false, change('r1', [record('b'), record('c')]))
      await sync(one.copy, false, change('s2', [record('d')]))
      expect([await other.begin(false), await names()]).toEqual([2, ['a', 'd']])
      await other.close()
    }
  })
})

describeCopies('a copy in a %s file', ['ndjson'], (one) => {
  const ids = async () => (await one.read()).map(({ id }) => id)
  beforeEach(() => sync(one.copy, false, change('s1', [record('a')])))

  test.each(['{"records":[{"id":"b"', '\u0000\u0000\u0000\n', 'null\n'])(
    'ignores what a crash left at the end of its state: %j',
    async (rest) => {
      await one.copy.begin(false)
      await one.copy.write(change('s2', [record('b')]))
      await appendFile(`${one.file}.state`, rest)
      await one.reopen()
      await one.copy.begin(false)
      expect(await one.copy.readState()).toBe('s2')
      await one.copy.write(change('s3', [record('c')]))
      await one.copy.commit()
      expect(await ids()).toEqual(['a', 'b', 'c'])
    },
  )

  test.each(['.tmp', '.state.tmp'])('is right after a merge that could not write %s', async (blocked) => {
    await one.copy.begin(false)
    await one.copy.write(change('s2', [record('b')]))
    await mkdir(`${one.file}${blocked}`)
    await expect(one.copy.commit()).rejects.toThrow()
    await rmdir(`${one.file}${blocked}`)
    await one.reopen()
    await one.copy.begin(false)
    expect([await one.copy.readState(), await one.copy.commit()]).toEqual(['s2', 2])
    expect(await ids()).toEqual(['a', 'b'])
  })

  test.each([
    [false, [], ['a', 'b']],
    [true, ['a'], ['b']],
  ])('is right after a kill before it was replaced; full: %s', async (full, removedIds, expected) => {
    const old = await readFile(one.file)
    await sync(one.copy, full, change('s2', [record('b')], removedIds))
    await rename(one.file, `${one.file}.tmp`)
    await writeFile(one.file, old)
    await one.reopen()
    expect([await one.copy.begin(false), await one.copy.readState()]).toEqual([expected.length, 's2'])
    expect(await ids()).toEqual(expected)
  })

  test('keeps no page of a full sync that was not complete', async () => {
    await one.copy.begin(true)
    await one.copy.write(change('s1', [record('x')]))
    await one.reopen()
    expect(await readFile(`${one.file}.state`, 'utf8')).not.toContain('"x"')
  })

  test('that another program changed is an error, and a full sync reads it again', async () => {
    await appendFile(one.file, 'x\n')
    await one.reopen()
    await expect(one.copy.begin(false)).rejects.toThrow(/changed since the last pull/)
    expect(await sync(one.copy, true, change('s2', [record('b')], ['a']))).toBe(1)
    expect(await ids()).toEqual(['b'])
  })

  test('that was removed is created again', async () => {
    await rm(one.file)
    await one.reopen()
    expect([await one.copy.begin(false), await one.copy.readState()]).toEqual([0, null])
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
