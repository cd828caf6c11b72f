import { once } from 'node:events'
import { connect } from 'node:net'
import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { base } from '../support/client.js'
import { useProduct } from '../support/service.js'
import { startServing } from '../support/vitrine.js'

const database = useProduct('plain', { registrations: 100 })

/** Stands wherever a caller may write something. */
const canary = 'canary0815'

const send = async (port: number, bytes: string): Promise<void> => {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  socket.resume()
  await once(socket, 'close')
}

test('whatever comes and however it fails, no key, query, path or header is in the log, traces included', async () => {
  const serving = await startServing(database, {
    LOG_LEVEL: 'trace',
    DATABASE_QUERY_TIMEOUT_MS: '2000',
    KEY_CACHE_TTL_SECONDS: '3600',
  })
  const headers = { authorization: `Bearer ${keys.both}`, cookie: canary, referer: `http://x/${canary}` }
  const statuses: number[] = []
  const ask = async (
    path: string,
    more: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<void> => {
    const answer = await fetch(`${serving.api}${path}`, { method, headers: { ...headers, ...more } })
    await answer.arrayBuffer()
    statuses.push(answer.status)
  }
  const list = `${base}/registrations`
  await ask(`${list}?eventId=${canary}&status=${canary}`)
  await ask(`${list}/${canary}`)
  await ask(`${list}?${canary}=1`)
  await ask(`${list}?limit=${canary}`)
  await ask(`${list}?cursor=${canary}`)
  await ask(`${list}?updatedSince=${canary}`)
  await ask(`/${canary}/%zz?${canary}`)
  await ask(`${list}/%zz${canary}?${canary}`)
  await ask(`${list}/${canary.repeat(1000)}`)
  await ask(`${list}?${canary}`, {}, 'POST')
  await ask(list, { authorization: `Bearer ${canary}` })
  await ask(list, { authorization: `Basic ${canary}` })
  await ask(list, { 'x-request-id': `${canary} with blanks` })
  expect(statuses).toEqual([200, 404, 400, 400, 400, 400, 400, 400, 414, 405, 401, 401, 200])
  const port = Number(new URL(serving.api).port)
  const authorization = `Authorization: Bearer ${keys.both}`
  await send(port, `${canary}\r\n\r\n`)
  await send(port, `GET /?${canary} HTTP/1.1\r\n${authorization}\r\nbad ${canary}\r\n\r\n`)
  await send(
    port,
    `GET /?${canary} HTTP/1.1\r\nHost: x\r\n${authorization}\r\nX: ${canary.repeat(2000)}\r\n\r\n`,
  )
  await send(port, `GET ${list}?${canary} HTTP/1.1\r\n${authorization}\r\nConnection: close\r\n\r\n`)

  const admin = await mysql.createConnection({ uri: database.adminUrl })
  await admin.query('LOCK TABLES event_registrations WRITE')
  statuses.length = 0
  await ask(`${list}?eventId=${canary}`)
  await ask(`${list}/${canary}`)
  await admin.end()
  await runStatements(database.adminUrl, ['ALTER TABLE event_registrations DROP COLUMN attendee_name'])
  await ask(`${list}?eventId=${canary}`)
  await ask(`${list}/${canary}`)
  expect(statuses).toEqual([503, 503, 503, 503])

  await serving.end()
  const log = serving.stdout() + serving.stderr()
  expect(log.match(/"msg":"request"/g)!.length).toBe(18)
  // What an operator needs of a failure is there.
  expect(log).toContain("Unknown column 'attendee_name' in '")
  expect(log).toContain('"errno":1054')
  for (const secret of [canary, ...Object.values(keys), 'earer', 'uthorization', '%zz'])
    expect([secret, log.includes(secret)]).toEqual([secret, false])
})
