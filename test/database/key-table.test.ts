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

test.each(productNames)('the printed key table of the %s product runs and opens the API', async (name) => {
  const database = await throwaway.createProduct(name, { registrations: 100 })
  await expectOpen(database, await replaceKeyTable(database, database.mappingFile))
})

test('a key has the bytes of its workspace where that is binary, and passes the tests of the mapping', async () => {
  const { apiKeys, ...rest } = await loadMapping('config/mapping.yaml')
  const where: Mapping['apiKeys']['where'] = [
    { column: 'is_active', equals: 1 },
    { column: 'owner_type', equals: 'team' },
    { column: 'deleted_at', is: 'unset' },
  ]
  const mapping = { ...rest, apiKeys: { ...apiKeys, workspace: { column: 'w', as: 'uuid' } as const, where } }
  const table = renderKeyTable(mapping.apiKeys).replaceAll('workspace_api_keys', 'tested_keys')
  const workspace = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const { insert } = createKey(mapping, { workspace, scopes: ['invoices.read'] })
  expect(insert).toMatch(
    /VALUES \('[0-9a-f]{64}', X'0f8fad5bd9cb469fa16570867728950e', 'invoices.read', 1, 'team'\);$/,
  )
  const database = await throwaway.createProduct('plain', { registrations: 20 })
  await runStatements(database.adminUrl, [
    ...splitStatements(table),
    insert.replace('workspace_api_keys', 'tested_keys'),
  ])
})

test('a mapping that gives every key its workspace or scopes takes no others, and one that reads them needs some', async () => {
  const given = await loadMapping('config/mapping.yaml')
  const create = (change: Partial<Mapping['apiKeys']>, scopes?: readonly string[], workspace?: string) =>
    createKey({ ...given, apiKeys: { ...given.apiKeys, ...change } }, { workspace, scopes })
  const [both, one] = [['invoices.read', 'registration.read'] as const, ['invoices.read']]
  const own = { workspace: { constant: '1' }, scopes: { grant: [...both] } }
  for (const scopes of [undefined, both.toReversed()])
    expect(create(own, scopes).columns.map(([column]) => column)).toEqual(['key_hash'])
  for (const [run, error] of [
    [() => create(own, undefined, '2'), 'the mapping gives every key the workspace "1"'],
    [() => create(own, one), 'the mapping gives every key the scopes invoices.read,registration.read'],
    [() => create({}, undefined, 'W'), 'key needs --scopes'],
    [
      () => create({ workspace: { column: 'w', as: 'uuid' } }, one, '2'),
      'the workspace "2" is not a UUID in small letters',
    ],
  ] as const)
    expect(run).toThrow(new UsageError(error))
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
