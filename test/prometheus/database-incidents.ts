import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '../faults/cluster.js'
import { startNetwork } from '../faults/network.js'
import type { Network } from '../faults/network.js'
import { listBlocks } from '../support/readme.js'
import { askFor, repeat } from './stage.js'
import type { AlertStage, Incident } from './stage.js'

/** Incidents between one service, which each starts for itself, and its database. */
export function listDatabaseIncidents(): readonly Incident[] {
  return [
    {
      // Before anything else is asked of such services: it is the share of their requests that counts.
      name: 'a database that answers late',
      alerts: ['VitrineLatencyBurn'],
      found: /"durationMs":[5-9]\d\d.*,"databaseMs":[5-9]\d\d/,
      lasting: ['VitrineLatencyBurn'],
      strike: async (stage) => {
        const { network, env } = await putNetworkBefore(stage)
        const service = await stage.serve({ env })
        const stopDelays = repeat(async () => {
          network.set({ do: 'freeze' })
          const answers = Promise.all(['registrations', 'invoices'].map((path) => askFor(service, path)))
          await delay(700)
          network.set({ do: 'pass' })
          await answers
        })
        return {
          at: service,
          undo: async () => {
            await stopDelays()
            await service.stop()
            await network.close()
          },
        }
      },
    },
    {
      name: 'a start with AUDIT=warn as an administrator of the database',
      alerts: ['VitrineAuditFindingsAccepted'],
      found: /AUDIT=warn lets this pass/,
      lasting: [],
      strike: async (stage) => {
        const service = await stage.serve({ env: { AUDIT: 'warn', DATABASE_URL: stage.adminUrl } })
        return { at: service, undo: service.stop }
      },
    },
    {
      name: 'an audit that fails for an hour',
      alerts: ['VitrineAuditStale'],
      found: /"errno":1969.*audit: could not be repeated/,
      lasting: [],
      strike: async (stage) => {
        const { network, env } = await putNetworkBefore(stage)
        // The hour passes before the first audit: the service has a clock that is behind.
        const late = 'data:text/javascript,const now=Date.now;Date.now=()=>now()-3.7e6'
        const service = await stage.serve({ env, nodeArgs: ['--import', late] })
        network.set({ do: 'reject', sql: 'show grants', error: { number: 1969, sqlState: '70100' } })
        // An audit follows each change of the schema.
        await stage.run('CREATE INDEX ix_reg_other ON event_registrations (workspace_id)')
        await waitFor('the audit to fail', () => service.output().includes('audit: could not be repeated'))
        return {
          at: service,
          undo: async () => {
            await service.stop()
            await network.close()
          },
        }
      },
    },
    {
      name: 'a heartbeat that is not written',
      alerts: ['VitrineFreshnessUnknown', 'VitrineOldestOpenUnknown'],
      found:
        /"reason":"(The heartbeat has no row|Not every row has a time).*"msg":"(a host of the database does not prove|the oldest open transaction is not known)/,
      lasting: [],
      strike: async (stage) => {
        const [table = '', onMySql = '', onMariaDb = ''] = listBlocks('sql', 'docs/deploy.md').filter(
          (block) => block.includes('vitrine_heartbeat'),
        )
        await stage.run(table)
        const service = await stage.serve({
          env: { AUDIT: 'warn', DATABASE_URL: stage.adminUrl },
          changeMapping: (text) =>
            `heartbeat: { table: vitrine_heartbeat, column: ts, oldestOpen: oldest_open }\n${text}`,
        })
        return {
          at: service,
          undo: async () => {
            await stage.run('SET GLOBAL event_scheduler = ON', stage.cluster.isMariaDb ? onMariaDb : onMySql)
          },
        }
      },
    },
  ]
}

/** A network between one service and the primary, which has no lag. */
async function putNetworkBefore({ cluster, readUrl }: AlertStage): Promise<{
  readonly network: Network
  readonly env: Readonly<Record<string, string>>
}> {
  const network = await startNetwork(cluster.primary.port)
  const url = new URL(readUrl)
  url.host = `127.0.0.1:${network.port}`
  return { network, env: { DATABASE_URL: url.href } }
}
