import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { startPull } from '../support/pulling.js'
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

/** A pull of invoices from a server that answers by these scripts. */
async function pull(flags: readonly string[], ...scripts: readonly Script[]): Promise<PullOutcome> {
  const { url } = await startScript(...scripts)
  const args = ['invoices', '--url', url, '--key-env', 'K', '--to', copy, ...flags]
  return startPull(args, { K: 'k' }).outcome
}

describe('no control character of the server is printed', () => {
  const hostile = 'x\u001b]0;owned\u0007\u009b2J\u202e\r\n'
  const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

  test.each<[string, Script]>([
    ['a problem', json({ code: `c${hostile}`, detail: hostile, requestId: hostile, title: hostile }, 400)],
    ['a header', json({}, 308, { location: 'http://a.test/\u009b2J', 'x-request-id': '\u009b2J' })],
    ['a type', (response) => response.writeHead(200, { 'content-type': 'text/\u009b2J' }).end()],
  ])('of %s', async (_, script) => {
    const { status, stdout, stderr } = await pull([], script)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^vitrine: .*\uFFFD.*\n$/)
    expect(stderr.slice(0, -1)).not.toMatch(controls)
    expect(await readdir(folder)).toEqual([])
  })

  test.each([[[]], [['--json']]])('of an instant, with %j', async (flags) => {
    const page = (cursor: string | null) =>
      json({ data: [{ id: 'a', updatedAt: hostile }], meta: { cursor, nextUpdatedSince: hostile } })
    // 50 pages, so that a line of progress is printed.
    const pages = Array.from({ length: 50 }, (_, index) => page(`c${String(index)}`))
    const { status, stdout, stderr } = await pull(flags, ...pages, page(null))
    expect(status).toBe(0)
    expect(`${stderr.replace(/\n$/, '')}${stdout.replace(/\n$/, '')}`).not.toMatch(controls)
    expect(stderr).toMatch(/^invoices: 50 records/)
    if (flags.length > 0) expect(JSON.parse(stdout)).toMatchObject({ nextUpdatedSince: hostile, records: 51 })
  })
})
