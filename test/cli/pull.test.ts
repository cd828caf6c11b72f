import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import { collections, listExpected } from '../support/expected.js'
import { hasSqlite, readNdjson, readSqlite, sortById, startGate, startPull } from '../support/pulling.js'
import type { Gate, PullOutcome, Pulling } from '../support/pulling.js'
import { startService, useThrowaway } from '../support/service.js'
import { makeFolder } from '../support/folder.js'

const throwaway = useThrowaway()
let database: ProductDatabase
let gate: Gate
let folder: string
beforeAll(async () => {
  database = await throwaway.createProduct('plain')
  gate = await startGate(await startService(database))
})
beforeEach(() => {
  gate.onMoment = () => undefined
  gate.requests = 0
  folder = makeFolder()
})

const start = (...args: readonly string[]): Pulling =>
  startPull(['--url', gate.url, '--key-env', 'VITRINE_KEY', ...args], { VITRINE_KEY: keys.both })
const pull = (...args: readonly string[]): Promise<PullOutcome> => start(...args).outcome
const at = (name: string): string => join(folder, name)

describe.each(collections)('a pull of %s', (collection) => {
  const expected = () => sortById(listExpected(database, collection).map(({ view }) => view))

  test('makes an NDJSON file of every record, and tells of it', async () => {
    const to = at('copy.ndjson')
    const { status, stdout, stderr } = await pull(collection, '--to', to)
    expect([status, stderr]).toEqual([0, ''])
    const count = expected().length
    expect(stdout).toMatch(
      new RegExp(`^${collection}: ${count} read; \\S+ holds ${count}, changes up to \\S+Z\\n$`),
    )
    expect(await readNdjson(to)).toEqual(expected())
    expect((await readdir(folder)).toSorted()).toEqual(['copy.ndjson', 'copy.ndjson.state'])
  })

  test('reads what changed since, when it is run again, and sums up as JSON', async () => {
    const to = at('copy.jsonl')
    await pull('--to', to, collection)
    const { stdout } = await pull('--to', to, collection, '--json')
    const count = expected().length
    expect(JSON.parse(stdout)).toEqual({
      collection,
      to,
      full: false,
      pages: 1,
      records: 0,
      removed: 0,
      total: count,
      nextUpdatedSince: expect.stringMatching(/Z$/) as unknown,
      notModified: false,
      epoch: 0,
      cycle: expect.any(Number) as unknown,
    })
    // The page of the second run had a tag, so the third one is answered by 304.
    const third = JSON.parse((await pull('--to', to, collection, '--json')).stdout) as object
    expect(third).toMatchObject({ notModified: true, pages: 0, total: count })
    const { stdout: text } = await pull('--to', to, collection)
    const scrubbed = 'unchanged, 0 removed, \\d+% of the copy compared in this cycle of the scrub'
    expect(text).toMatch(new RegExp(`^${collection}: ${scrubbed}; ${to} holds ${String(count)}\n$`))
    expect(await readNdjson(to)).toEqual(expected())
  })

  test('writes NDJSON to stdout with --to -, and everything else to stderr', async () => {
    const all = await pull(collection, '--to', '-')
    const lines = all.stdout.split('\n')
    expect([all.status, lines.pop()]).toEqual([0, ''])
    expect(sortById(lines.map((line) => JSON.parse(line) as View))).toEqual(expected())
    const text = `${collection}: ${String(lines.length)} read; continue with --updated-since `
    expect(all.stderr).toContain(text)
    const since = all.stderr.replace(text, '').trim()
    const next = await pull(collection, '--to', '-', '--updated-since', since, '--json')
    expect([next.status, next.stdout]).toEqual([0, ''])
    expect(JSON.parse(next.stderr)).toMatchObject({ to: '-', records: 0, pages: 1 })
    expect(await readdir(folder)).toEqual([])
  })
})

test.skipIf(!hasSqlite)(
  `one SQLite file holds both collections${hasSqlite ? '' : `: skipped, Node ${process.version} has no node:sqlite`}`,
  async () => {
    for (const collection of collections) {
      expect(await pull(collection, '--to', at('copy.sqlite'))).toMatchObject({ status: 0, stderr: '' })
      const views = listExpected(database, collection).map(({ view }) => view)
      expect(readSqlite(at('copy.sqlite'), collection)).toEqual(sortById(views))
    }
    expect(await readdir(folder)).toEqual(['copy.sqlite'])
  },
)

test.skipIf(hasSqlite)('where Node has no SQLite, it says what to do, and leaves nothing', async () => {
  const { status, stderr } = await pull('invoices', '--to', at('copy.sqlite'))
  expect([status, stderr]).toEqual([78, expect.stringMatching(/Node 22\.13 or later, or .*\.ndjson/)])
  expect(await readdir(folder)).toEqual([])
})

test('a dry run says what would change, and leaves no file', async () => {
  const count = listExpected(database, 'invoices').length
  const { status, stdout } = await pull('invoices', '--to', at('copy.ndjson'), '--dry-run')
  const changes = `would add ${String(count)}, change 0, leave 0 unchanged and remove 0; nothing was written`
  expect([status, stdout]).toEqual([0, `invoices: ${String(count)} read; ${changes}\n`])
  const json = await pull('invoices', '--to', at('copy.ndjson'), '--dry-run', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({ dryRun: true, added: count, changed: 0, removed: 0 })
  expect(await readdir(folder)).toEqual([])
})

describe('what cannot be done', () => {
  test.each([
    [[]],
    [['people', '--to', 'x.ndjson']],
    [['invoices', 'registrations', '--to', 'x.ndjson']],
    [['invoices']],
    [['invoices', '--to', 'x.csv']],
    [['invoices', '--to', 'x.ndjson', '--watch', '30']],
    [['invoices', '--to', 'x.ndjson', '--watch', '9999h']],
    [['invoices', '--to', 'x.ndjson', '--key', 'k']],
    [['invoices', '--to', 'x.ndjson', '--updated-since', '2026-01-01']],
    [['invoices', '--to', '-', '--full']],
    [['invoices', '--to', '-', '--dry-run']],
    [['invoices', '--to', 'x.ndjson', '--dry-run', '--watch', '30s']],
    [['invoices', '--to', '--json']],
  ])('%j is not understood: 64', async (args) => {
    const { status, stdout, stderr } = await pull(...args)
    expect([status, stdout]).toEqual([64, ''])
    expect(stderr).toMatch(/^vitrine: .+\nSee vitrine pull --help\.\n$/)
  })

  test.each([
    ['a variable that is empty', ['--key-env', 'NONE'], /NONE: found nothing/],
    ['a url that is none', ['--url', 'nowhere'], /--url or VITRINE_URL: found another form/],
    ['a folder that is not there', ['--to', '/none/x.ndjson'], /--to: found \/none\/x\.ndjson/],
  ])('%s: 78', async (_, args, text) => {
    const { status, stderr } = await pull('invoices', '--to', at('x.ndjson'), ...args)
    expect([status, stderr]).toEqual([78, expect.stringMatching(text)])
    expect(await readdir(folder)).toEqual([])
  })

  test('a refused key: 1, its request, nothing of the key, and nothing left behind', async () => {
    const args = ['invoices', '--url', gate.url, '--key-env', 'K', '--to', at('x.ndjson')]
    const { status, stdout, stderr } = await startPull(args, { K: keys.revoked }).outcome
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^vitrine: invalid_key: .*\(status 401, request [0-9a-f-]{36}\)\n$/)
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends a pull with %i, and the next goes on from there', async (signal, status) => {
    const running = start('registrations', '--to', at('copy.ndjson'))
    gate.onMoment = async (moment, request) => {
      if (moment !== 'asked' || request !== 2) return
      running.child.kill(signal)
      // Not answered before that, or the pull might be done before the signal reaches it.
      await running.outcome
    }
    const outcome = await running.outcome
    expect(outcome).toMatchObject({ status, stdout: '' })
    expect(outcome.stderr).toBe('Interrupted; the next pull continues from here.\n')
    gate.onMoment = () => undefined
    const { stdout } = await pull('registrations', '--to', at('copy.ndjson'), '--json')
    const expected = listExpected(database, 'registrations')
    expect(JSON.parse(stdout)).toMatchObject({ records: expected.length - 100, total: expected.length })
  })

  test('ends a watch with 0, which had gone on after its pause', async () => {
    const watch = start('invoices', '--to', at('copy.ndjson'), '--watch', '1s')
    gate.onMoment = (moment, request) => {
      if (moment === 'answered' && request === 5) watch.child.kill('SIGINT')
    }
    const { status, stdout, stderr } = await watch.outcome
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').length).toBeGreaterThanOrEqual(3)
  })
})

test('it loads neither a database driver nor a server', async () => {
  const loaded = async (command: string): Promise<string> =>
    promisify(execFile)(process.execPath, ['dist/cli.js', command], {
      env: { PATH: process.env['PATH'] ?? '', NODE_DEBUG: 'esm,module' },
      maxBuffer: 1 << 28,
    }).then(
      ({ stderr }) => stderr,
      (error: unknown) => (error as { stderr: string }).stderr,
    )
  expect(await loaded('pull')).not.toContain('node_modules/')
  // What it is compared with: a command that does.
  expect(await loaded('openapi')).toContain('node_modules/')
})
