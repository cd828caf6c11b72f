import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { keys, runStatements } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import { afterFile } from '../support/after-file.js'
import { createClient } from '../support/client.js'
import { makeFolder } from '../support/folder.js'
import { sortById } from '../support/pulling.js'
import { listBlocks } from '../support/readme.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/* The programs of docs/integrators.md that keep a copy, run as printed, through a proxy that loses and changes answers. */

const throwaway = useThrowaway()
let database: ProductDatabase
let services: readonly [TestService, TestService]
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 1200 })
  // The second one has a higher epoch.
  const raised = await startService(database, { change: (mapping) => ({ ...mapping, epoch: 1 }) })
  services = [await startService(database), raised]
})

const readShown = async (): Promise<readonly View[]> =>
  sortById(await createClient(services[0]).crawl('registrations', { limit: 100 }))
const own = (): string => `WHERE workspace_id = '${database.product.workspaceId(0)}' AND archived_at IS NULL`
const parse = (text: string): readonly View[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as View)

const samples = [
  {
    ...{ language: 'ts', file: 'sync.mjs', program: process.execPath, probe: 'true', needs: 'Node' },
    // Of the lines with one id, the last is its record.
    read: (folder: string): readonly View[] => [
      ...new Map(
        parse(readFileSync(join(folder, 'changes.ndjson'), 'utf8')).map((view) => [view['id'], view]),
      ).values(),
    ],
  },
  {
    ...{ language: 'python', file: 'sync.py', program: 'python3', needs: 'python3-requests and sqlite3' },
    probe: "python3 -c 'import requests' && command -v sqlite3",
    read: (folder: string): readonly View[] =>
      parse(execFileSync('sqlite3', [join(folder, 'copy.sqlite'), 'SELECT record FROM records']).toString()),
  },
]

/** What a request meets before the service. */
type Obstacle = 'none' | 'half' | ((response: ServerResponse) => void)
const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Obstacle =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>')

/** A proxy before one of the services; `ahead` are the obstacles of the next requests, `paths` those of all runs. */
async function startProxy() {
  const proxy = { url: '', ahead: [] as Obstacle[], paths: [] as string[], epoch: 0 }
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    proxy.paths.push(url)
    const obstacle = proxy.ahead.shift() ?? 'none'
    if (typeof obstacle === 'function') {
      obstacle(response)
      return
    }
    void services[proxy.epoch as 0 | 1].app.inject({ url, headers: request.headers }).then((sent) => {
      response.writeHead(sent.statusCode, { ...sent.headers, connection: 'close' })
      if (obstacle === 'none') response.end(sent.rawPayload)
      else response.write(sent.rawPayload.subarray(0, 1000), () => response.destroy())
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterFile(() => server.close())
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

/** In CI everything is there: what is missing then is a failure. */
const isMissing = (probe: string): boolean =>
  (process.env['CI'] ?? '') === '' && spawnSync('sh', ['-c', probe]).status !== 0

for (const { language, file, program, probe, needs, read } of samples) {
  const missing = isMissing(probe)
  describe.skipIf(missing)(
    `the documented sync in ${language}${missing ? `: skipped, needs ${needs}` : ''}`,
    () => {
      const folder = makeFolder()
      const text =
        listBlocks(language, 'docs/integrators.md').find((one) => one.includes('VITRINE_KEY')) ?? ''
      writeFileSync(join(folder, file), text)
      mkdirSync(join(folder, 'node_modules'))
      symlinkSync(resolve('dist/vitrine-client'), join(folder, 'node_modules/vitrine-client'))
      const start = (url: string): ChildProcess =>
        spawn(program, [file], {
          cwd: folder,
          env: { PATH: process.env['PATH'], HOME: folder, VITRINE_URL: url, VITRINE_KEY: keys.both },
          stdio: ['ignore', 'ignore', 'inherit'],
        })
      const sync = async (url: string): Promise<void> => {
        expect(await once(start(url), 'close')).toEqual([0, null])
      }

      test('ends with a right copy whatever interrupts it, and is read anew after a higher epoch', async () => {
        const proxy = await startProxy()
        const [limited, overloaded] = [
          answer(429, { 'retry-after': '1' }),
          answer(503, { 'retry-after': '1' }),
        ]
        const first = start(proxy.url)
        proxy.ahead = ['none', limited, 'none', overloaded, 'none', () => first.kill('SIGKILL')]
        expect(await once(first, 'close')).toEqual([null, 'SIGKILL'])
        // The rest, from where it was; a page that was read is not read again.
        const lost: Obstacle = (response) => response.destroy()
        proxy.ahead = [lost, 'none', answer(502), 'half', 'none', answer(503, { 'retry-after': 'soon' })]
        await sync(proxy.url)
        expect(proxy.paths.filter((path) => !path.includes('cursor='))).toHaveLength(1)
        const before = await readShown()
        expect(before.length).toBeGreaterThan(500)
        expect(sortById(read(folder))).toEqual(before)

        await runStatements(database.adminUrl, [
          `UPDATE event_registrations SET attendee_name = 'Änne \u2028 "x"', updated_at = UTC_TIMESTAMP(3) ${own()} ORDER BY id LIMIT 150`,
        ])
        proxy.paths = []
        await sync(proxy.url)
        expect(proxy.paths[0]).toContain('updatedSince=')
        expect(sortById(read(folder))).toEqual(await readShown())

        // No sync sees what was archived, until the epoch is higher.
        await runStatements(database.adminUrl, [
          `UPDATE event_registrations SET archived_at = UTC_TIMESTAMP(3) ${own()} ORDER BY id LIMIT 1`,
        ])
        await sync(proxy.url)
        expect(sortById(read(folder))).not.toEqual(await readShown())
        proxy.epoch = 1
        for (const _ of ['seen', 'read anew']) await sync(proxy.url)
        expect(sortById(read(folder))).toEqual(await readShown())
      })
    },
  )
}
