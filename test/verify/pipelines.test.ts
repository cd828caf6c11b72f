import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'
import { expectDown } from '../support/down.js'
import { clean } from '../support/during.js'
import { listBlocks } from '../support/readme.js'
import { useThrowaway } from '../support/service.js'
import { readJunit } from './junit.js'
import { makeFolder } from '../support/folder.js'

/*
 * The pipelines of docs/qa.md: each is YAML, and what of it is shell runs here as its runner would run it, in a folder
 * that looks like a checkout.
 */

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly env: Settings; readonly steps: readonly Step[] }>>
}

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface GitlabJob {
  readonly variables: Settings
  readonly script: readonly string[]
  readonly artifacts: { readonly reports: { readonly junit: string }; readonly paths: readonly string[] }
}

type Settings = Readonly<Record<string, string>>

const [github, gitlab] = ['.github/workflows', '.gitlab-ci.yml'].map((name) => {
  const blocks = listBlocks('yaml', 'docs/qa.md').filter((block) => block.startsWith(`# ${name}`))
  expect(blocks).toHaveLength(1)
  return parse(blocks[0] ?? '') as unknown
})
const githubJob = (github as Workflow).jobs['verify']!
const gitlabJob = (gitlab as Readonly<Record<string, GitlabJob>>)['verify']!

/** One shell for each step, as GitHub has it, or one for all lines, as GitLab has it. */
const pipelines = [
  {
    name: 'GitHub Actions',
    settings: githubJob.env,
    shells: githubJob.steps.flatMap(({ run }) => run ?? []),
    args: ['--noprofile', '--norc', '-eo', 'pipefail'],
  },
  {
    name: 'GitLab CI',
    settings: gitlabJob.variables,
    shells: [gitlabJob.script.join('\n')],
    args: ['-eo', 'pipefail'],
  },
] as const

const throwaway = useThrowaway()
let database: ProductDatabase
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 120 })
})

let folder: string
beforeEach(() => {
  folder = makeFolder()
  for (const name of readdirSync('.')) symlinkSync(resolve(name), join(folder, name))
})
const groups: number[] = []
afterEach(() => {
  for (const group of groups.splice(0)) endGroup(group)
})

/** The runner ends what a step left behind. */
function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGTERM')
  } catch {
    // Nothing was left.
  }
}

/** Runs the shells of a pipeline, one after the other, until one fails. Returns the statuses. */
async function runPipeline(
  { settings, shells, args }: (typeof pipelines)[number],
  env: Settings,
): Promise<readonly unknown[]> {
  // What a runner fills in, the test gives.
  const literal = Object.entries(settings).filter(([, value]) => !value.includes('${{'))
  const statuses: unknown[] = []
  for (const shell of shells) {
    const child = spawn('bash', [...args, '-c', shell], {
      cwd: folder,
      env: { ...clean, ...Object.fromEntries(literal), ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    })
    groups.push(child.pid!)
    statuses.push((await once(child, 'exit'))[0])
    if (statuses.at(-1) !== 0) break
  }
  return statuses
}

async function createEnvironment(): Promise<Settings & { readonly PORT: string }> {
  const [port, opsPort] = [await findFreePort(), await findFreePort()]
  return {
    PORT: String(port),
    OPS_PORT: String(opsPort),
    DATABASE_URL: database.readUrl,
    MAPPING_FILE: database.mappingFile,
    VITRINE_KEY: keys.both,
    VITRINE_OTHER_KEY: keys.other,
  }
}

describe.each(pipelines)('the pipeline for $name in docs/qa.md', (pipeline) => {
  test('starts the service, verifies it and leaves a JUnit report', async () => {
    const env = await createEnvironment()
    expect(await runPipeline(pipeline, env)).toEqual(pipeline.shells.map(() => 0))
    const report = await readJunit(join(folder, 'verify.xml'))
    expect(report.tests).toBeGreaterThan(30)
    expect(report.failures).toEqual([])
    expect(readFileSync(join(folder, 'vitrine.log'), 'utf8')).toContain(env.PORT)
    for (const group of groups.splice(0)) endGroup(group)
    await expectDown(`http://127.0.0.1:${env.PORT}`)
  })

  test('fails where the key is not accepted', async () => {
    const env = { ...(await createEnvironment()), VITRINE_KEY: keys.revoked }
    const statuses = await runPipeline(pipeline, env)
    expect(statuses.at(-1)).toBe(64)
  })

  test('asks for every variable that its shell names', () => {
    const named = pipeline.shells.flatMap((shell) =>
      [...shell.matchAll(/\$([A-Z_]+)/g)].map(([, name]) => name!),
    )
    expect(named.length).toBeGreaterThan(1)
    expect(Object.keys(pipeline.settings)).toEqual(expect.arrayContaining(named))
  })
})

test('both pipelines upload the report and the log', () => {
  const upload = githubJob.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'))
  expect(String(upload?.with?.['path']).trim().split('\n')).toEqual(['verify.xml', 'vitrine.log'])
  expect([gitlabJob.artifacts.reports.junit, ...gitlabJob.artifacts.paths]).toEqual([
    'verify.xml',
    'vitrine.log',
  ])
  expect(existsSync('verify.xml')).toBe(false)
})
