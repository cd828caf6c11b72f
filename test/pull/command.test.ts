import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { readNdjson, startPull } from '../support/pulling.js'
import type { PullOutcome } from '../support/pulling.js'
import { json, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

let folder: string
let copy: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-pull-'))
  copy = join(folder, 'copy.ndjson')
  return () => rm(folder, { recursive: true })
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
    ['a problem', json({ code: `c${hostile}`, detail: hostile, requestId: hostile, title: hostile }, 400)],
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
      expect(await run()).toMatchObject({ status: 0, stderr: '' })
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
