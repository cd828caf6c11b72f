import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { listSessions } from '../support/server-sessions.js'
import { listFaults } from './faults.js'
import { playFault, toTable } from './play.js'
import type { Row } from './play.js'
import { checkSessionsMax, poolSize } from './services.js'
import { openStage } from './stage.js'
import type { Stage } from './stage.js'

/*
 * Two services, each in a process that is never started again, and callers of all kinds who ask all the time
 * while their database breaks in one way after the other. `npm test` waits in each until everybody noticed once,
 * `npm run faults` until they did FAULTS_ROUNDS times; FAULTS_ONLY is a regular expression for the names of faults.
 */

const rounds = Number(process.env['FAULTS_ROUNDS'] ?? 1)
/** What the service promises; the rest of the time is the machine's. */
const recoveryMaxMs = 2000

let stage: Stage
const rows: Row[] = []
beforeAll(async () => {
  stage = await openStage(inject('server'))
})
afterAll(async () => {
  process.stderr.write(`faults of ${stage.origin}:\n${toTable(rows)}\n`)
  // A fault that never ends well has no row.
  const wrong = stage.load.outcomes.filter(({ as }) => as === 'wrong')
  for (const { detail } of wrong.slice(0, 5)) process.stderr.write(`wrong: ${detail}\n`)
  await stage.close()
})

describe('whatever happens to the database', () => {
  test('every answer is right or a 503, and right again when it is back', async () => {
    for (const fault of listFaults(stage)) {
      const row = await playFault(stage, fault, rounds)
      rows.push(row)
      expect.soft(row.wrong.join('\n'), row.fault).toBe('')
      expect.soft(row.firstMs, row.fault).toBeLessThan(recoveryMaxMs)
      if (fault.refused === 'none') expect.soft(row.refused, row.fault).toBe(0)
    }
  })

  test('nothing is left of it: no place is held, and no connection beyond the pools', async () => {
    await stage.load.stop()
    for (const { ops } of stage.services) {
      // An audit that a change of the schema began may still be under way.
      await expect
        .poll(async () => (await fetch(`${ops}/metrics`)).text(), { timeout: 60_000 })
        .toMatch(/^vitrine_database_active 0$[^]*^vitrine_database_waiting 0$/m)
    }
    const admin = await mysql.createConnection({ uri: stage.database.adminUrl })
    const countSessions = async (): Promise<number> => (await listSessions(admin, stage.user)).length
    expect(await countSessions()).toBeGreaterThan(0)
    // At its maximum age a session is replaced before it is closed.
    await expect
      .poll(countSessions)
      .toBeLessThanOrEqual((poolSize + checkSessionsMax) * stage.services.length)
    await admin.end()
  })
})
