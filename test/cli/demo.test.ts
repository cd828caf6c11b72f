import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import { afterEach, expect, inject, test } from 'vitest'
import { keys } from '../product/index.js'
import { expectDown } from '../support/down.js'
import { waitForText } from '../support/during.js'

/** The demo, as its user starts it; `origin` is what its banner says. */
interface Demo {
  readonly child: ChildProcess
  readonly origin: string
  readonly text: () => string
}

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function startDemo(): Promise<Demo> {
  const child = spawn(process.execPath, ['dist/testing/demo.js'], {
    env: {
      ...process.env,
      TEST_DATABASE_URL: inject('server').adminUrl,
      PORT: '0',
      OPS_PORT: '0',
      DEMO_CHANGE_MS: '300',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  children.push(child)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await waitForText(child, /(Ctrl-C ends it)/)
  return { child, origin: /Docs +(http:\/\/[^/]+)\/docs/.exec(text)?.[1] ?? '', text: () => text }
}

/** Databases and users that a process made: its number stands in the databases' names. */
async function listLeftovers({ pid }: ChildProcess): Promise<readonly string[]> {
  const connection = await mysql.createConnection({ uri: inject('server').adminUrl })
  const [databases] = await connection.query<RowDataPacket[]>(
    'SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name LIKE ?',
    [`vitrine\\_%\\_${String(pid)}\\_%`],
  )
  await connection.end()
  return databases.map((row) => String(row['name']))
}

/** Ends the demo, and waits until its database is dropped; returns status and signal of the process. */
async function endDemo(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  expect(await listLeftovers(child)).toHaveLength(1)
  child.kill(signal)
  const end = (await once(child, 'exit')) as unknown
  await expect.poll(() => listLeftovers(child), { timeout: 60_000 }).toEqual([])
  return end
}

test('the demo answers every curl line and each key as its banner says, and leaves nothing behind after SIGINT', async () => {
  const { child, origin, text } = await startDemo()
  const [exported = '', ...lines] = text().match(/^ {2}(?:export|curl) .+$/gm) ?? []
  expect(lines).toHaveLength(3)
  const read = async (line: string): Promise<{ readonly data: readonly { readonly id: string }[] }> => {
    const { stdout } = await promisify(execFile)('sh', ['-c', `${exported}\n${line.replace(/ -i$/, '')}`])
    return JSON.parse(stdout) as Awaited<ReturnType<typeof read>>
  }
  for (const line of lines) expect((await read(line)).data.length).toBeGreaterThan(0)
  const statusOf = async (key: string, path: string): Promise<number> =>
    (await fetch(`${origin}/api/public/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })).status
  const statuses = {
    both: 200,
    registrations: 403,
    invoices: 200,
    expired: 401,
    revoked: 401,
    other: 200,
    empty: 200,
  }
  for (const [name, key] of Object.entries(keys)) {
    expect(text()).toContain(key)
    expect([name, await statusOf(key, 'invoices')]).toEqual([name, statuses[name as keyof typeof keys]])
  }
  // What it changes from time to time: records move to the end of the list, and some are archived.
  const { data: oldest } = await read(lines[0]!.replace('limit=3', 'limit=8'))
  const isGone = async ({ id }: { readonly id: string }) =>
    (await statusOf(keys.both, `registrations/${id}`)) === 404
  await expect.poll(async () => Promise.all(oldest.map(isGone)), { timeout: 30_000 }).toContain(true)
  // Ctrl-C signals all processes of a group: one that the demo ends must not be in it.
  const { stdout: group } = await promisify(execFile)('pgrep', ['-g', String(child.pid)])
  expect(group).toBe(`${child.pid}\n`)
  expect(await endDemo(child, 'SIGINT')).toEqual([0, null])
  expect(text()).toContain('Everything the demo made is gone.')
  await expectDown(origin)
})
