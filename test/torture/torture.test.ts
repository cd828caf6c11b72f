import mysql from 'mysql2/promise'
import { afterAll, describe, expect, inject, test } from 'vitest'
import type { Cluster } from '../faults/cluster.js'
import { nothingLost, runDrill, toLine } from '../faults/drill.js'
import type { Disturbance, DrillOptions } from '../faults/drill.js'
import { killSessions } from '../support/server-sessions.js'

/*
 * One server and the overlap alone: the product writes many records with one time, and commits late, while the service is
 * ended, killed and loses its sessions. `npm run test:long` runs each form of times once, `npm run torture` for
 * TORTURE_MINUTES.
 */

const minutes = Number(process.env['TORTURE_MINUTES'] ?? 0)
const { adminUrl, isMariaDb, origin } = inject('server')
const server = { adminUrl, origin }
const address = new URL(adminUrl).host
const cluster: Cluster = { nodes: [server], writers: [server], address, isMariaDb, local: 'DO 0' }

const nothing = (): Promise<void> => Promise.resolve()

/** The service is ended and started again. */
const restart = (signal: 'SIGTERM' | 'SIGKILL'): Disturbance => ({
  seconds: 1,
  strike: async (scene) => {
    await scene.restart(signal)
    return nothing
  },
})

/** The sessions of the service end, whatever they have under way. */
const cutSessions: Disturbance = {
  seconds: 1,
  strike: async ({ user }) => {
    const admin = await mysql.createConnection({ uri: adminUrl })
    await killSessions(admin, user, 'KILL CONNECTION')
    await admin.end()
    return nothing
  },
}

const forms = {
  milliseconds: { digits: 3, timezone: '+00:00' },
  'whole seconds': { digits: 0, timezone: '+00:00' },
  'microseconds ahead of UTC': { digits: 6, timezone: '+05:30' },
}
const options: DrillOptions = {
  disturbances: [cutSessions, restart('SIGTERM'), cutSessions, restart('SIGKILL')],
  overlapSeconds: 5,
  promisedSeconds: 4,
  holdMaxSeconds: 3,
}

const lines: string[] = []
afterAll(() => process.stderr.write(`${lines.join('\n')}\n`))

describe('copies that are kept by cursor and nextUpdatedSince alone', () => {
  test.each(Object.entries(forms))('have every record of the table, times in %s', async (name, form) => {
    const end = Date.now() + (minutes * 60_000) / Object.keys(forms).length
    do {
      const result = await runDrill(cluster, { ...options, form })
      lines.push(toLine(name, result))
      // Requests fail while the service is restarted.
      expect(result).toMatchObject({ ...nothingLost, failed: result.failed })
    } while (Date.now() < end)
  })

  test('lose what commits late where the overlap is zero', async () => {
    const result = await runDrill(cluster, { ...options, overlapSeconds: 0, promisedSeconds: Infinity })
    lines.push(toLine('no overlap', result))
    expect(result.missing + result.stale).toBeGreaterThan(0)
  })
})
