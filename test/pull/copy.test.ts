import { appendFile, chmod, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openCopy } from '../../src/pull/open-copy.js'
import { changeSqlite } from '../support/pulling.js'
import { toTime } from '../support/record-server.js'
import { change, describeCopies, patient, quick, record, sync, target } from '../support/copies.js'

describeCopies('a copy in a %s', ['ndjson', 'sqlite'], (one, form) => {
  const names = async () => (await one.read()).map(({ name }) => name)
  /** Records held, and the state, from which the next sync starts. */
  const start = async () => {
    const { held, readState } = await one.copy.begin(false)
    return [held, (await readState()) ?? null]
  }
  const modes = async () => {
    const files = (await readdir(dirname(one.file))).toSorted()
    const readMode = async (name: string) =>
      ((await stat(join(dirname(one.file), name))).mode & 0o777).toString(8)
    const modes = await Promise.all(files.map(async (name) => `${name} ${await readMode(name)}`))
    return modes.map((one) => one.replace(/\.[\da-f-]{36}/, '')).toSorted()
  }

  test('keeps each record in its last version from one sync to the next', async () => {
    expect(await start()).toEqual([0, null])
    const first = [change('s1', [record('b', 'b1'), record('a')]), change('s2', [record('b', 'b2')])]
    expect(await sync(one.copy, false, ...first, change('s3'))).toBe(2)
    await one.reopen()
    expect(await start()).toEqual([2, 's3'])
    expect(await sync(one.copy, false, change('s4', [record('b', 'b3'), record('c')]))).toBe(3)
    expect(await names()).toEqual(['a', 'b3', 'c'])
    expect((await one.read())[1]).toEqual(record('b', 'b3'))
    expect(await start()).toEqual([3, 's4'])
  })

  test('removes records in a sync that is not full, also those that it read before', async () => {
    await sync(one.copy, false, change('s1', [record('a'), record('b'), record('c')]))
    const changes = [
      change('s2', [record('c', 'c2'), record('d'), record('e')]),
      change('s3', [], ['a', 'c', 'd']),
    ]
    expect(await sync(one.copy, false, ...changes, change('s4', [record('d', 'd2')]))).toBe(3)
    expect(await names()).toEqual(['b', 'd2', 'e'])
  })

  test('has the records of a range, with those of the sync under way', async () => {
    const at = (id: string, minute: number) => ({ ...record(id), updatedAt: toTime(minute * 60_000) })
    await sync(one.copy, false, change('s1', [at('a', 0), at('b', 1), at('c', 2), at('d', 3)]))
    const { readRange, write, commit } = await one.copy.begin(false)
    const read = async (from: number, to: number) => {
      const found: string[] = []
      const range = { from: toTime(from * 60_000), to: toTime(to * 60_000) }
      for await (const { id, updatedAt } of await readRange!(range)) found.push(`${id} ${updatedAt}`)
      return found.toSorted()
    }
    expect(await read(1, 3)).toEqual([`b ${toTime(60_000)}`, `c ${toTime(120_000)}`])
    await write(change('s2', [at('b', 5), at('e', 2)], ['c']))
    expect(await read(1, 3)).toEqual([`e ${toTime(120_000)}`])
    await commit()
    expect(await read(1, 6)).toHaveLength(3)
  })

  test('stays unchanged until a full sync is complete, and drops one that is not', async () => {
    await sync(one.copy, false, change('s1', [record('a'), record('b'), record('c')]))
    const before = await readFile(one.file)
    await (await one.copy.begin(true)).write(change('s1', [record('x')]))
    const { held, readIds, write, commit } = await one.copy.begin(true)
    await write(change('s1', [record('c', 'c2')]))
    await write(change('s2', [record('d')], ['a', 'b']))
    expect((await readFile(one.file)).equals(before)).toBe(true)
    const ids: string[] = []
    for await (const id of await readIds()) ids.push(id)
    expect([held, ids.toSorted(), await commit()]).toEqual([3, ['a', 'b', 'c'], 2])
    expect([await names(), await start()]).toEqual([
      ['c2', 'd'],
      [2, 's2'],
    ])
  })

  test.each([{ url: 'http://b.test' }, { eventId: 'E' }])('is not used for others: %j', async (other) => {
    await sync(one.copy, false, change('s1', [record('a')]))
    one.copy.close()
    const otherTarget = async () => (await openCopy(one.file, { ...target, ...other }, patient)).begin(false)
    await expect(otherTarget()).rejects.toThrow(
      /registrations --url http:\/\/a\.test; allowed: registrations --url/,
    )
    one.copy = await openCopy(`${one.file}.${form}`, target, patient)
  })

  test('is locked against a second pull, and an SQLite file not against one of the other collection', async () => {
    await expect(openCopy(one.file, target, patient)).rejects.toThrow(/another pull is writing/)
    if (form === 'ndjson') return
    const other = await openCopy(one.file, { ...target, collection: 'invoices' }, patient)
    await sync(one.copy, false, change('s1', [record('a')]))
    await sync(other, false, change('r1', [record('b'), record('c')]))
    await sync(one.copy, false, change('s2', [record('d')]))
    expect([(await other.begin(false)).held, await names()]).toEqual([2, ['a', 'd']])
    other.close()
  })

  test.each([false, true])('is not changed by a pull that was paused, full: %j', async (full) => {
    one.copy.close()
    // It proves its lock no more.
    const paused = await openCopy(one.file, target, { ...quick, beatMs: 1e9 })
    const { write, commit } = await paused.begin(full)
    if (full || form === 'ndjson') await write(change('s1', [record('a', 'old')]))
    one.copy = await openCopy(one.file, target, quick)
    expect(await sync(one.copy, false, change('s2', [record('a', 'new')]))).toBe(1)
    const late = async () => {
      await write(change('s1', [record('a', 'old'), record('b')]))
      await commit()
    }
    await expect(late()).rejects.toThrow(/this one was paused until another took over/)
    paused.close()
    expect([await names(), await start()]).toEqual([['new'], [1, 's2']])
    expect(await sync(one.copy, false, change('s3', [record('c')]))).toBe(2)
  })

  test('can be read by its owner alone', async () => {
    const umask = process.umask(0)
    if (form === 'sqlite') await rm(one.file)
    await one.reopen()
    const { write, commit } = await one.copy.begin(false)
    await write(change('s1', [record('a')]))
    const [before, after] = {
      ndjson: ['.lock .part', ' .lock .part .state'],
      sqlite: [' .registrations.lock', ' .registrations.lock'],
    }[form].map((ends) => ends.split(' ').map((end) => `copy.${form}${end} 600`))
    expect(await modes()).toEqual(before)
    await commit()
    expect(await modes()).toEqual(after)
    process.umask(umask)
  })
})

describeCopies('a copy in a %s file', ['ndjson'], (one) => {
  const ids = async () => (await one.read()).map(({ id }) => id)
  beforeEach(() => sync(one.copy, false, change('s1', [record('a')])))

  test('loses the lines of another program, which are not records', async () => {
    await appendFile(one.file, 'x\n{}\n')
    expect([await sync(one.copy, false, change('s2', [record('b')])), await ids()]).toEqual([2, ['a', 'b']])
  })

  test('that was removed is created again', async () => {
    await rm(one.file)
    const { held, readState } = await one.copy.begin(false)
    expect([held, await readState()]).toEqual([0, null])
  })

  test('keeps the mode that its owner gave it', async () => {
    await chmod(one.file, 0o640)
    await sync(one.copy, false, change('s2', [record('b')]))
    expect((await stat(one.file)).mode & 0o777).toBe(0o640)
  })

  test('has one line for each record, by every definition of a line', async () => {
    const name = 'a\nb\r\u0085\u2028\u2029\u0000"\\ 😀€'.repeat(9000)
    for (const state of ['s2', 's3']) await sync(one.copy, false, change(state, [record(state, name)]))
    expect((await readFile(one.file, 'utf8')).split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(4)
    expect((await one.read()).map((found) => found['name'])).toEqual(['a', name, name])
  })

  test.each([
    ['copy.ndjson.state', 'precious\n', /not the state of a pull/],
    ['copy.ndjson.state', '{"vitrine":2,"target":"registrations --url http://a', /not the state of a pull/],
    ['copy.ndjson.state', '{"vitrine":2,"target":"t","state":5,"total":1}\n', /not the state of a pull/],
    ['copy.ndjson.state', '{"vitrine":3,"target":"t"}\n', /the state of a later release/],
    ['other.ndjson', 'precious\n', /pull did not create/],
  ])('does not replace %s of another program', async (name, text, error) => {
    const file = join(dirname(one.file), name)
    await writeFile(file, text)
    const copy = name === 'other.ndjson' ? await openCopy(file, target, patient) : one.copy
    for (const full of [false, true]) await expect(copy.begin(full)).rejects.toThrow(error)
    expect(await readFile(file, 'utf8')).toBe(text)
    if (copy !== one.copy) copy.close()
  })

  test('is opened without the files that a killed pull left, and without following a link there', async () => {
    const precious = join(dirname(one.file), 'precious')
    await writeFile(precious, 'precious\n', { mode: 0o666 })
    one.copy.close()
    for (const token of ['', `.${crypto.randomUUID()}`])
      for (const name of ['.part', '.tmp', '.state.tmp'])
        await symlink(precious, `${one.file}${name.replace(/\.\w+$/, `${token}$&`)}`)
    one.copy = await openCopy(one.file, target, patient)
    await sync(one.copy, false, change('s2', [record('b')]))
    one.copy.close()
    expect(await readFile(precious, 'utf8')).toBe('precious\n')
    expect(await readdir(dirname(one.file))).toEqual(['copy.ndjson', 'copy.ndjson.state', 'precious'])
    one.copy = await openCopy(one.file, target, patient)
  })
})

describeCopies('a copy in a %s file', ['sqlite'], (one) => {
  const inDatabase = (sql: string): void => {
    changeSqlite(one.file, sql)
  }

  test('of a later release is refused, and a column of its owner is kept', async () => {
    await sync(one.copy, false, change('s1', [record('a')]))
    inDatabase('ALTER TABLE registrations ADD COLUMN mine TEXT')
    await one.reopen()
    await sync(one.copy, false, change('s2', [record('b')]))
    inDatabase(`UPDATE vitrine_state SET state = state || ' novel' WHERE collection = 'registrations.fields'`)
    one.copy.close()
    const open = openCopy(one.file, target, patient)
    await expect(open).rejects.toThrow(/found a copy of a later release, with novel; allowed: that release/)
    inDatabase('DELETE FROM vitrine_state')
    inDatabase('DROP TABLE registrations')
    one.copy = await openCopy(one.file, target, patient)
  })
})
