import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keys, runStatements } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import { createClient } from '../support/client.js'
import { installTools } from '../support/foreign-tools.js'
import type { ForeignTools } from '../support/foreign-tools.js'
import { sortById } from '../support/pulling.js'
import { listBlocks } from '../support/readme.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let tools: ForeignTools
let database: ProductDatabase
let url: string
let readShown: () => Promise<readonly View[]>
beforeAll(async () => {
  tools = await installTools(import.meta.dirname)
  await symlink(resolve('dist/vitrine-client'), join(tools.folder, 'node_modules', 'vitrine-client'))
  database = await throwaway.createProduct('plain')
  const service = await startService(database)
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  readShown = async () => sortById(await createClient(service).crawl('invoices', { limit: 100 }))
})
afterAll(() => tools.remove())

const samples = listBlocks('ts', 'docs/integrators.md')

test('every TypeScript sample for integrators compiles under --strict', async () => {
  expect(samples).toHaveLength(2)
  const names = samples.map((_, at) => `sample${String(at)}.ts`)
  for (const [at, text] of samples.entries()) await tools.write(names[at]!, text)
  expect(await tools.compile(...names, '--types', 'node', '--skipLibCheck')).toBe('')
})

/** Runs the program as its reader would, with a PostgreSQL of its own, and reads its table. */
const runner = `
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const db = await PGlite.create('data')
const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1' })
await server.start()
process.env.DATABASE_URL = 'postgres://postgres@' + server.getServerConn() + '/postgres'
await import('./mirror.ts')
console.error(JSON.stringify((await db.query('SELECT record FROM invoices')).rows.map(({ record }) => record)))
await server.stop()
process.exit(0)
`

test('the mirror in PostgreSQL has what the service has, and removes what was archived', async () => {
  await tools.write('mirror.ts', samples.find((one) => one.includes("from 'pg'")) ?? '')
  await tools.write('run.ts', runner)
  const env = { ...process.env, VITRINE_URL: url, VITRINE_KEY: keys.both }
  const run = async (): Promise<readonly View[]> => {
    const args = ['-y', '-p', 'node@24', 'node', '--disable-warning=ExperimentalWarning', 'run.ts']
    const { stderr } = await promisify(execFile)('npx', args, { cwd: tools.folder, env })
    return sortById(JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as View[])
  }
  const first = await run()
  expect(first).toEqual(await readShown())
  const table = 'invoices'
  const [{ id }, ...rest] = first as readonly [View, ...View[]]
  await runStatements(database.adminUrl, [
    `UPDATE ${table} SET archived_at = UTC_TIMESTAMP(3) WHERE id = '${String(id)}'`,
  ])
  expect(await readShown()).toEqual(rest)
  let last = first
  for (let update = 0; update < 21 && last.length > rest.length; update += 1) last = await run()
  expect(last).toEqual(rest)
})
