import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { keys, runStatements } from '../product/index.js'
import { base } from '../support/client.js'
import type { Fault } from './fault.js'
import type { Stage } from './stage.js'

/** A change of a table while it is served, and the one that takes it back. */
function alter(there: string, back: string) {
  return async ({ database }: Stage): Promise<() => Promise<void>> => {
    await runStatements(database.adminUrl, [there])
    return () => runStatements(database.adminUrl, [back])
  }
}

const table = 'ALTER TABLE event_registrations'
const exactId = 'CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL'

/** The product's team alters its tables while everybody reads them. */
export const driftFaults: readonly Fault[] = [
  {
    name: 'drift: a collation becomes looser',
    refused: 'maybe',
    strike: alter(
      `${table} MODIFY id CHAR(26) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL`,
      `${table} MODIFY id ${exactId}`,
    ),
  },
  {
    name: 'drift: a column becomes one of another type',
    refused: 'some',
    readyz: 503,
    strike: alter(`${table} MODIFY event_id BINARY(26) NOT NULL`, `${table} MODIFY event_id ${exactId}`),
  },
  {
    name: 'drift: a column is renamed',
    refused: 'some',
    readyz: 503,
    strike: alter(
      `${table} RENAME COLUMN attendee_name TO guest_name`,
      `${table} RENAME COLUMN guest_name TO attendee_name`,
    ),
  },
  {
    name: 'drift: a table is renamed',
    refused: 'some',
    readyz: 503,
    strike: alter(
      'RENAME TABLE event_registrations TO registrations_old',
      'RENAME TABLE registrations_old TO event_registrations',
    ),
  },
  {
    name: 'drift: an index is dropped',
    refused: 'maybe',
    readyz: 200,
    strike: alter(
      `${table} DROP INDEX ix_reg_sync`,
      `${table} ADD INDEX ix_reg_sync (workspace_id, updated_at, id)`,
    ),
  },
]

/** More than the connections that a service holds for callers who have been answered. */
const silentSockets = 2100

/** What one caller does to the service to the disadvantage of all others. */
export const crowdingFaults: readonly Fault[] = [
  {
    name: 'thousands of silent sockets',
    // While thousands of connections are accepted at once, a statement may miss the short time limit of these services.
    refused: 'maybe',
    strike: ({ services: [service] }) => {
      const { hostname, port } = new URL(service?.api ?? '')
      const open: Socket[] = Array.from({ length: silentSockets }, () =>
        connect(Number(port), hostname).on('error', () => undefined),
      )
      return Promise.resolve(() => {
        for (const socket of open) socket.destroy()
      })
    },
  },
  {
    name: 'a workspace that floods the queue',
    refused: 'maybe',
    strike: ({ services }) => {
      let going = true
      const flood = async (api: string): Promise<void> => {
        while (going) {
          const headers = { authorization: `Bearer ${keys.other}` }
          await fetch(`${api}${base}/registrations?limit=100`, { headers })
            .then((answer) => answer.arrayBuffer())
            .catch(() => undefined)
        }
      }
      const flooding = services.flatMap(({ api }) => Array.from({ length: 20 }, () => flood(api)))
      return Promise.resolve(async () => {
        going = false
        await Promise.all(flooding)
      })
    },
  },
]
