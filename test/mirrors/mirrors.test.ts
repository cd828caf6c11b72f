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
  for (const [name, path] of [
    ['vitrine-client', 'dist/vitrine-client'],
    ['undici', 'node_modules/undici'],
  ] as const)
    await symlink(resolve(path), join(tools.folder, 'node_modules', name))
  database = await throwaway.createProduct('plain')
  const service = await startService(database)
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  readShown = async () => sortById(await createClient(service).crawl('invoices', { limit: 100 }))
})
afterAll(() => tools.remove())

const samples = listBlocks('ts', 'docs/integrators.md')

test('every TypeScript sample for integrators compiles under --strict', async () => {
  expect(samples).toHaveLength(4)
  const names = samples.map((_, at) => `sample${String(at)}.ts`)
  for (const [at, text] of samples.entries()) await tools.write(names[at]!, text)
  expect(await tools.compile(...names, '--types', 'node', '--skipLibCheck')).toBe('')
})

/** Runs a program as its reader would, after a line that opens a database where it needs one, and reads its table. */
const runner = (program: string): string => `
import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const [folder, isPostgres] = [process.argv[2], ${String(program.includes('pg'))}]
let read = () => new DatabaseSync('mirror.sqlite').prepare('SELECT record FROM invoices').all().map(({ record }) => JSON.parse(record))
let end = () => {}
if (isPostgres) {
  const db = await PGlite.create(folder)
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1' })
  await server.start()
  process.env.DATABASE_URL = 'postgres://postgres@' + server.getServerConn() + '/postgres'
  read = async () => (await db.query('SELECT record FROM invoices')).rows.map(({ record }) => record)
  end = () => server.stop()
}
await import('./${program}')
console.error(JSON.stringify(await read()))
await end()
process.exit(0)
`

test.each([
  ['SQLite', 'node:sqlite'],
  ['PostgreSQL', "from 'pg'"],
])('the mirror in %s has what the service has, and removes what was archived', async (name, text) => {
  const sample = samples.find((one) => one.includes(text)) ?? ''
  const program = name === 'SQLite' ? 'mirror-sqlite.ts' : 'mirror-pg.ts'
  await tools.write(program, sample)
  await tools.write(`run-${program}`, runner(program))
  const env = { ...process.env, VITRINE_URL: url, VITRINE_KEY: keys.both }
  const run = async (): Promise<readonly View[]> => {
    const args = ['-y', '-p', 'node@24', 'node', '--disable-warning=ExperimentalWarning', `run-${program}`]
    const { stderr } = await promisify(execFile)('npx', [...args, 'data'], { cwd: tools.folder, env })
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
