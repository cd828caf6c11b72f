import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { startService, useThrowaway } from '../support/service.js'

const { createProduct } = useThrowaway()

test('requests wait for the connections that the account may have, where the pool is larger', async () => {
  const product = await createProduct('plain', { registrations: 100 })
  const user = decodeURIComponent(new URL(product.readUrl).username)
  await runStatements(product.adminUrl, [`ALTER USER '${user}'@'%' WITH MAX_USER_CONNECTIONS 3`])
  const { app } = await startService(product, { env: { DATABASE_POOL_SIZE: '20' } })
  const headers = { authorization: `Bearer ${keys.both}` }
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      app.inject({ url: `/api/public/v1/registrations?limit=${at + 1}`, headers }),
    ),
  )
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
})
