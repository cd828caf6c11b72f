import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeFolder } from '../support/folder.js'
import { hasSqlite, readNdjson, readSqlite, startPull } from '../support/pulling.js'
import { createRecordServer, toTime } from '../support/record-server.js'
import type { RecordServer, ServedRecord } from '../support/record-server.js'
import { startScript } from '../support/scripted-server.js'

const toRecord = (at: number): ServedRecord => ({ id: String(at), updatedAt: toTime(at * 10), status: 'A' })

describe.each(hasSqlite ? ['copy.ndjson', 'copy.sqlite'] : ['copy.ndjson'])('the scrub of %s', (name) => {
  let server: RecordServer
  let file: string
  let url: string
  let requests: readonly unknown[]
  beforeEach(async () => {
    server = createRecordServer()
    file = join(makeFolder(), name)
    const started = await startScript((response, request) => {
      server.script(response, request)
    })
    url = started.url
    requests = started.requests
  })

  const fill = (count: number): void => {
    server.set(...Array.from({ length: count }, (_, at) => toRecord(at)))
  }
  const start = (...flags: readonly string[]) =>
    startPull(['invoices', '--url', url, '--key-env', 'K', '--to', file, ...flags], { K: 'k' })
  const pull = (...flags: readonly string[]) => start(...flags).outcome
  const readIds = async () => {
    const records = name.endsWith('.ndjson') ? await readNdjson(file) : readSqlite(file, 'invoices')
    return records.map(({ id }) => String(id))
  }
  const served = (): readonly string[] => server.ids().toSorted()

  test('of 100,000 records is about 50 requests in each run, and removes what is gone within 20', async () => {
    fill(100_000)
    await pull()
    server.remove('0', '4000', '99999')
    const before = requests.length
    const { stdout } = await pull('--json')
    expect(JSON.parse(stdout)).toMatchObject({ removed: 2, total: 99_998, full: false })
    expect((JSON.parse(stdout) as { cycle: number }).cycle).toBeCloseTo(0.05, 3)
    // One of the sync, and one for each of the two ids that the list lacks.
    expect(requests.length - before).toBe(1 + 50 + 2)
    expect((await pull('--scrub', '95')).stdout).toContain('1 removed, 100% of the copy compared')
    expect(await readIds()).toEqual(served())
  })

  test('takes records that the copy lacks, and shows how far the cycle is', async () => {
    fill(1000)
    const missing = toRecord(5)
    server.remove('5')
    await pull()
    server.set(missing)
    expect(await pull()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^invoices: \d+ read, 0 removed, 9% of the copy compared in this cycle of the scrub; .* holds 1,000, /,
      ) as unknown,
    })
    expect(await readIds()).toEqual(served())
  })

  test('that would remove most of what it compared ends with 1, after the sync', async () => {
    fill(300)
    await pull()
    server.remove(...server.ids())
    server.set({ ...toRecord(500), updatedAt: toTime(1e9 + 1) })
    const { status, stderr } = await pull('--scrub', '100')
    expect(status).toBe(1)
    expect(stderr).toMatch(/^vitrine: the scrub would remove 151 of the 301 .*--full --allow-removals\n$/)
    expect(await readIds()).toHaveLength(301)
    await pull('--full', '--allow-removals')
    expect(await readIds()).toEqual(['500'])
  })

  test('with --watch is as much as makes a cycle an hour', async () => {
    fill(5000)
    await pull()
    const count = async (...flags: readonly string[]): Promise<number> => {
      const before = requests.length
      const { child, outcome } = start(...flags)
      if (flags[0] === '--watch') child.stdout?.once('data', () => child.kill('SIGTERM'))
      await outcome
      // Without that of the sync.
      return requests.length - before - 1
    }
    expect([await count(), await count('--watch', '36s'), await count('--scrub', '0')]).toEqual([3, 1, 0])
  })
})

test.each([
  ['101', 'copy.ndjson', []],
  ['-1', 'copy.ndjson', []],
  ['x', 'copy.ndjson', []],
  ['5', '-', []],
  ['5', 'copy.ndjson', ['--dry-run']],
])('--scrub %s --to %s with %j ends with 64', async (share, to, flags) => {
  const args = [
    'invoices',
    '--url',
    'http://a.test',
    '--key-env',
    'K',
    '--to',
    to,
    `--scrub=${share}`,
    ...flags,
  ]
  const { status, stderr } = await startPull(args, { K: 'k' }).outcome
  expect([status, stderr]).toEqual([64, expect.stringContaining('--scrub')])
})

test('a dry run and a stream do not scrub', async () => {
  const server = createRecordServer()
  server.set(...Array.from({ length: 10 }, (_, at) => toRecord(at)))
  const { url, requests } = await startScript((response, request) => {
    server.script(response, request)
  })
  const file = join(makeFolder(), 'copy.ndjson')
  const args = ['invoices', '--url', url, '--key-env', 'K']
  for (const flags of [
    ['--to', file],
    ['--to', file, '--dry-run'],
    ['--to', '-'],
  ])
    expect(await startPull([...args, ...flags], { K: 'k' }).outcome).toMatchObject({ status: 0 })
  expect(requests).toHaveLength(3)
})
