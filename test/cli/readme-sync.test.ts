import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keys, runStatements } from '../product/index.js'
import type { View } from '../product/index.js'
import { createClient } from '../support/client.js'
import { createConsumer } from '../support/consumer.js'
import type { Consumer } from '../support/consumer.js'
import { readNdjson, sortById } from '../support/pulling.js'
import { listBlocks } from '../support/readme.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

/** One of the programs of docs/integrators.md that keep a copy; it is run as printed. */
interface Sample {
  readonly language: string
  readonly file: string
  readonly program: string
  readonly read: (folder: string) => Promise<readonly View[]>
  /** Ends with 0 where what it needs is on this machine. */
  readonly probe: readonly [program: string, ...args: string[]]
  readonly needs: string
}

const readJson = async (folder: string): Promise<readonly View[]> => {
  const copy = JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8')) as {
    records: Record<string, View>
  }
  return sortById(Object.values(copy.records))
}
const samples: readonly Sample[] = [
  {
    language: 'ts',
    file: 'sync.mjs',
    program: process.execPath,
    read: readJson,
    probe: ['true'],
    needs: 'Node',
  },
  {
    language: 'python',
    file: 'sync.py',
    program: 'python3',
    read: readJson,
    probe: ['python3', '-c', 'import requests'],
    needs: 'python3-requests',
  },
  {
    language: 'bash',
    file: 'sync.sh',
    program: 'bash',
    read: (folder) => readNdjson(join(folder, 'copy.ndjson')),
    probe: ['sh', '-c', 'command -v bash && command -v curl && command -v jq'],
    needs: 'bash, curl and jq',
  },
]

/** In CI everything is there: what is missing then is a failure, not a reason to skip. */
const isSkippable = process.env['CI'] === undefined || process.env['CI'] === ''

describe.each(samples)(
  'the documented sync in $language',
  ({ language, file, program, read, probe, needs }) => {
    const [name, ...args] = probe
    const missing = isSkippable && spawnSync(name, args).status !== 0
    let consumer: Consumer
    beforeAll(async () => {
      consumer = await createConsumer()
    })
    afterAll(() => consumer.remove())
    const [sample = ''] = listBlocks(language).filter((text) => text.includes('VITRINE_KEY'))

    test.skipIf(missing)(
      `keeps a copy that is right${missing ? `: skipped, ${needs} is not on this machine` : ''}`,
      async () => {
        const database = await throwaway.createProduct('plain', { registrations: 700 })
        const service = await startService(database)
        const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
        const env = { PATH: process.env['PATH'] ?? '', VITRINE_URL: url, VITRINE_KEY: keys.both }
        const sync = () => promisify(execFile)(program, [file], { cwd: consumer.folder, env })
        const shown = () => createClient(service).crawl('registrations', { limit: 100 })
        const workspace = database.product.workspaceId(0)
        await consumer.write(file, sample)
        await sync()
        const before = await shown()
        expect(before.length).toBeGreaterThan(200)
        expect(await read(consumer.folder)).toEqual(sortById(before))
        await runStatements(database.adminUrl, [
          `UPDATE event_registrations SET attendee_name = 'Änne \u2028 "x"', updated_at = UTC_TIMESTAMP(3)
          WHERE workspace_id = '${workspace}' AND archived_at IS NULL ORDER BY id LIMIT 150`,
        ])
        await sync()
        const after = await shown()
        expect(after).not.toEqual(before)
        expect(await read(consumer.folder)).toEqual(sortById(after))
      },
    )
  },
)

test('the documented TypeScript compiles', async ({ onTestFinished }) => {
  const consumer = await createConsumer()
  onTestFinished(() => consumer.remove())
  const [sample = ''] = listBlocks('ts').filter((text) => text.includes('VITRINE_KEY'))
  await consumer.write('sync.ts', sample)
  const node = [
    '--types',
    'node',
    '--typeRoots',
    'node_modules/vitrine/node_modules/@types',
    '--skipLibCheck',
  ]
  expect(await consumer.compile(['sync.ts'], [...node, '--noEmit'])).toBe('')
})
