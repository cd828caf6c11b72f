import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import mysql from 'mysql2/promise'

/*
 * What anybody would write first, as a process of its own: plain Fastify handlers with a statement each, over a pool as
 * large as Vitrine's. Keys are read once and then kept for ever. No validation, limits, logs, cursors or ETags.
 */

const fields = `id, event_id AS eventId, reg_status AS status, attendee_name AS name, attendee_email AS email,
  checked_in_at AS checkedInAt, created_at AS createdAt, updated_at AS updatedAt`
const listSql = `SELECT ${fields} FROM event_registrations WHERE workspace_id = ? AND archived_at IS NULL
  AND updated_at >= ? AND (updated_at > ? OR id > ?) ORDER BY updated_at, id LIMIT ?`
const recordSql = `SELECT ${fields} FROM event_registrations WHERE id = ? AND workspace_id = ? AND archived_at IS NULL`
const keySql = 'SELECT workspace_id FROM workspace_api_keys WHERE key_hash = ?'

const pool = mysql.createPool({
  uri: process.env['DATABASE_URL'] ?? '',
  connectionLimit: 10,
  dateStrings: true,
})
const workspaces = new Map()

async function readRows(sql, values) {
  const [rows] = await pool.execute(sql, values)
  return rows
}

async function findWorkspace(authorization = '') {
  const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest('hex')
  const known = workspaces.get(hash) ?? readRows(keySql, [hash]).then(([row]) => row?.workspace_id)
  workspaces.set(hash, known)
  return known
}

function toRecord(row) {
  return {
    ...row,
    checkedIn: row.checkedInAt !== null,
    checkedInAt: toTimestamp(row.checkedInAt),
    createdAt: toTimestamp(row.createdAt),
    updatedAt: toTimestamp(row.updatedAt),
  }
}

function toTimestamp(cell) {
  return typeof cell === 'string' ? `${cell.slice(0, 10)}T${cell.slice(11, 23)}Z` : null
}

const app = Fastify()

app.get('/registrations', async ({ headers, query: { since, after, limit = 25 } }) => {
  const workspace = await findWorkspace(headers.authorization)
  const rows = await readRows(listSql, [workspace, since, since, after, String(Number(limit) + 1)])
  return { data: rows.slice(0, limit).map(toRecord), more: rows.length > limit }
})

app.get('/registrations/:id', async ({ headers, params }, reply) => {
  const workspace = await findWorkspace(headers.authorization)
  const [row] = await readRows(recordSql, [params.id, workspace])
  return row === undefined ? reply.code(404).send({ title: 'Not found' }) : toRecord(row)
})

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
