import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createKey, renderKeyTable } from '../../src/tools/commands/key.js'
import { UsageError } from '../../src/errors.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import type { ProductDatabase } from '../product/index.js'
import { productNames, runStatements, splitStatements } from '../product/index.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import { makeFolder } from '../support/folder.js'

const throwaway = useThrowaway()
const folder = makeFolder()

/** Replaces the product's key table by the printed one, and mints a key of a workspace in it. */
async function replaceKeyTable(database: ProductDatabase, mappingFile: string): Promise<string> {
  const mapping = await loadMapping(mappingFile)
  const table = renderKeyTable(mapping.apiKeys)
  const [, name = ''] = /^CREATE TABLE (`.+`) \($/m.exec(table) ?? []
  const workspace = database.product.workspaceId(1)
  const { key, insert } = createKey(mapping, { workspace, scopes: ['registration.read'] })
  // The grants on the columns outlive the table on both servers.
  await runStatements(database.adminUrl, [`DROP TABLE ${name}`, ...splitStatements(table), insert])
  return key
}

async function expectOpen(database: ProductDatabase, key: string): Promise<void> {
  const client = createClient(await startService(database), key)
  const list = await client.get('registrations')
  expect(list.status).toBe(200)
  expect(list.body.data.length).toBeGreaterThan(0)
  expect((await client.get('invoices')).status).toBe(403)
}

test.each(productNames)(
  'the key table that key --table prints for the %s product runs as printed, and a key in it opens the API',
  async (name) => {
    const database = await throwaway.createProduct(name, { registrations: 100 })
    await expectOpen(database, await replaceKeyTable(database, database.mappingFile))
  },
)

test('a mapping with one workspace for all keys takes no other', async () => {
  const given = await loadMapping('config/mapping.yaml')
  const mapping = { ...given, apiKeys: { ...given.apiKeys, workspace: { constant: '1' } } }
  const input = { workspace: '2', scopes: ['invoices.read'] }
  expect(() => createKey(mapping, input)).toThrow(
    new UsageError('the mapping gives every key the workspace "1"'),
  )
})

test('a mapping that gives every key its scopes takes no others, and one that reads them needs some', async () => {
  const given = await loadMapping('config/mapping.yaml')
  const grant: Mapping['apiKeys']['scopes'] = { grant: ['invoices.read', 'registration.read'] }
  const mapping = { ...given, apiKeys: { ...given.apiKeys, workspace: { constant: '1' }, scopes: grant } }
  const create = (scopes: readonly string[] | undefined) =>
    createKey(mapping, { workspace: undefined, scopes }).columns.map(([column]) => column)
  for (const scopes of [undefined, ['registration.read', 'invoices.read']])
    expect(create(scopes)).toEqual(['key_hash'])
  expect(() => create(['invoices.read'])).toThrow(
    new UsageError('the mapping gives every key the scopes invoices.read,registration.read'),
  )
  expect(() => createKey(given, { workspace: 'W', scopes: undefined })).toThrow(
    new UsageError('key needs --scopes'),
  )
})

test('a printed key table holds the hash of every algorithm and encoding', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 20 })
  const yaml = await readFile(database.mappingFile, 'utf8')
  const file = join(folder, 'mapping.yaml')
  const forms = ['sha256, encoding: binary', 'sha384, encoding: base64', 'sha512, encoding: base64url']
  for (const form of [...forms, 'sha512, encoding: hex']) {
    await writeFile(file, yaml.replace('sha256, encoding: hex', form))
    const key = await replaceKeyTable(database, file)
    const client = createClient(await startService({ ...database, mappingFile: file }), key)
    expect([form, (await client.get('registrations')).status]).toEqual([form, 200])
  }
})

test('the columns id and created_at of a mapping are not created twice', async () => {
  const { apiKeys } = await loadMapping('config/mapping.yaml')
  const own = { ...apiKeys, hash: { ...apiKeys.hash, column: 'ID' }, workspace: 'Created_At' }
  const sql = renderKeyTable(own)
  expect(sql.match(/^ {2}`(id|created_at)` /gim)).toHaveLength(2)
  expect(sql).toContain('\n  PRIMARY KEY (`ID`)\n')
})
