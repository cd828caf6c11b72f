import { beforeAll } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { createClient } from './client.js'
import type { Client } from './client.js'
import { startService } from './service.js'
import type { TestService } from './service.js'

/** A product with a service over it; complete when the tests of the suite begin. */
export interface ServedProduct {
  readonly database: ProductDatabase
  readonly service: TestService
  readonly client: Client
  /** With a key of another workspace. */
  readonly other: Client
}

/** Makes one for the tests of a suite. */
export function useServedProduct(
  throwaway: Throwaway,
  name: ProductDatabase['product']['name'],
): ServedProduct {
  const served = {} as ServedProduct
  beforeAll(async () => {
    const database = await throwaway.createProduct(name)
    const service = await startService(database)
    Object.assign(served, {
      database,
      service,
      client: createClient(service),
      other: createClient(service, keys.other),
    })
  })
  return served
}
