import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, inject, test } from 'vitest'
import { findServerProgram } from '../product/local-server.js'
import { ask } from '../support/ask.js'
import { createEmptyFolder } from '../support/empty-folder.js'
import type { EmptyFolder } from '../support/empty-folder.js'

/** What a test process had when it was killed. */
interface Left {
  readonly pids: readonly number[]
  readonly adminUrl: string
  readonly readUrl: string
  readonly mappingFile: string
  readonly url: string
}

const script = `
import { readdirSync, readFileSync } from 'node:fs'
import { startThrowaway, startVitrine } from '${pathToFileURL('dist/testing/testing.js').href}'
const throwaway = await startThrowaway()
const { readUrl, mappingFile } = await throwaway.createProduct({
  schema: { text: process.env.SCHEMA }, mapping: { text: process.env.MAPPING } })
const { url } = await startVitrine({ databaseUrl: readUrl, mapping: mappingFile })
const parentOf = (pid) => { try { return Number(readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ')[1].split(' ')[1]) } catch {} }
const pids = readdirSync('/proc').filter((name) => parentOf(name) === process.pid).map(Number)
console.log(JSON.stringify({ pids, adminUrl: throwaway.adminUrl, readUrl, mappingFile, url }))
if (process.env.END === 'kill -9') setInterval(() => {}, 1000)
`
const schema = `
CREATE TABLE api_keys (hash CHAR(64) PRIMARY KEY, tenant INT NOT NULL);
CREATE TABLE bills (id INT PRIMARY KEY, tenant INT NOT NULL, total DECIMAL(9, 2) NOT NULL, state CHAR(4) NOT NULL,
  day DATE NOT NULL, made TIMESTAMP NOT NULL, changed TIMESTAMP NOT NULL)`
const mapping = `
timezone: '+00:00'
apiKeys: { table: api_keys, hash: { column: hash, algorithm: sha256, encoding: hex }, workspace: tenant, scopes: { grant: [invoices.read] } }
invoices: { table: bills, workspace: tenant, archived: [], eventId: null, fields: { id: id, number: id, status: state, total: total,
  currency: { constant: EUR }, issueDate: day, dueDate: null, createdAt: made, updatedAt: changed } }
neverRead: []`

let folder: EmptyFolder
beforeAll(async () => {
  folder = await createEmptyFolder()
  await writeFile(join(folder.folder, 'crash.mjs'), script)
})

/** Runs the script until it ends by itself, or kills it, as `kill -9` does, after Vitrine has answered. */
async function crash(testDatabaseUrl: string, end = 'kill -9'): Promise<Left> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    TEST_DATABASE_URL: testDatabaseUrl,
    // No engine: this is about a server of this machine.
    DOCKER_HOST: 'tcp://127.0.0.1:1',
    SCHEMA: schema,
    MAPPING: mapping,
    END: end,
  }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, ['crash.mjs'], { cwd: folder.folder, env, stdio: [...stdio] })
  const exited = once(child, 'exit')
  let text = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  const left = JSON.parse(text) as Left
  if (end === 'kill -9') {
    expect((await fetch(`${left.url}/api/public/v1/openapi.json`)).status).toBe(200)
    child.kill('SIGKILL')
  }
  await exited
  return left
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function expectProcessesGone({ pids, mappingFile, url }: Left): Promise<void> {
  // Vitrine, and who cleans up.
  expect(pids.length).toBeGreaterThanOrEqual(3)
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
  expect(existsSync(mappingFile)).toBe(false)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
}

test.each([
  ['a crash of the tests', 'kill -9'],
  ['tests that stop nothing', 'by itself'],
])('after %s, their databases, users, Vitrine and files are gone', async (_, end) => {
  const { adminUrl } = inject('server')
  const left = await crash(adminUrl, end)
  await expectProcessesGone(left)
  const { username, pathname } = new URL(left.readUrl)
  const databases = `select schema_name from information_schema.schemata where schema_name like '${pathname.slice(1)}%'`
  expect(await ask(adminUrl, databases)).toEqual([])
  expect(await ask(adminUrl, `select user from mysql.user where user = '${username}'`)).toEqual([])
})

test.skipIf(findServerProgram() === undefined)('and so is a server that they started', async () => {
  const left = await crash('')
  await expectProcessesGone(left)
  await expect(ask(left.adminUrl, 'select 1')).rejects.toThrow()
})
