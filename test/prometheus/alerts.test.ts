import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../support/ask.js'
import { findProgramOfRun } from '../support/local-programs.js'
import { findPrometheus } from '../support/prometheus.js'
import { listBlocksOf, listLines, readRunbook } from '../support/readme.js'
import { listIncidents } from './incidents.js'
import { openAlertStage } from './stage.js'
import type { AlertStage, Struck } from './stage.js'
import { makeFolder } from '../support/folder.js'

/*
 * A real Prometheus with the rules, before three services and two replicas. Things happen to them, alerts fire and end,
 * and the runbook is followed while they fire.
 */

const prometheus = findPrometheus()
const program = findProgramOfRun()
const runbook = readRunbook()

interface Outcome {
  readonly command: string
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

describe.skipIf(prometheus === undefined || program === undefined)('a Prometheus that has the rules', () => {
  let stage: AlertStage
  const folder = makeFolder()
  beforeAll(async () => {
    stage = await openAlertStage(program!, prometheus!)
  })
  afterAll(() => stage.close())

  const run = (command: string, at: Struck['at'] = stage.services[0]): Promise<Outcome> => {
    writeFileSync(join(folder, 'vitrine.log'), at!.output())
    const ready = command
      .replaceAll('http://127.0.0.1:9090', at!.ops)
      .replaceAll('npm run -s vitrine --', `node ${resolve('dist/cli.js')}`)
      .replaceAll('--user vitrine', `--user ${stage.user}`)
    return new Promise((done) => {
      execFile('sh', ['-c', ready], { cwd: folder, env: stage.env }, (error, stdout, stderr) => {
        done({ command, status: error === null ? 0 : Number(error.code), stdout, stderr })
      })
    })
  }
  const runAll = async (alert: string, at?: Struck['at']): Promise<readonly Outcome[]> => {
    const outcomes: Outcome[] = []
    for (const command of listLines(listBlocksOf(runbook.get(alert) ?? '', 'sh')))
      outcomes.push(await run(command, at))
    return outcomes
  }
  const listFiring = async (): Promise<readonly string[]> => [...(await stage.prometheus.listFiring()).keys()]

  /** Waits until an alert fires, and does what its section says. */
  const follow = async (alert: string, found: RegExp, at: Struck['at']): Promise<void> => {
    await expect.poll(listFiring, { message: alert }).toContain(alert)
    expect((await stage.prometheus.listFiring()).get(alert)).not.toMatch(/<error|<no value>|%!/)
    const outcomes = await runAll(alert, at)
    for (const { command, stderr } of outcomes) expect([command, stderr]).toEqual([command, ''])
    expect(outcomes.map(({ stdout }) => stdout).join('\n')).toMatch(found)
  }

  test('evaluates all of them, and no alert fires while nothing is wrong', async () => {
    const listHealth = async (): Promise<readonly string[]> => [
      ...new Set((await stage.prometheus.listRules()).map(({ health }) => health)),
    ]
    await expect.poll(listHealth).toEqual(['ok'])
    await expect.poll(() => stage.prometheus.countSeries('vitrine:fresh_processes:ratio == 1')).toBe(1)
    expect(await listFiring()).toEqual([])
  })

  test('answers every query of the dashboard', async () => {
    const dashboard = JSON.parse(readFileSync('docker/grafana-dashboard.json', 'utf8')) as {
      panels: { targets?: { expr: string }[] }[]
    }
    const queries = dashboard.panels
      .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
      .map((expr) =>
        expr
          .replaceAll('$__rate_interval', '1m')
          .replaceAll('$deployment', '.*')
          .replaceAll('$instance', '.*'),
      )
    const countEmpty = async (): Promise<readonly string[]> => {
      const counts = await Promise.all(queries.map((query) => stage.prometheus.countSeries(query)))
      return queries.filter((_, at) => counts[at] === 0)
    }
    expect(queries.length).toBeGreaterThan(40)
    // No alert fires, no row has an unknown code, most problems have not happened yet, and the mapping file has no heartbeat.
    const absent =
      /ALERTS|vitrine_unknown_codes_total|vitrine_problems_total|vitrine_database_host_oldest_open/
    await expect.poll(async () => (await countEmpty()).filter((query) => !absent.test(query))).toEqual([])
  })

  test.each(listIncidents())('$name: $alerts fire, the runbook tells why, and they end', async (incident) => {
    const fires = async (alert: string): Promise<boolean> => (await listFiring()).includes(alert)
    // What burns the budget is still seen for as long as its windows.
    for (const alert of incident.alerts.filter((name) => !name.includes('Burn')))
      await expect.poll(() => fires(alert), { message: alert }).toBe(false)
    const { undo, at } = await incident.strike(stage)
    try {
      for (const alert of incident.alerts) await follow(alert, incident.found, at)
    } finally {
      await undo()
    }
    for (const alert of incident.alerts)
      if (!incident.lasting.includes(alert))
        await expect.poll(() => fires(alert), { message: alert }).toBe(false)
  })

  test('every alert fires in one of these', () => {
    const rules = readFileSync('docker/prometheus-rules.yaml', 'utf8')
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, alert]) => alert)
    const played = new Set(listIncidents().flatMap((incident) => incident.alerts))
    expect([...played].sort()).toEqual(alerts.sort())
  })

  test('every command of the runbook runs, and searches the log for a text that the service writes', async () => {
    const messages = stage.sources()
    for (const alert of runbook.keys())
      for (const { command, status, stderr } of await runAll(alert)) {
        // 1 is what grep returns where nothing is found, and `check` where something is wrong.
        expect([command, stderr, status <= 1]).toEqual([command, '', true])
        const [, sought] = /^grep '"([^"']{20,})/.exec(command) ?? []
        if (sought !== undefined) expect(messages).toContain(sought)
      }
  })

  test('every statement of the runbook runs', async () => {
    for (const statement of listLines([...runbook.values()].flatMap((text) => listBlocksOf(text, 'sql'))))
      expect((await ask(stage.replicaUrl, statement)).length, statement).toBeGreaterThan(0)
  })
})
