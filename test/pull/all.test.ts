import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeFolder } from '../support/folder.js'
import { hasSqlite, readNdjson, readSqlite, startPull } from '../support/pulling.js'
import { page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

let folder: string
beforeEach(() => {
  folder = makeFolder()
})

describe('--all', () => {
  const withheld = problem('insufficient_scope', 403)
  const startAll = async (to: string, flags: readonly string[], ...scripts: readonly Script[]) => {
    const { url, requests } = await startScript(...scripts)
    const run = () => startPull(['--all', '--url', url, '--key-env', 'K', '--to', to, ...flags], { K: 'k' })
    return { run, requests }
  }

  test.each(hasSqlite ? ['.', 'copy.sqlite'] : ['.'])('copies both collections into %s', async (name) => {
    const to = join(folder, name)
    const { run, requests } = await startAll(to, ['--scrub', '0'], page(['r'], null), page(['i'], null))
    const { status, stdout, stderr } = await run().outcome
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.match(/^\w+: 1 read/gm)).toEqual(['registrations: 1 read', 'invoices: 1 read'])
    expect(requests.map(([path]) => path)).toEqual([
      expect.stringContaining('/registrations?'),
      expect.stringContaining('/invoices?'),
    ])
    const read = (collection: string) =>
      name === '.' ? readNdjson(join(folder, `${collection}.ndjson`)) : readSqlite(to, collection)
    expect(await read('registrations')).toMatchObject([{ id: 'r' }])
    expect(await read('invoices')).toMatchObject([{ id: 'i' }])
  })

  test('makes the folder, and names it where it cannot', async () => {
    const to = join(folder, 'new', 'copies')
    const { run } = await startAll(to, ['--scrub', '0'], page(['r'], null), page(['i'], null))
    expect(await run().outcome).toMatchObject({ status: 0, stderr: '' })
    expect(await readNdjson(join(to, 'invoices.ndjson'))).toMatchObject([{ id: 'i' }])
    const file = join(to, 'invoices.ndjson.state')
    const { run: runInFile } = await startAll(join(file, 'copies'), [])
    const { status, stderr } = await runInFile().outcome
    expect([status, stderr]).toEqual([78, expect.stringMatching(/--to: found .*copies; allowed: a folder/)])
  })

  test('with --dry-run makes no folder', async () => {
    const to = join(folder, 'new')
    const { run } = await startAll(to, ['--dry-run'], page(['r'], null), page(['i'], null))
    await run().outcome
    expect(await readdir(folder)).toEqual([])
  })

  test('leaves out a collection that the key may not read, and says so', async () => {
    const { run } = await startAll(folder, [], withheld, page(['i'], null))
    const { status, stdout, stderr } = await run().outcome
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^invoices: 1 read.*\n$/)])
    expect(stderr).toMatch(/^registrations: not copied: insufficient_scope: .*\n$/)
    expect((await readdir(folder)).sort()).toEqual(['invoices.ndjson', 'invoices.ndjson.state'])
  })

  test('says so once with --watch, which copies it when the key may read it', async () => {
    const scripts = [withheld, page(['i'], null), withheld, page([], null), page(['r'], null), page([], null)]
    const { run } = await startAll(folder, ['--watch', '1s', '--scrub', '0'], ...scripts)
    const { child, outcome } = run()
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('registrations')) child.kill('SIGTERM')
    })
    const { status, stderr } = await outcome
    expect([status, stderr.match(/not copied/g)?.length]).toEqual([0, 1])
    expect(await readNdjson(join(folder, 'registrations.ndjson'))).toMatchObject([{ id: 'r' }])
  })

  test.each([
    ['a key that may read nothing', [withheld, withheld]],
    [
      'a copy that the key may read no longer',
      [page(['r'], null), page(['i'], null), withheld, page([], null)],
    ],
  ])('ends with 1 for %s', async (_, scripts) => {
    const { run } = await startAll(folder, ['--scrub', '0'], ...scripts)
    if (scripts.length > 2) expect(await run().outcome).toMatchObject({ status: 0 })
    const { status, stdout, stderr } = await run().outcome
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^vitrine: insufficient_scope: /m)
  })

  test.each([
    [['invoices', '--to', '.']],
    [['--to', '-']],
    [['--to', 'x.ndjson']],
    [['--to', '.', '--status', 'PAID']],
    [['--to', '.', '--updated-since', '2026-01-01']],
  ])('with %j is not understood: 64', async (args) => {
    const { status, stderr } = await startPull(['--all', '--url', 'http://a.test', ...args], {}).outcome
    expect([status, stderr]).toEqual([64, expect.stringMatching(/--all/)])
  })
})
