import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { hasSqlite, readNdjson, readSqlite, startPull } from '../support/pulling.js'
import type { PullOutcome } from '../support/pulling.js'
import { json, page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'
import { makeFolder } from '../support/folder.js'

let folder: string
let copy: string
beforeEach(() => {
  folder = makeFolder()
  copy = join(folder, 'copy.ndjson')
})

/** A pull of invoices from a server that responds with these scripts. */
async function pull(flags: readonly string[], ...scripts: readonly Script[]): Promise<PullOutcome> {
  const { url } = await startScript(...scripts)
  const args = ['invoices', '--url', url, '--key-env', 'K', '--to', copy, ...flags]
  return startPull(args, { K: 'k' }).outcome
}

describe('no control character from the server is printed', () => {
  const hostile = 'x\u001b]0;owned\u0007\u009b2J\u202e\r\n'
  const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

  test.each<[string, Script]>([
    [
      'a problem',
      json({ code: `c${hostile}`, detail: hostile, requestId: hostile, title: hostile }, 400, {
        'content-type': 'application/problem+json',
      }),
    ],
    ['a header', json({}, 308, { location: 'http://a.test/\u009b2J', 'x-request-id': '\u009b2J' })],
    ['a type', (response) => response.writeHead(200, { 'content-type': 'text/\u009b2J' }).end()],
  ])('from %s', async (_, script) => {
    const { status, stdout, stderr } = await pull([], script)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^vitrine: .*\uFFFD.*\n$/)
    expect(stderr.slice(0, -1)).not.toMatch(controls)
    expect(await readdir(folder)).toEqual([])
  })

  test.each([[[]], [['--json']]])('from an instant, with %j', async (flags) => {
    const page = (cursor: string | null) =>
      json({ data: [{ id: 'a', updatedAt: hostile }], meta: { cursor, nextUpdatedSince: hostile } })
    // 50 pages, so that one line of progress is printed.
    const pages = Array.from({ length: 50 }, (_, index) => page(`c${String(index)}`))
    const { status, stdout, stderr } = await pull(flags, ...pages, page(null))
    expect(status).toBe(0)
    expect(`${stderr.replace(/\n$/, '')}${stdout.replace(/\n$/, '')}`).not.toMatch(controls)
    expect(stderr).toMatch(/^invoices: 50 records/)
    if (flags.length > 0) expect(JSON.parse(stdout)).toMatchObject({ nextUpdatedSince: hostile, records: 51 })
  })
})

test('a key that expires soon is one line, which names the variable and the time', async () => {
  const at = new Date(Date.now() + 3.5 * 86_400_000).toISOString()
  const pages = ['c1', null].map((cursor) =>
    json({ data: [], meta: { cursor, nextUpdatedSince: at } }, 200, { 'api-key-expires': at }),
  )
  const { status, stderr } = await pull([], ...pages)
  expect([status, stderr]).toEqual([0, `The API key in K expires in 3 days, at ${at}: ask for a new one.\n`])
})

test('the address and the key are those of VITRINE_URL and VITRINE_KEY, and forms of one address are one copy', async () => {
  const { url, headers } = await startScript(page(['a'], null, 'N1'), page([], null), page([], null))
  const { port } = new URL(url)
  const addresses = [url, `HTTP://127.0.0.1:${port}/`, `http://127.1:${port}/api/public/v1/`]
  for (const VITRINE_URL of addresses) {
    const { outcome } = startPull(['invoices', '--to', copy, '--scrub', '0'], {
      VITRINE_URL,
      VITRINE_KEY: 'k',
    })
    expect(await outcome).toMatchObject({ status: 0, stderr: '' })
  }
  expect(headers.map(({ authorization }) => authorization)).toEqual(addresses.map(() => 'Bearer k'))
  const { status, stderr } = await startPull(['invoices', '--to', copy], {}).outcome
  expect([status, stderr]).toEqual([78, expect.stringMatching(/--url or VITRINE_URL: found nothing/)])
})

// As root alone, because an ordinary user has no small disk.
const isRoot = process.getuid?.() === 0
describe.skipIf(!isRoot || spawnSync('mount', ['--version']).status !== 0)('a full disk', () => {
  test.for(hasSqlite ? ['copy.ndjson', 'copy.sqlite'] : ['copy.ndjson'])(
    'is named with the file %s, whose records stay',
    async (name, { skip }) => {
      if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status !== 0) skip()
      try {
        const to = join(folder, name)
        const long = Array.from({ length: 90 }, (_, index) => `${String(index)}${'x'.repeat(1000)}`)
        const { url } = await startScript(page(['a'], null), page(long, null))
        const args = ['invoices', '--url', url, '--key-env', 'K', '--to', to, '--scrub', '0']
        const run = () => startPull(args, { K: 'k' }).outcome
        expect(await run()).toMatchObject({ status: 0 })
        const { status, stderr } = await run()
        expect([status, stderr]).toEqual([1, expect.stringMatching(`^vitrine: ${to}: its disk is full`)])
        const read = async () => (name === 'copy.ndjson' ? readNdjson(to) : readSqlite(to, 'invoices'))
        expect(await read()).toMatchObject([{ id: 'a' }])
      } finally {
        spawnSync('umount', [folder])
      }
    },
  )
})

describe('a full pull that would remove most of the copy', () => {
  const page = (count: number, nextUpdatedSince: string) => {
    const data = Array.from({ length: count }, (_, index) => ({ id: `i${String(index)}` }))
    return json({ data, meta: { cursor: null, nextUpdatedSince } })
  }
  const few = page(3, 'N2')

  test.each([[[]], [['--json']], [['--watch', '1s']]])(
    'ends with 1 and both numbers, and the copy is unchanged, with %j',
    async (flags) => {
      // One server, because a copy keeps its URL.
      const { url, requests } = await startScript(page(250, 'N1'), few, page(1, 'N3'), few)
      const args = ['invoices', '--url', url, '--key-env', 'K', '--to', copy]
      const run = (...more: readonly string[]) => startPull([...args, ...more], { K: 'k' }).outcome
      await run()
      const before = await readFile(copy)
      const { status, stdout, stderr } = await run('--full', ...flags)
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^vitrine: .* 247 of the 250 records .*--full --allow-removals\n$/)
      expect((await readFile(copy)).equals(before)).toBe(true)
      // The next pull starts where the first one ended.
      expect(await run('--scrub', '0')).toMatchObject({ status: 0, stderr: '' })
      expect(requests.at(-1)?.[0]).toContain('updatedSince=N1')
      expect(await readNdjson(copy)).toHaveLength(250)
      const { stdout: allowed } = await run('--full', '--allow-removals', '--json')
      expect(JSON.parse(allowed)).toMatchObject({ full: true, removed: 247, total: 3 })
    },
  )

  test('--allow-removals without --full ends with 64', async () => {
    const { status, stderr } = await pull(['--allow-removals'], few)
    expect([status, stderr]).toEqual([64, expect.stringContaining('--allow-removals needs --full')])
    expect(await readdir(folder)).toEqual([])
  })
})

describe.each(hasSqlite ? ['copy.ndjson', 'copy.sqlite'] : ['copy.ndjson'])(
  'a higher epoch of the service',
  (name) => {
    test(`makes a pull into ${name} read everything anew, and say why`, async () => {
      const inEpoch = (epoch: number, ids: readonly string[], cursor: string | null = null) =>
        json({ data: ids.map((id) => ({ id })), meta: { cursor, nextUpdatedSince: 'N', epoch } })
      const anew = [inEpoch(1, ['x'], 'c'), inEpoch(1, ['b'], 'c1'), inEpoch(1, ['c'])]
      const { url, requests } = await startScript(page(['a', 'b'], null), ...anew, inEpoch(0, ['d']))
      const args = ['invoices', '--url', url, '--key-env', 'K', '--to', join(folder, name), '--json']
      const run = () => startPull(args, { K: 'k' }).outcome
      await run()
      const { status, stdout, stderr } = await run()
      expect([status, stderr]).toEqual([
        0,
        'invoices: the service raised its epoch from 0 to 1: records changed without updatedAt, so all are read again\n',
      ])
      expect(JSON.parse(stdout)).toMatchObject({ full: true, epoch: 1, removed: 1, total: 2 })
      // A process from before the change makes it read nothing anew.
      expect(JSON.parse((await run()).stdout)).toMatchObject({ full: false, epoch: 1, total: 3 })
      expect(requests.map(([path]) => path.replace(/^.*limit=100&?/, ''))).toEqual([
        '',
        'updatedSince=N',
        '',
        'cursor=c1',
        'updatedSince=N',
        // The scrub, whose page is of the old epoch too.
        '',
      ])
    })
  },
)

describe('a pull reports', () => {
  test('a retry: its reason, and for how long it waits', async () => {
    const { url } = await startScript(problem('overloaded', 503, { 'retry-after': '1' }), page(['a'], null))
    const args = ['invoices', '--url', url, '--key-env', 'K', '--to', copy]
    const { status, stderr } = await startPull(args, { K: 'k' }).outcome
    const reason = 'invoices: overloaded: It was overloaded. (status 503, request r-1); retry 1 of 5 in 1 s\n'
    expect([status, stderr]).toEqual([0, reason])
  })

  test('that it waits for the first response', async () => {
    // The server answers when the notice is there.
    let answer = (): void => undefined
    const { url } = await startScript((response, request) => {
      answer = () => {
        page(['a'], null)(response, request)
      }
    })
    const args = ['invoices', '--url', url, '--key-env', 'K', '--to', copy]
    const { child, outcome } = startPull(args, { K: 'k' })
    child.stderr?.once('data', () => {
      answer()
    })
    const { status, stderr, notices } = await outcome
    expect([status, stderr]).toEqual([0, ''])
    expect(notices).toMatch(/^invoices: waiting for the first response for 2 s, time limit 30 s\n/)
  })

  test('with --watch, a failed sync', async () => {
    const { url } = await startScript(problem('rate_limited', 429, { 'retry-after': '500' }))
    const args = ['invoices', '--url', url, '--key-env', 'K', '--to', copy, '--watch', '2h']
    const { child, outcome } = startPull(args, { K: 'k' })
    child.stderr?.on('data', (chunk: Buffer) => {
      if (chunk.includes('trying again')) child.kill('SIGTERM')
    })
    const { status, stderr } = await outcome
    const reason = 'rate_limited: It was rate_limited. (status 429, request r-1)'
    const text = `invoices: ${reason}; trying again until it works\n`
    expect([status, stderr]).toEqual([0, text])
  })
})

describe('--to -', () => {
  const start = (url: string, ...flags: readonly string[]) =>
    startPull(['invoices', '--url', url, '--key-env', 'K', '--to', '-', ...flags], { K: 'k' })

  test('sends the instant, the filters and the program that asks', async () => {
    const { url, requests, headers } = await startScript(page(['a'], null, 'N1'))
    const { status, stdout, stderr } = await start(url, '--updated-since', 'S', '--status', 'PAID').outcome
    expect([status, stdout, stderr]).toEqual([
      0,
      '{"id":"a"}\n',
      'invoices: 1 read; continue with --updated-since N1\n',
    ])
    expect(requests[0]?.[0]).toContain('limit=100&updatedSince=S&status=PAID')
    expect(headers[0]?.['user-agent']).toMatch(/^vitrine-client\/\S+ Node\.js\/\S+ vitrine-pull\/\S+$/)
  })

  test('ends with 141 and without a message when its reader has closed stdout', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `${String(index)}${'x'.repeat(1000)}`)
    let requests = 0
    const { url } = await startScript((response, request) => {
      requests += 1
      page(ids, requests === 50 ? null : `c${String(requests)}`)(response, request)
    })
    const { child, outcome } = start(url)
    child.stdout?.once('data', () => child.stdout?.destroy())
    const { status, stderr } = await outcome
    expect([status, stderr]).toEqual([141, ''])
    expect(requests).toBeLessThan(50)
  })

  test('with --watch, polls from where it is, by the tag of the last page', async () => {
    const tag = { etag: 'W/"1"' }
    const { url, requests, headers } = await startScript(
      page(['a'], null, 'N1'),
      page(['b'], null, 'N2', tag),
      problem('invalid_key', 401),
    )
    const { status, stdout } = await start(url, '--watch', '1s').outcome
    expect([status, stdout]).toEqual([1, '{"id":"a"}\n{"id":"b"}\n'])
    const queries = requests.map(([path]) => path.replace(/^.*limit=100/, ''))
    expect(queries).toEqual(['', '&updatedSince=N1', '&updatedSince=N1'])
    expect(headers.map((one) => one['if-none-match'])).toEqual([undefined, undefined, 'W/"1"'])
  })
})
