import { spawnSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { changeSqlite, hasSqlite, readNdjson, readSqlite, startPull } from '../support/pulling.js'
import { createRecordServer, toTime } from '../support/record-server.js'
import {
  json,
  N,
  N1,
  N2,
  N3,
  N4,
  nameInstants,
  page,
  problem,
  startScript,
} from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'
import { makeFolder } from '../support/folder.js'

let folder: string
let copy: string
beforeEach(() => {
  folder = makeFolder()
  copy = join(folder, 'copy.ndjson')
})

const files = hasSqlite ? ['copy.ndjson', 'copy.sqlite'] : ['copy.ndjson']
const read = async (file: string, table = 'invoices') =>
  file.endsWith('.ndjson') ? readNdjson(file) : readSqlite(file, table)

/** Pulls of invoices from a server that responds with these scripts. */
async function startServer(...scripts: readonly Script[]) {
  const server = await startScript(...scripts)
  const start = (...flags: readonly string[]) =>
    startPull(['invoices', '--url', server.url, '--key-env', 'K', '--to', copy, ...flags], { K: 'k' })
  return { ...server, start, pull: (...flags: readonly string[]) => start(...flags).outcome }
}

const hostile = 'x\u001b]0;owned\u0007\u009b2J\u202e\r\n'

test.each<[string, Script]>([
  [
    'a problem',
    json({ code: `c${hostile}`, detail: hostile, requestId: hostile, title: hostile }, 400, {
      'content-type': 'application/problem+json',
    }),
  ],
  ['a header', json({}, 308, { location: 'http://a.test/\u009b2J', 'x-request-id': '\u009b2J' })],
  ['a type', (response) => response.writeHead(200, { 'content-type': 'text/\u009b2J' }).end()],
])('no control character of the server is printed, and nothing is left: %s', async (_, script) => {
  const { status, stdout, stderr } = await (await startServer(script)).pull()
  expect([status, stdout, await readdir(folder)]).toEqual([1, '', []])
  expect(stderr).toMatch(/^vitrine: [^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\uFFFD[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\n$/u)
})

test('a key that expires soon is one line, which names the variable and the time', async () => {
  const at = new Date(Date.now() + 3.5 * 86_400_000).toISOString()
  const pages = ['c1', null].map((cursor) => page([], cursor, at, { 'api-key-expires': at }))
  const { status, stderr } = await (await startServer(...pages)).pull()
  expect([status, stderr]).toEqual([0, `The API key in K expires in 3 days, at ${at}: ask for a new one.\n`])
})

test('the address and the key are those of VITRINE_URL and VITRINE_KEY, and forms of one address are one copy', async () => {
  const { url, headers } = await startServer(page(['a'], null), page([], null))
  const { port } = new URL(url)
  const addresses = [url, `HTTP://127.0.0.1:${port}/`, `http://127.1:${port}/api/public/v1/`]
  for (const VITRINE_URL of addresses) {
    const env = { VITRINE_URL, VITRINE_KEY: 'k' }
    const { outcome } = startPull(['invoices', '--to', copy, '--scrub', '0'], env)
    expect(await outcome).toMatchObject({ status: 0, stderr: '' })
  }
  expect(headers.map(({ authorization }) => authorization)).toEqual(addresses.map(() => 'Bearer k'))
})

test('a failed attempt is reported, and with --watch a failed sync does not end it', async () => {
  const { pull } = await startServer(problem('overloaded', 503, { 'retry-after': '1' }), page(['a'], null))
  const reason = 'invoices: overloaded: It was overloaded. (status 503, request r-1)'
  expect(await pull()).toMatchObject({ status: 0, stderr: `${reason}; retry 1 of 8 in 1 s\n` })
  copy = join(folder, 'other.ndjson')
  const { start } = await startServer(problem('overloaded', 503, { 'retry-after': '500' }))
  const { child, outcome } = start('--watch', '2h')
  child.stderr?.once('data', () => child.kill('SIGTERM'))
  expect(await outcome).toMatchObject({ status: 0, stderr: `${reason}; trying until it answers\n` })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a pull with %i, and the next goes on from there', async (signal, status) => {
  const stop: Script = () => running.child.kill(signal)
  const { start, pull, requests } = await startServer(page(['a', 'b'], 'c1'), stop, page(['c'], null))
  const running = start()
  const stderr = 'Interrupted; the next pull continues from here.\n'
  expect(await running.outcome).toMatchObject({ status, stdout: '', stderr })
  expect(await pull('--scrub', '0')).toMatchObject({ status: 0 })
  expect((await read(copy)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(requests.at(-1)?.[0]).toContain('cursor=c1')
})

test.skipIf(!hasSqlite)('an SQLite copy has what was read before a kill, and goes on there', async () => {
  copy = join(folder, 'copy.sqlite')
  const kill: Script = () => running.child.kill('SIGKILL')
  const { start, pull, requests } = await startServer(page(['a', 'b'], 'c1'), kill, page(['c'], null))
  const running = start()
  expect((await running.outcome).status).toBe('SIGKILL')
  expect(await pull('--scrub', '0')).toMatchObject({ status: 0 })
  expect((await read(copy)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(requests.at(-1)?.[0]).toContain('cursor=c1')
})

test.skipIf(!hasSqlite)('an older SQLite copy gets its columns, and all records again', async () => {
  copy = join(folder, 'copy.sqlite')
  const anew = json({ data: [{ id: 'a', number: '7' }], meta: { cursor: null, nextUpdatedSince: N } })
  const { pull, requests } = await startServer(page(['a', 'b'], null), anew)
  await pull()
  changeSqlite(copy, 'ALTER TABLE invoices DROP COLUMN number; ALTER TABLE invoices DROP COLUMN total')
  const stderr = 'invoices: the copy lacks number, total, so all records are read again\n'
  expect(await pull()).toMatchObject({ status: 0, stderr })
  expect(requests[1]?.[0]).not.toContain('updatedSince')
  expect(await read(copy)).toMatchObject([{ id: 'a', number: '7', total: null }])
  expect(await pull('--scrub', '0')).toMatchObject({ status: 0, stderr: '' })
  expect(requests[2]?.[0]).toContain('updatedSince')
})

// As root alone, because an ordinary user has no small disk.
const isRoot = process.getuid?.() === 0
describe.skipIf(!isRoot || spawnSync('mount', ['--version']).status !== 0)('a full disk', () => {
  test.for(files)('is named with the file %s, whose records stay', async (name, { skip }) => {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status !== 0) skip()
    try {
      copy = join(folder, name)
      const long = Array.from({ length: 90 }, (_, index) => `${String(index)}${'x'.repeat(1000)}`)
      const { pull } = await startServer(page(['a'], null), page(long, null))
      expect(await pull()).toMatchObject({ status: 0 })
      const { status, stderr } = await pull()
      expect([status, stderr]).toEqual([1, expect.stringMatching(`^vitrine: ${copy}: its disk is full`)])
      expect(await read(copy)).toMatchObject([{ id: 'a' }])
    } finally {
      spawnSync('umount', [folder])
    }
  })
})

describe.each(files)('%s', (name) => {
  const list = (count: number, nextUpdatedSince: string): Script =>
    page(
      Array.from({ length: count }, (_, index) => `i${String(index)}`),
      null,
      nextUpdatedSince,
    )

  test('is unchanged by a full pull that would remove most of it, which ends with 1 and both numbers', async () => {
    copy = join(folder, name)
    const { pull, requests } = await startServer(list(250, N1), list(3, N2), list(1, N3), list(3, N4))
    await pull()
    const before = await readFile(copy)
    const { status, stdout, stderr } = await pull('--full', '--watch', '1s')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^vitrine: .* 247 of the 250 records .*--full --allow-removals\n$/)
    expect((await readFile(copy)).equals(before)).toBe(true)
    expect(await pull('--scrub', '0')).toMatchObject({ status: 0, stderr: '' })
    expect([requests.at(-1)?.[0], (await read(copy)).length]).toEqual([
      expect.stringContaining(`updatedSince=${encodeURIComponent(N1)}`),
      250,
    ])
    const { stdout: allowed } = await pull('--full', '--allow-removals', '--json')
    expect(JSON.parse(allowed)).toMatchObject({ full: true, removed: 247, total: 3 })
  })

  test('is read anew when the epoch of the service is raised', async () => {
    copy = join(folder, name)
    const inEpoch = (epoch: number, ids: readonly string[], cursor: string | null = null) =>
      json({ data: ids.map((id) => ({ id })), meta: { cursor, nextUpdatedSince: N, epoch } })
    const anew = [inEpoch(1, ['x'], 'c'), inEpoch(1, ['b'], 'c1'), inEpoch(1, ['c'])]
    const { pull } = await startServer(page(['a', 'b'], null), ...anew)
    await pull()
    const { status, stdout, stderr } = await pull('--json')
    const reason =
      'invoices: the service raised its epoch from 0 to 1: records changed without updatedAt, so all are read again\n'
    expect([status, stderr]).toEqual([0, reason])
    expect(JSON.parse(stdout)).toMatchObject({ full: true, epoch: 1, removed: 1, total: 2 })
    expect((await read(copy)).map(({ id }) => id)).toEqual(['b', 'c'])
  })

  test('is not continued from a state that was edited, and read anew with --full', async () => {
    copy = join(folder, name)
    const { pull, requests } = await startServer(page(['a', 'b'], null, N1), page(['b'], null, N2))
    await pull()
    if (name.endsWith('.sqlite'))
      changeSqlite(copy, `UPDATE vitrine_state SET state = replace(state, '2026', 'x')`)
    else await writeFile(`${copy}.state`, (await readFile(`${copy}.state`, 'utf8')).replace('2026', 'x'))
    const { status, stderr } = await pull()
    expect([status, requests]).toEqual([78, [expect.anything()]])
    expect(stderr).toMatch(/: found The since of the stored state is not valid.* or --full, which reads/)
    expect(await pull('--full')).toMatchObject({ status: 0, stderr: '' })
    expect((await read(copy)).map(({ id }) => id)).toEqual(['b'])
  })

  test('is scrubbed: what is gone is removed, and what it lacks is added', async () => {
    copy = join(folder, name)
    const server = createRecordServer()
    const { pull, requests } = await startServer((response, request) => {
      server.script(response, request)
    })
    const toRecord = (_: unknown, at: number) => ({ id: String(at), updatedAt: toTime(at * 10), status: 'A' })
    const records = Array.from({ length: 400 }, toRecord)
    server.set(...records.filter(({ id }) => id !== '5'))
    await pull()
    server.set(records[5]!)
    server.remove('0', '399')
    const before = requests.length
    const scrubbed = await pull('--json')
    expect(JSON.parse(scrubbed.stdout)).toMatchObject({ removed: 1, total: 399, full: false })
    // One of the sync, 5% of 400 is a page, and the id that the list lacks.
    expect(requests.length - before).toBe(1 + 1 + 1)
    expect((await pull('--scrub', '95')).stdout).toContain('1 removed, 100% of the copy compared')
    expect((await read(copy)).map(({ id }) => id)).toEqual(server.ids().toSorted())
  })

  test('is scrubbed with --watch as much as makes a cycle an hour', async () => {
    copy = join(folder, name)
    const server = createRecordServer()
    server.set(
      ...Array.from({ length: 5000 }, (_, at) => ({ id: String(at), updatedAt: toTime(at), status: 'A' })),
    )
    const { pull, start, requests } = await startServer((response, request) => {
      server.script(response, request)
    })
    await pull()
    const before = requests.length
    const { child, outcome } = start('--watch', '36s')
    child.stdout?.once('data', () => child.kill('SIGTERM'))
    await outcome
    expect(requests.length - before).toBe(1 + 1)
  })
})

test('the filters, the program that asks, and the position of the copy are sent', async () => {
  const { pull, requests, headers } = await startServer(page(['a'], null, N1), page([], null, N2))
  for (let run = 0; run < 2; run += 1) await pull('--status', 'PAID', '--scrub', '0')
  const queries = requests.map(([path]) => nameInstants(path.replace(/^.*limit=100/, '')))
  expect(queries).toEqual(['&status=PAID', '&updatedSince=N1&status=PAID'])
  expect(headers[0]?.['user-agent']).toMatch(/^vitrine-pull\/\S+ Node\.js\/\S+$/)
})

describe('--all', () => {
  const withheld = problem('insufficient_scope', 403)
  const startAll = async (to: string, flags: readonly string[], ...scripts: readonly Script[]) => {
    const { url } = await startServer(...scripts)
    return startPull(['--all', '--url', url, '--key-env', 'K', '--to', join(folder, to), ...flags], {
      K: 'k',
    })
  }

  test.each(hasSqlite ? ['new/copies', 'copy.sqlite'] : ['new/copies'])('copies both to %s', async (to) => {
    const { outcome } = await startAll(to, [], page(['r'], null), page(['i'], null))
    const { status, stdout, stderr } = await outcome
    expect([status, stderr, stdout.match(/^\w+: 1 read/gm)]).toEqual([
      0,
      '',
      ['registrations: 1 read', 'invoices: 1 read'],
    ])
    for (const collection of ['registrations', 'invoices']) {
      const file = join(folder, to === 'copy.sqlite' ? to : `${to}/${collection}.ndjson`)
      expect(await read(file, collection)).toMatchObject([{ id: collection[0] }])
    }
  })

  test('leaves out what the key may not read, says so once, and copies it when the key may', async () => {
    const scripts = [withheld, page(['i'], null), withheld, page([], null), page(['r'], null), page([], null)]
    const { child, outcome } = await startAll('.', ['--watch', '1s', '--scrub', '0'], ...scripts)
    child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('registrations')) child.kill('SIGTERM')
    })
    const { status, stderr } = await outcome
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/^registrations: not copied: insufficient_scope: .*\n$/),
    ])
    expect(await readNdjson(join(folder, 'registrations.ndjson'))).toMatchObject([{ id: 'r' }])
  })

  test('ends with 1 for a key that may read nothing', async () => {
    const { outcome } = await startAll('.', ['--watch', '1s', '--scrub', '0'], withheld)
    const stderr: unknown = expect.stringMatching(/^vitrine: insufficient_scope: /m)
    expect(await outcome).toMatchObject({ status: 1, stderr })
  })

  test('says of each copy why it was not updated', async () => {
    const { outcome } = await startAll('.', [], problem('invalid_key', 401), problem('invalid_cursor', 400))
    const stderr: unknown = expect.stringMatching(
      /^registrations: not updated\ninvoices: not updated: invalid_cursor: .*\nvitrine: invalid_key: /m,
    )
    expect(await outcome).toMatchObject({ status: 1, stderr })
  })

  test('ends with 1 for a copy that the key may read no longer, after the others are updated', async () => {
    const scripts = [page(['r'], null), page(['i'], null), withheld, page(['i2'], null)]
    const { outcome } = await startAll('.', ['--watch', '1s', '--scrub', '0'], ...scripts)
    const stderr: unknown = expect.stringMatching(
      /^registrations: not updated\nvitrine: insufficient_scope: /m,
    )
    expect(await outcome).toMatchObject({ status: 1, stderr })
    expect(await readNdjson(join(folder, 'invoices.ndjson'))).toMatchObject([{ id: 'i' }, { id: 'i2' }])
  })
})
