import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { waitFor } from '../faults/cluster.js'
import type { Janitor } from '../product/janitor.js'
import { findFreePort } from '../product/local-server.js'

/** A Prometheus that scrapes services every second, with the rules of this project. */
export interface PrometheusServer {
  /** The names and texts of the alerts that fire now. */
  readonly listFiring: () => Promise<ReadonlyMap<string, string>>
  readonly listRules: () => Promise<readonly { readonly name: string; readonly health: string }[]>
  /** The number of series that a query returns. @throws Error when the query is not valid. */
  readonly countSeries: (query: string) => Promise<number>
  /** Scrapes these too, as a deployment of their own, and no others of before. */
  readonly scrape: (targets: readonly string[]) => void
}

interface Alert {
  readonly state: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly name: string; readonly health: string }[]
  }[]
}

/** Starts a `prometheus` on a free port. @param targets the ops addresses of the services. */
export async function startPrometheus(
  program: string,
  janitor: Pick<Janitor, 'add'>,
  targets: readonly string[],
): Promise<PrometheusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-prometheus-'))
  janitor.add({ do: 'remove', path: folder })
  writeFileSync(
    join(folder, 'rules.yaml'),
    toShortRules(readFileSync('docker/prometheus-rules.yaml', 'utf8')),
  )
  const scrape = (further: readonly string[]): void => {
    const groups = [{ targets: further.map((target) => new URL(target).host), labels: { vitrine: 'own' } }]
    writeFileSync(join(folder, 'next.json'), JSON.stringify(groups))
    renameSync(join(folder, 'next.json'), join(folder, 'targets.json'))
  }
  scrape([])
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    scrape_configs: [
      {
        job_name: 'any',
        static_configs: [
          { targets: targets.map((target) => new URL(target).host), labels: { vitrine: 'production' } },
        ],
        file_sd_configs: [{ files: ['targets.json'], refresh_interval: '1s' }],
      },
    ],
  }
  writeFileSync(join(folder, 'prometheus.yaml'), stringify(config))
  const port = await findFreePort()
  const child = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  if (child.pid !== undefined) janitor.add({ do: 'kill', pid: child.pid })
  const origin = `http://127.0.0.1:${port}`
  await waitFor('Prometheus', () =>
    fetch(`${origin}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const read = async <Data>(path: string): Promise<Data> => {
    const answer = (await (await fetch(`${origin}/api/v1/${path}`)).json()) as { data?: Data; error?: string }
    if (answer.data === undefined) throw new Error(`${path}: ${answer.error ?? ''}`)
    return answer.data
  }
  return {
    scrape,
    listFiring: async () => {
      const { alerts } = await read<{ alerts: readonly Alert[] }>('alerts')
      const firing = alerts.filter(({ state }) => state === 'firing')
      return new Map(
        firing.map(({ labels, annotations }) => [
          labels['alertname'] ?? '',
          Object.values(annotations).join('\n'),
        ]),
      )
    },
    listRules: async () => (await read<Rules>('rules')).groups.flatMap(({ rules }) => rules),
    countSeries: async (query) =>
      (await read<{ result: readonly unknown[] }>(`query?query=${encodeURIComponent(query)}`)).result.length,
  }
}

/** The same rules with a second for each `for`, and a short time for the events that alerts look back on. */
function toShortRules(text: string): string {
  const [recorded = '', alerts = ''] = text.split('- name: vitrine-pages')
  const short = alerts
    .replace(/^( +for:) .+$/gm, '$1 1s')
    .replace(/((?:increase|rate)\(vitrine_\w+(?:\{[^}]*\})?)\[\w+\]/g, '$1[15s]')
  return `${recorded}- name: vitrine-pages${short}`
}
