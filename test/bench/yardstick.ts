import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { createReaderPool } from './reader-pool.js'
import type { FloorStatements } from './slice.js'

/*
 * The yardstick, a process of its own: what anybody would write first. A plain Fastify handler runs the same SQL
 * and answers its raw rows; no keys, no validation, no logs, no ETag. `node yardstick.js STATEMENTS_FILE PORT`.
 */

interface Query {
  readonly Querystring: { readonly v: string[] }
}

const pool = createReaderPool()
const app = Fastify()
const statements = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as FloorStatements
for (const [slug, { sql }] of Object.entries(statements)) {
  app.get<Query>(`/${slug}`, async (request) => {
    const [rows] = await pool.execute(sql, request.query.v)
    return rows
  })
}
await app.listen({ port: Number(process.argv[3]), host: '127.0.0.1' })
