import { describe, expect, test } from 'vitest'
import { createAddressServers, StaleServerError } from '../../../src/database/verified-session.js'
import type { Freshness } from '../../../src/database/freshness.js'
import type { Row, RunQuery } from '../../../src/database/statement.js'

const checked = { id: 'a', version: '9.7', dialect: 'mysql', cluster: 'group' } as const
const other = { ...checked, id: 'b' }
const fresh: Freshness = { isReplica: true, lagSeconds: 0 }

/** A server that answers statements by their first words, and records their values. */
function answer(replies: Readonly<Record<string, Row>>) {
  const values: unknown[] = []
  const run: RunQuery = (statement) => {
    const found = Object.entries(replies).find(([words]) => statement.sql.startsWith(words))
    if (found === undefined) return Promise.reject(new Error(`not expected: ${statement.sql}`))
    values.push(...statement.values)
    return Promise.resolve([found[1]])
  }
  return { run, values }
}

const start = () => createAddressServers({ heartbeat: undefined, lagMaxSeconds: 60 })
const silent: RunQuery = () => Promise.reject(new Error('nothing is to be read'))

describe('a session behind an address', () => {
  test('is not compared before a health check, nor at the server of the last one', async () => {
    const servers = start()
    await servers.requireFresh(silent, checked)
    servers.noteCheck(checked, fresh)
    await servers.requireFresh(silent, checked)
    expect(servers.areSeveral()).toBe(false)
  })

  test('at another member of a group must have what the checked one has', async () => {
    const servers = start()
    servers.noteCheck(checked, { ...fresh, gtids: 'g:1-9' })
    const good = answer({ 'select wait_for_executed_gtid_set(?, 1)': { missing: '0' } })
    await servers.requireFresh(good.run, other)
    expect(good.values).toEqual(['g:1-9'])
    expect(servers.areSeveral()).toBe(true)
    const behind = answer({ 'select wait_for_executed_gtid_set(?, 1)': { missing: '1' } })
    await expect(servers.requireFresh(behind.run, other)).rejects.toThrow(StaleServerError)
  })

  test.each([
    [60, true],
    [61, false],
  ])('at another replica, %d seconds behind, is used: %s', async (lag, isUsed) => {
    const servers = start()
    servers.noteCheck({ ...checked, cluster: 'alone' }, fresh)
    const replies = {
      'select utc_timestamp': { now: '2026-03-01 09:30:00.000000' },
      'show replica status': { Seconds_Behind_Source: lag },
    }
    const result = servers.requireFresh(answer(replies).run, { ...other, cluster: 'alone' })
    if (isUsed) await expect(result).resolves.toBeUndefined()
    else await expect(result).rejects.toThrow(StaleServerError)
  })
})
