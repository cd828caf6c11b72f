import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { waitFor } from '../faults/cluster.js'
import { keys } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'
import { base } from '../support/client.js'
import { dial } from '../support/raw-caller.js'
import type { RawCaller } from '../support/raw-caller.js'
import { askFor, repeat, toInstance } from './stage.js'
import type { Incident } from './stage.js'

/** Incidents of one service, which each starts for itself. */
export function listOwnIncidents(): readonly Incident[] {
  return [
    {
      name: 'more requests than one connection answers',
      alerts: ['VitrineOverloaded'],
      found: /"keyId":"[^"]+","workspaceId":"[^"]+"/,
      lasting: [],
      strike: async ({ serve }) => {
        const service = await serve({ env: { DATABASE_POOL_SIZE: '1', DATABASE_QUEUE_LIMIT: '1' } })
        const stop = repeat(() =>
          Promise.all(Array.from({ length: 20 }, (_, at) => askFor(service, `invoices?limit=${at + 1}`))),
        )
        return { at: service, undo: stop }
      },
    },
    {
      name: 'callers that keep 1,650 connections',
      alerts: ['VitrineConnectionsNearMax'],
      found: /^vitrine_http_connections 1[67]\d\d$/m,
      lasting: [],
      strike: async ({ serve }) => {
        const service = await serve()
        const request = `GET ${base}/invoices?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.both}\r\n\r\n`
        const callers: RawCaller[] = []
        const call = async (): Promise<void> => {
          const caller = await dial(Number(new URL(service.api).port))
          callers.push(caller)
          caller.send(request)
          await caller.waitFor(1)
        }
        // Each sends at once: the service closes a connection that sends nothing for some seconds.
        while (callers.length < 1_650) await Promise.all(Array.from({ length: 50 }, call))
        // And one that was idle for a minute.
        let sent = 1
        const stop = repeat(async () => {
          sent += 1
          for (const caller of callers) {
            caller.send(request)
            await caller.waitFor(sent)
          }
        })
        return {
          at: service,
          undo: () => {
            for (const { socket } of callers) socket.destroy()
            return stop()
          },
        }
      },
    },
    {
      name: 'a row that fails its request',
      alerts: ['VitrineInternalErrors'],
      found: /"code":"internal_error".*RowFault/,
      lasting: [],
      strike: async ({ serve, run }) => {
        const service = await serve({
          changeMapping: (text) => text.replaceAll('invalidRows: skip', 'invalidRows: fail'),
        })
        await run("UPDATE invoices SET currency_code = 'ZZZ' ORDER BY updated_at, id LIMIT 1")
        await waitFor('an answer with 500', async () => (await askFor(service, 'invoices')) === 500)
        return {
          at: service,
          undo: () => run("UPDATE invoices SET currency_code = 'SAR' WHERE currency_code = 'ZZZ'"),
        }
      },
    },
    {
      name: 'a log that nothing reads any more',
      alerts: ['VitrineLogLinesDropped'],
      found: /Filesystem/,
      lasting: [],
      strike: async ({ serve, prometheus }) => {
        const service = await serve()
        service.child.stdout?.destroy()
        const dropped = `vitrine_log_lines_dropped_total{instance="${toInstance(service)}"} > 0`
        await waitFor('a line to be dropped', async () => {
          await askFor(service, 'invoices')
          return (await prometheus.countSeries(dropped)) === 1
        })
        return { at: service, undo: service.stop }
      },
    },
    {
      name: 'no free file descriptor',
      alerts: ['VitrineFileDescriptorsExhausted'],
      found: /^vitrine_process_max_fds \d+$/m,
      lasting: [],
      strike: async ({ serve }) => {
        const service = await serve()
        const limit = (count: number): void => {
          spawnSync('prlimit', [`--pid=${service.child.pid!}`, `--nofile=${count}:`])
        }
        // Fewer than it has open.
        limit(10)
        await waitFor('it to be seen', () => service.output().includes('no file descriptor is free'))
        limit(1_000)
        return { at: service, undo: () => Promise.resolve() }
      },
    },
    {
      name: 'a mapping file that cannot be reloaded',
      alerts: ['VitrineConfigurationNotLoaded'],
      found: /the configuration was not reloaded[^]*"rejected"/,
      lasting: [],
      strike: async ({ serve }) => {
        const service = await serve()
        const earlier = readFileSync(service.mappingFile, 'utf8')
        writeFileSync(service.mappingFile, earlier.replace('invoice_no', 'invoice_number'))
        const reload = (): Promise<Response> => fetch(`${service.ops}/reload`, { method: 'POST' })
        await reload()
        return {
          at: service,
          undo: async () => {
            writeFileSync(service.mappingFile, earlier)
            await reload()
          },
        }
      },
    },
    {
      name: 'a container that gets half of its CPU, in pieces',
      alerts: ['VitrineEventLoopLag'],
      found: /^vitrine_nodejs_eventloop_lag_p99_seconds /m,
      lasting: [],
      strike: async ({ serve }) => {
        const service = await serve()
        const stop = repeat(async () => {
          for (const signal of ['SIGSTOP', 'SIGCONT'] as const) {
            service.child.kill(signal)
            await delay(400)
          }
        })
        return { at: service, undo: stop }
      },
    },
    {
      name: 'a process that holds too much memory',
      alerts: ['VitrineMemoryHigh'],
      found: /^vitrine_process_resident_memory_bytes [2-9]\d{8}$/m,
      lasting: [],
      strike: async ({ serve }) => {
        const leak = 'data:text/javascript,globalThis.leak=Buffer.alloc(230e6,1)'
        const service = await serve({ nodeArgs: ['--import', leak] })
        return { at: service, undo: service.stop }
      },
    },
    {
      name: 'a process that is killed again and again',
      alerts: ['VitrineRestarts'],
      found: /"msg":/,
      lasting: ['VitrineRestarts'],
      strike: async ({ serve, prometheus }) => {
        const env = { OPS_PORT: String(await findFreePort()) }
        let service = await serve({ env })
        for (let restarts = 1; restarts <= 4; restarts += 1) {
          service.child.kill('SIGKILL')
          await service.ended
          service = await serve({ env })
          const seen = `changes(vitrine_process_start_time_seconds{instance="${toInstance(service)}"}[1h]) >= ${restarts}`
          await waitFor('the restart to be seen', async () => (await prometheus.countSeries(seen)) === 1)
        }
        return { at: service, undo: service.stop }
      },
    },
  ]
}
