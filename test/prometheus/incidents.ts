import { waitFor } from '../faults/cluster.js'
import { keys, runStatements } from '../product/index.js'
import { listDatabaseIncidents } from './database-incidents.js'
import { listOwnIncidents } from './own-incidents.js'
import { askFor } from './stage.js'
import type { Incident } from './stage.js'

/** In the order in which they happen: first to the services of the stage, then each to a service of its own. */
export function listIncidents(): readonly Incident[] {
  return [
    {
      name: 'a row with an unknown currency',
      alerts: ['VitrineInvalidRows'],
      found: /currency is not a currency/,
      lasting: [],
      strike: async ({ run }) => {
        await run("UPDATE invoices SET currency_code = 'ZZZ' ORDER BY updated_at, id LIMIT 1")
        return { undo: () => run("UPDATE invoices SET currency_code = 'SAR' WHERE currency_code = 'ZZZ'") }
      },
    },
    {
      name: 'a client with a revoked key',
      alerts: ['VitrineFailedAuthentications'],
      found: /127\.0\.0\.1/,
      lasting: [],
      strike: async ({ services }) => {
        for (let sent = 0; sent < 6; sent += 1) await askFor(services[0]!, 'invoices', keys.revoked)
        return { undo: () => Promise.resolve() }
      },
    },
    {
      name: 'an index dropped',
      alerts: ['VitrinePagingIndexLost'],
      found: /ix_reg_sync/,
      lasting: [],
      strike: async ({ run }) => {
        await run('DROP INDEX ix_reg_sync ON event_registrations')
        return {
          undo: () => run('CREATE INDEX ix_reg_sync ON event_registrations (workspace_id, updated_at, id)'),
        }
      },
    },
    {
      name: 'a privilege too many',
      alerts: ['VitrineAuditFindings'],
      found: /REVOKE UPDATE/,
      lasting: [],
      strike: async ({ run, user }) => {
        await run(`GRANT UPDATE ON invoices TO '${user}'@'%'`)
        // The next audit is minutes away; each runs after a change of the schema.
        await run('CREATE INDEX ix_reg_more ON event_registrations (workspace_id)')
        return { undo: () => run(`REVOKE UPDATE ON invoices FROM '${user}'@'%'`) }
      },
    },
    {
      name: 'a renamed column',
      alerts: ['VitrineSchemaDrift', 'VitrineDown'],
      found: /found event_registrations\.attendee_name/,
      lasting: [],
      strike: async ({ run }) => {
        await run('ALTER TABLE event_registrations RENAME COLUMN attendee_name TO guest_name')
        return {
          undo: () => run('ALTER TABLE event_registrations RENAME COLUMN guest_name TO attendee_name'),
        }
      },
    },
    {
      name: 'replication that has stopped at every host',
      alerts: ['VitrineReplicaLag', 'VitrineDataStale'],
      found: /\+Inf|^$/,
      lasting: [],
      strike: async ({ cluster: { replicas } }) => {
        for (const { adminUrl } of replicas) await runStatements(adminUrl, ['STOP REPLICA'])
        return {
          undo: async () => {
            for (const { adminUrl } of replicas) await runStatements(adminUrl, ['START REPLICA'])
          },
        }
      },
    },
    {
      name: 'a host killed',
      alerts: ['VitrineDatabaseHostDown'],
      found: /host_up\{host="[^"]+"\} 0/,
      lasting: [],
      strike: ({ cluster: { replicas } }) => {
        replicas[1].signal('SIGKILL')
        return Promise.resolve({ undo: replicas[1].restart })
      },
    },
    {
      name: 'every host killed',
      alerts: ['VitrineDown', 'VitrineAvailabilityBurnFast', 'VitrineAvailabilityBurnSlow'],
      // The last alert has the hours of the errors, with their numbers.
      found: /ECONNREFUSED|database_unavailable|^ *[1-9]\d* \d{10}$/m,
      lasting: ['VitrineAvailabilityBurnFast', 'VitrineAvailabilityBurnSlow'],
      strike: ({ cluster: { replicas } }) => {
        for (const replica of replicas) replica.signal('SIGKILL')
        return Promise.resolve({
          undo: async () => {
            for (const replica of replicas) await replica.restart()
          },
        })
      },
    },
    {
      name: 'a process killed',
      alerts: ['VitrineProcessDown'],
      found: /vitrine_build_info/,
      lasting: ['VitrineProcessDown'],
      strike: async ({ services }) => {
        services[2]!.child.kill('SIGKILL')
        await waitFor('its end', async () => (await services[2]!.ended) !== null)
        return { undo: () => Promise.resolve() }
      },
    },
    ...listDatabaseIncidents(),
    ...listOwnIncidents(),
  ]
}
