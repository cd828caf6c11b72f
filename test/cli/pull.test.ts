import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { collections, listExpected } from '../support/expected.js'
import { readNdjson, sortById, startGate, startPull } from '../support/pulling.js'
import { startService, useProduct } from '../support/service.js'
import { makeFolder } from '../support/folder.js'

const database = useProduct('plain')
let gate: Awaited<ReturnType<typeof startGate>>
let folder: string
beforeAll(async () => {
  gate = await startGate(await startService(database))
})
beforeEach(() => {
  gate.onRequest = () => undefined
  gate.requests = 0
  folder = makeFolder()
})

const start = (...args: readonly string[]) =>
  startPull(args, { VITRINE_URL: gate.url, VITRINE_KEY: keys.both })
const pull = (...args: readonly string[]) => start(...args).outcome

describe.each(collections)('a pull of %s', (collection) => {
  const expected = () => sortById(listExpected(database, collection).map(({ view }) => view))

  test('makes an NDJSON file of every record, and then reads what changed since', async () => {
    const to = join(folder, 'copy.ndjson')
    const count = String(expected().length)
    const summary = `${collection}: ${count} read; ${to} holds ${count}, changes up to \\S+Z\n`
    expect(await pull(collection, '--to', to)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(`^${summary}$`) as unknown,
      stderr: '',
    })
    expect(await readNdjson(to)).toEqual(expected())
    expect((await readdir(folder)).toSorted()).toEqual(['copy.ndjson', 'copy.ndjson.state'])
    const { stdout } = await pull('--to', to, collection, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ records: 0, removed: 0, total: Number(count), full: false })
    // The page of the second run had a tag, so the third one is answered by 304.
    const scrubbed = 'unchanged, 0 removed, \\d+% of the copy compared in this cycle of the scrub'
    const { stdout: text } = await pull('--to', to, collection)
    expect(text).toMatch(new RegExp(`^${collection}: ${scrubbed}; ${to} holds ${count}\n$`))
    expect(await readNdjson(to)).toEqual(expected())
  })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a pull with %i, and the next goes on from there', async (signal, status) => {
  const to = join(folder, 'copy.ndjson')
  const running = start('registrations', '--to', to)
  gate.onRequest = async (request) => {
    if (request !== 2) return
    running.child.kill(signal)
    // Not answered before that, or the pull might be done before the signal reaches it.
    await running.outcome
  }
  const stderr = 'Interrupted; the next pull continues from here.\n'
  expect(await running.outcome).toMatchObject({ status, stdout: '', stderr })
  gate.onRequest = () => undefined
  const { stdout } = await pull('registrations', '--to', to, '--json')
  const total = listExpected(database, 'registrations').length
  expect(JSON.parse(stdout)).toMatchObject({ records: total - 100, total })
})
