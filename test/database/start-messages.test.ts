import { expect, test } from 'vitest'
import { startProxy } from '../support/proxy.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

/** Up to three of them are the login. Before a server that takes half a second for each, this is a start in 8 seconds. */
const tripsMax = 16

test.each(['plain', 'ticketing'] as const)(
  'a start before the product %s waits for few answers, over four sessions side by side',
  async (name) => {
    const product = await throwaway.createProduct(name, { registrations: 20 })
    // One session after the other would wait for ever.
    const proxy = await startProxy(product.readUrl, 4)
    await startService({ ...product, readUrl: proxy.url })
    const trips = proxy.listMessages().map(({ length }) => length)
    expect(trips).toHaveLength(4)
    expect(Math.max(...trips)).toBeLessThanOrEqual(tripsMax)
  },
)
