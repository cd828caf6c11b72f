import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProductDatabase } from '../product/index.js'
import { runStatements, splitStatements } from '../product/index.js'
import { products } from '../product/products.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import { runVitrine } from '../support/vitrine.js'

const throwaway = useThrowaway()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs a command and returns what it printed. */
async function print(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { status, stdout, stderr } = await runVitrine(args, env)
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Replaces the product's key table by the printed one, and mints a key of a workspace in it. */
async function replaceKeyTable(
  database: ProductDatabase,
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<string> {
  const table = await print(['key', '--table', ...options], env)
  const [, name = ''] = /^CREATE TABLE (`.+`) \($/m.exec(table) ?? []
  const { collections, singleTenant, workspaceId } = database.product
  const scope = collections[0] === 'registrations' ? 'registration.read' : 'invoices.read'
  const workspace = singleTenant ? [] : ['--workspace', workspaceId(1)]
  const minted = await print(['key', ...workspace, '--scopes', scope], env)
  const [, key = '', insert = ''] = /^key +(\S+)\nhash +\S+\ninsert +(.+)\n$/.exec(minted) ?? []
  // The grants on the columns outlive the table on both servers.
  await runStatements(database.adminUrl, [`DROP TABLE ${name}`, ...splitStatements(table), insert])
  return key
}

async function expectOpen(database: ProductDatabase, key: string): Promise<void> {
  const client = createClient(await startService(database), key)
  const [open = '', closed = 'invoices'] = database.product.collections
  const list = await client.get(open)
  expect(list.status).toBe(200)
  expect(list.body.data.length).toBeGreaterThan(0)
  expect((await client.get(closed)).status).toBe(closed === open ? 200 : 403)
}

describe('the key table that key --table prints runs as printed, and a key in it opens the API', () => {
  test.each(Object.values(products).map(({ name }) => name))(
    'of the %s product, with the type from the live schema',
    async (name) => {
      const database = await throwaway.createProduct(name, { registrations: 100 })
      const env = { MAPPING_FILE: database.mappingFile, DATABASE_URL: database.adminUrl }
      await expectOpen(database, await replaceKeyTable(database, env))
    },
  )

  test.each([
    ['plain', ['--workspace-type', 'char(26)']],
    ['plain', []],
    ['awkward', ['--workspace-type', 'BIGINT UNSIGNED']],
    ['awkward', []],
  ] as const)('of the %s product, without a database and with %j', async (name, options) => {
    const database = await throwaway.createProduct(name, { registrations: 20 })
    const key = await replaceKeyTable(database, { MAPPING_FILE: database.mappingFile }, options)
    await expectOpen(database, key)
  })
})

test('a mapping with one workspace for all keys takes no other', async () => {
  const { status, stderr } = await runVitrine(['key', '--workspace', '2', '--scopes', 'invoices.read'], {
    MAPPING_FILE: 'test/product/membership.yaml',
  })
  expect([status, stderr]).toEqual([64, expect.stringContaining('every key the workspace "1"')])
})

test('a printed key table holds the hash of every algorithm and encoding', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 20 })
  const yaml = await readFile(database.mappingFile, 'utf8')
  const file = join(folder, 'mapping.yaml')
  const forms = ['sha256, encoding: binary', 'sha384, encoding: base64', 'sha512, encoding: base64url']
  for (const form of [...forms, 'sha512, encoding: hex']) {
    await writeFile(file, yaml.replace('sha256, encoding: hex', form))
    const key = await replaceKeyTable(database, { MAPPING_FILE: file })
    const client = createClient(await startService({ ...database, mappingFile: file }), key)
    expect([form, (await client.get('registrations')).status]).toEqual([form, 200])
  }
})

test.each([
  [['--table', '--workspace', 'w']],
  [['--table', '--scopes', 'invoices.read']],
  [['--table', '--workspace-type', 'INT); DROP TABLE keys; --']],
  [['--table', '--workspace-type', '']],
  [['--workspace', 'w', '--scopes', 'invoices.read', '--workspace-type', 'INT']],
])('key with %j ends with 64', async (args) => {
  expect(await runVitrine(['key', ...args])).toMatchObject({ status: 64, stdout: '' })
})
