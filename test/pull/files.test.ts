import { chmod, link, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Copy } from '../../src/pull/copy.js'
import { writeTemporary } from '../../src/pull/text-file.js'
import { openCopy } from '../../src/pull/open-copy.js'
import { change, record, sync, target } from '../support/copies.js'
import { hasSqlite, readNdjson } from '../support/pulling.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-files-'))
  // With this umask, only the requested mode restricts access.
  const umask = process.umask(0)
  return async () => {
    process.umask(umask)
    await rm(folder, { recursive: true })
  }
})

const openFile = (name: string) => openCopy(join(folder, name), target)

/** The mode of every file in the folder, in octal. */
async function readModes(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).toSorted()
  const modes = names.map(async (name) => [name, await readMode(name)] as const)
  return Object.fromEntries(await Promise.all(modes))
}

async function readMode(name: string): Promise<string> {
  return ((await stat(join(folder, name))).mode & 0o777).toString(8)
}

const page = change('s1', [record('a')])
const save = (copy: Copy, full = false) => sync(copy, full, page)

describe('only the owner can read the files', () => {
  test('of an NDJSON copy', async () => {
    const copy = await openFile('copy.ndjson')
    await copy.begin(false)
    await copy.write(page)
    expect(await readModes()).toEqual({ 'copy.ndjson.state': '600' })
    await save(copy)
    expect(await readModes()).toEqual({ 'copy.ndjson': '600', 'copy.ndjson.state': '600' })
    await copy.close()
  })

  test('that are temporary', async () => {
    await writeTemporary(join(folder, 'copy'), async () => {
      expect(await readModes()).toEqual({ 'copy.tmp': '600' })
    })
  })

  test.skipIf(!hasSqlite)(
    `of an SQLite copy${hasSqlite ? '' : ` (skipped, Node ${process.version} has no node:sqlite)`}`,
    async () => {
      const copy = await openFile('copy.sqlite')
      await save(copy)
      expect(await readModes()).toEqual({ 'copy.sqlite': '600' })
      const { DatabaseSync } = process.getBuiltinModule('node:sqlite') as unknown as {
        DatabaseSync: new (file: string) => { exec: (sql: string) => void; close: () => void }
      }
      const reader = new DatabaseSync(join(folder, 'copy.sqlite'))
      reader.exec('PRAGMA journal_mode = WAL')
      await save(copy)
      expect(await readModes()).toEqual({
        'copy.sqlite': '600',
        'copy.sqlite-shm': '600',
        'copy.sqlite-wal': '600',
      })
      reader.close()
      await copy.close()
    },
  )

  test('unless the owner changed the mode, which is kept', async () => {
    const copy = await openFile('copy.ndjson')
    await save(copy)
    await chmod(join(folder, 'copy.ndjson'), 0o640)
    await save(copy, true)
    expect(await readModes()).toEqual({ 'copy.ndjson': '640', 'copy.ndjson.state': '600' })
    await copy.close()
  })
})

describe('a file at the path that a pull writes', () => {
  test.each(['copy.ndjson.tmp', 'copy.ndjson.state.tmp'])('%s is not followed as a link', async (name) => {
    const precious = join(folder, 'precious')
    await writeFile(precious, 'precious\n')
    for (const makeLink of [symlink, link]) {
      await makeLink(precious, join(folder, name))
      const copy = await openFile('copy.ndjson')
      await save(copy)
      await copy.close()
      expect(await readFile(precious, 'utf8')).toBe('precious\n')
      expect(await readNdjson(join(folder, 'copy.ndjson'))).toEqual([record('a')])
      const names = ['copy.ndjson', 'copy.ndjson.state', 'precious']
      expect((await readdir(folder)).toSorted()).toEqual(names)
      await rm(join(folder, 'copy.ndjson'))
      await rm(join(folder, 'copy.ndjson.state'))
    }
  })

  test('is replaced if a killed pull left it, and its mode is not used', async () => {
    await writeFile(join(folder, 'copy.ndjson.tmp'), 'torn', { mode: 0o666 })
    await writeFile(join(folder, 'copy.ndjson.state.tmp'), 'torn', { mode: 0o666 })
    const copy = await openFile('copy.ndjson')
    await save(copy)
    await copy.close()
    expect(await readModes()).toEqual({ 'copy.ndjson': '600', 'copy.ndjson.state': '600' })
  })

  test.each(['copy.ndjson', 'copy.sqlite'])(
    '%s is an error if it is a link to a missing file',
    async (name) => {
      await symlink(join(folder, 'elsewhere'), join(folder, name))
      await expect(openFile(name)).rejects.toThrow(/a link to a file that does not exist/)
      expect(await readdir(folder)).toEqual([name])
    },
  )
})
