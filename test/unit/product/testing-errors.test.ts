import { expect, test } from 'vitest'
import type { Mapping } from '../../product/mapping.js'
import { mintKey } from '../../product/mint-key.js'
import { useServer } from '../../product/throwaway.js'

/** An address at which no server listens: a test that reached it would fail with another error. */
const adminUrl = 'mysql://user@127.0.0.1:1/'

test('createProduct after stop is an error', async () => {
  const throwaway = useServer({ adminUrl, origin: 'nowhere' })
  await throwaway.stop()
  await expect(throwaway.createProduct()).rejects.toThrow('createProduct: stop() was called')
})

test('createProduct names the shipped products where the name is another, such as one of an earlier release', async () => {
  const throwaway = useServer({ adminUrl, origin: 'nowhere' })
  await expect(throwaway.createProduct('accounting' as never)).rejects.toThrow(
    'createProduct: "accounting" is no shipped product; there are plain, awkward, ticketing, and',
  )
  await throwaway.stop()
})

test('mintKey rejects a scope that does not exist', async () => {
  const mapping = { apiKeys: { scopes: { column: 'scopes', format: 'space' } } } as Mapping
  const scopes = ['registration.read', 'registrations.read'] as never
  await expect(mintKey(adminUrl, mapping, { scopes })).rejects.toThrow(
    'mintKey: there is no scope "registrations.read"; the scopes are registration.read, invoices.read',
  )
})
