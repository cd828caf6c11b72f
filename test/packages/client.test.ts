import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { View } from '../product/index.js'
import { createEmptyFolder, runIn } from '../support/empty-folder.js'
import type { EmptyFolder } from '../support/empty-folder.js'
import { listExpected } from '../support/expected.js'
import { readNdjson, sortById } from '../support/pulling.js'
import { listBlocks, listLines } from '../support/readme.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let integrator: EmptyFolder
let url: string
let registrations: readonly View[]
let invoices: readonly View[]

/** The command of docs/integrators.md that contains a text, as printed. */
function findCommand(text: string): string {
  const command = listLines(listBlocks('sh', 'docs/integrators.md')).find((line) => line.includes(text))
  if (command === undefined) throw new Error(`docs/integrators.md has no command with ${text}`)
  return command
}

beforeAll(async () => {
  const database = await throwaway.createProduct('plain', { registrations: 300 })
  url = await (await startService(database)).app.listen({ port: 0, host: '127.0.0.1' })
  const listViews = (name: 'registrations' | 'invoices') =>
    listExpected(database, name).map(({ view }) => view)
  registrations = listViews('registrations')
  invoices = listViews('invoices')
  integrator = await createEmptyFolder()
  await integrator.run(findCommand('curl -fsS'), { VITRINE_URL: url })
  await integrator.run(findCommand('npm install ./vendor'), withoutRegistry)
})

/** What the package needs is in its file. */
const withoutRegistry = {
  npm_config_engine_strict: 'true',
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_fetch_retries: '0',
}

async function readVersion(): Promise<string> {
  return (JSON.parse(await readFile('package.json', 'utf8')) as { version: string }).version
}

/** A program of an integrator, with its settings in its text: reading variables and arguments would need a permission of Deno. */
const renderProgram = (): string => `
import { createClient, VitrineError } from 'vitrine-client'

const agents = new Set()
const client = createClient({
  url: ${JSON.stringify(url)},
  key: ${JSON.stringify(keys.both)},
  fetch: (input, init) => {
    agents.add(new Headers(init.headers).get('user-agent'))
    return fetch(input, init)
  },
})
const registrations = []
for await (const one of client.registrations.list({ pageSize: 50 })) registrations.push(one)
const invoices = []
const { since } = await client.sync('invoices', { onPage: ({ data }) => invoices.push(...data) })
const none = await client.registrations.get('none').catch((error) => error instanceof VitrineError && error.code)
console.log(JSON.stringify({ registrations, invoices, since, none, agents: [...agents] }))
`

test('the package has one version with Vitrine, and installs no other package', async () => {
  expect(await integrator.run('npx vitrine-pull --version')).toBe(`${await readVersion()}\n`)
  const installed = await readdir(join(integrator.folder, 'node_modules'))
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['vitrine-client'])
})

test('npm ci installs the same bytes again from the address with the version', async () => {
  const other = await createEmptyFolder()
  await other.run(`npm install "${url}/docs/vitrine-client-${await readVersion()}.tgz"`, withoutRegistry)
  await rm(join(other.folder, 'node_modules'), { recursive: true })
  await rm(other.cache, { recursive: true })
  await other.run('npm ci', withoutRegistry)
  expect(await readdir(join(other.folder, 'node_modules'))).toContain('vitrine-client')
})

test('the same sources give the same bytes, whatever the umask and the Node of the build are', async () => {
  const checkout = await createEmptyFolder()
  for (const name of ['src', 'test/product', 'docs', '.ci', 'package.json', 'LICENSE', 'tsconfig.json'])
    await cp(name, join(checkout.folder, name), { recursive: true })
  await symlink(resolve('node_modules'), join(checkout.folder, 'node_modules'))
  await runIn(checkout.folder, 'umask 077 && npx -y -p node@22 node .ci/build.mjs --noCheck')
  const [again, built] = await Promise.all([
    readFile(join(checkout.folder, 'dist/vitrine-client.tgz')),
    readFile('dist/vitrine-client.tgz'),
  ])
  expect(again.equals(built)).toBe(true)
})

describe.each([
  ['Node 20', 'npx -y -p node@20 node', /^vitrine-client\/[\d.]+$/],
  ['Node 22', 'npx -y -p node@22 node', /Node\.js\/22$/],
  ['Node 24', 'npx -y -p node@24 node', /Node\.js\/24$/],
  ['Deno', 'npx -y -p deno@2 deno run --allow-net', /Deno\/2\./],
  ['Bun', 'npx -y -p bun@1 bun', /Bun\/1\./],
])('in %s', (_, program, agent) => {
  test('the client reads, syncs and reports errors', async () => {
    await integrator.write('program.mjs', renderProgram())
    const printed = await runIn(integrator.folder, `${program} program.mjs`)
    expect(JSON.parse(printed)).toEqual({
      registrations,
      invoices,
      since: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/) as unknown,
      none: 'not_found',
      agents: [expect.stringMatching(agent)],
    })
  })
})

test('the program of the README in the package runs as printed', async () => {
  const readme = await readFile(join(integrator.folder, 'node_modules/vitrine-client/README.md'), 'utf8')
  await integrator.write('readme.mjs', /^```ts\n([^]*?)^```$/m.exec(readme)?.[1] ?? '')
  const printed = await integrator.run('node readme.mjs', { VITRINE_URL: url, VITRINE_KEY: keys.both })
  const confirmed = registrations.filter(({ status }) => status === 'CONFIRMED')
  expect(confirmed.length).toBeGreaterThan(1)
  expect(printed).toBe(confirmed.map(({ id, name, status }) => `${id} ${name} ${status}\n`).join(''))
})

/** The functions of `pg` that the program calls, on a PostgreSQL in its process. */
const pg = `import { PGlite } from '@electric-sql/pglite'
class Client {
  connect = async () => { this.database = await PGlite.create('data') }
  query = (sql, values) => this.database.query(sql, values)
  end = () => this.database.close()
}
export default { Client }
`

test('the stores of docs/integrators.md keep both collections in one database', async () => {
  const { folder, run, write } = await createEmptyFolder()
  await run(`npm install @electric-sql/pglite "${url}/docs/vitrine-client-${await readVersion()}.tgz"`)
  await mkdir(join(folder, 'node_modules/pg'))
  await write('node_modules/pg/package.json', '{ "type": "module", "exports": "./index.js" }')
  await write('node_modules/pg/index.js', pg)
  const program = listBlocks('ts', 'docs/integrators.md').find((block) => block.includes("from 'pg'")) ?? ''
  await write('mirror.mts', program)
  const mirror = (options = '') =>
    runIn(folder, `npx -y -p node@24 node mirror.mts ${options}`, {
      VITRINE_URL: url,
      VITRINE_KEY: keys.both,
    })
  const counts = (printed: string) => printed.match(/^\w+ \{|(?:records|full): \w+/gm)
  const list = (all: boolean, full: boolean) =>
    Object.entries({ registrations, invoices }).flatMap(([name, { length }]) => [
      ...[`${name} {`, `records: ${all ? length : 0}`, `full: ${String(full)}`],
    ])
  expect(counts(await mirror())).toEqual(list(true, false))
  expect(counts(await mirror())).toEqual(list(false, false))
  expect(counts(await mirror('--full'))).toEqual(list(true, true))
})

/** What docs/integrators.md names as needed, one or the other. */
const typesOfFetch = [
  ['DOM', { lib: ['es2022', 'dom'] }],
  ['@types/node', { lib: ['es2022'], types: ['node'], typeRoots: [resolve('node_modules/@types')] }],
] as const

test.each(typesOfFetch)('its types are strict, declarations included, with %s alone', async (_, options) => {
  const program = `import { createClient, VitrineError } from 'vitrine-client'
import type { Invoice, MirrorStore } from 'vitrine-client'
const client = createClient({ url: 'http://a.test', key: 'k', fetch, onRetry: ({ error }) => error.code })
const store: MirrorStore<Invoice> = { readState: async () => null, readIds: async () => [], write: async () => 0 }
export const { cycle } = await client.mirror('invoices', store, { signal: new AbortController().signal })
for await (const { updatedAt } of client.registrations.list()) updatedAt.slice(1)
export const header = (e: unknown) => (e instanceof VitrineError ? e.lastResponse?.headers.get('a') : undefined)
`
  await integrator.write('strict.mts', program)
  const strict = { skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
  expect(await integrator.compile(['strict.mts'], { module: 'nodenext', ...strict, ...options })).toBe('')
})

test('a CommonJS program can require the client in Node 20', async () => {
  // `mirror` is loaded when it is used.
  const program = `
    const client = require('vitrine-client').createClient({ url: 'http://127.0.0.1:1', key: 'k', retries: 0 })
    const store = { readState() {}, readIds() {}, readRange() {}, write() {} }
    client.mirror('invoices', store).catch(({ code }) => console.log(code))`
  await integrator.write('program.cjs', program)
  // As in Jest, which cannot require an ES module.
  const node = 'npx -y -p node@20 node --no-experimental-require-module'
  expect(await runIn(integrator.folder, `${node} program.cjs`)).toBe('network_error\n')
})

describe('vitrine-pull', () => {
  test('keeps a copy in NDJSON, as documented', async () => {
    const command = findCommand('vitrine-pull')
    const env = { VITRINE_URL: url, VITRINE_KEY: keys.both }
    const lines = []
    // The second run continues the copy of the first one.
    for (const _ of ['first', 'second']) lines.push(await integrator.run(command, env))
    expect(lines[1]).toContain(`holds ${registrations.length},`)
    const copy = await readNdjson(join(integrator.folder, 'registrations.ndjson'))
    expect(sortById(copy)).toEqual(sortById(registrations))
  })

  test.each([22, 24])('keeps a copy in SQLite, in Node %i', async (version) => {
    const file = `copy${version}.sqlite`
    const node = `npx -y -p node@${version} node`
    const pull = `${node} node_modules/vitrine-client/vitrine-pull.js invoices --url ${url} --key-env K --to ${file} --json`
    const select = `new (process.getBuiltinModule('node:sqlite').DatabaseSync)('${file}').prepare('select id from invoices').all()`
    const printed = await runIn(integrator.folder, `${pull} 2>&1`, { K: keys.both })
    // npm can print warnings before it.
    const summary = printed.trim().split('\n').at(-1) ?? ''
    expect(JSON.parse(summary)).toMatchObject({ total: invoices.length })
    const ids = await runIn(integrator.folder, `${node} -p "JSON.stringify(${select}.map(({ id }) => id))"`)
    expect((JSON.parse(ids) as string[]).sort()).toEqual(invoices.map(({ id }) => id).sort())
  })
})
