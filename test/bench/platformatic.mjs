import { createRequire } from 'node:module'

/* The generated REST routes of Platformatic, of the folder that it runs in, over a pool as large as Vitrine's. */

const load = createRequire(`${process.cwd()}/`)
const app = load('fastify')()
await app.register(load('@platformatic/sql-mapper'), {
  connectionString: process.env['DATABASE_URL'],
  poolSize: 10,
})
await app.register(load('@platformatic/sql-openapi'))
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
