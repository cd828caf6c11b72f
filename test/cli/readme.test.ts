import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { chromiumPath } from '../support/browser.js'
import { clean, during } from '../support/during.js'
import { parse } from 'yaml'
import { listBlocks, listBlocksOf, listLines, readRunbook } from '../support/readme.js'
import { expectDown } from '../support/down.js'

const run = promisify(execFile)

/** Those that readme-product-team.test.ts runs, and test/prometheus/alerts.test.ts. */
const others = [
  ...listLines(listBlocks('sh', 'docs/product-team.md')),
  ...listLines([...readRunbook().values()].flatMap((section) => listBlocksOf(section, 'sh'))),
]

/** Each command once, however many pages have it. */
const commands = [...new Set(listLines(listBlocks('sh')))].filter((line) => !others.includes(line))

function readPackage(): { readonly scripts: Readonly<Record<string, string>> } {
  return JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
}

async function printed(command: string): Promise<string> {
  const { stdout } = await run('sh', ['-c', command], { env: { ...clean, DATABASE_URL: '' } })
  return stdout
}

const proofs: Readonly<Record<string, () => Promise<void>>> = {
  'npm run demo': async () => {
    const env = { TEST_DATABASE_URL: inject('server').adminUrl, PORT: '0', OPS_PORT: '0' }
    let origin = ''
    await during('npm run demo', env, /(curl -sS -H .*limit=3')/, async (curl) => {
      origin = /'(http:\/\/[^/]+)/.exec(curl)?.[1] ?? ''
      const { stdout } = await run('sh', ['-c', curl])
      expect((JSON.parse(stdout) as { data: unknown[] }).data).toHaveLength(3)
    })
    await expectDown(origin)
  },
  'npm test': async () => {
    // Run by `.ci/run`, before this one.
    const { scripts } = readPackage()
    expect(scripts['test']).toContain('vitest run')
    await Promise.resolve()
  },
  'npm run test:long': async () => {
    // This is it; a run within the run would not end.
    expect(process.env['VITEST']).toBe('true')
    await Promise.resolve()
  },
  'npm run check': async () => {
    // Run by `.ci/run`; its parts are named by the script.
    const { scripts } = readPackage()
    for (const tool of ['prettier', 'prose', 'tsc', 'eslint', 'depcruise', 'knip'])
      expect(scripts['check']).toContain(tool)
    await Promise.resolve()
  },
  'npm run screenshots': async () => {
    if (chromiumPath === undefined) return
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-screenshots-'))
    try {
      await run('npm', ['run', '-s', 'screenshots', '--', '--out', folder], {
        env: { ...clean, TEST_DATABASE_URL: inject('server').adminUrl, CHROMIUM_PATH: chromiumPath },
      })
      for (const name of ['check.png', 'docs.png'])
        expect(readFileSync(join(folder, name)).subarray(1, 4).toString()).toBe('PNG')
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  'MODEL_SEED=17 npm run model': async () => {
    const { stdout } = await run('sh', ['-c', 'MODEL_SEED=17 npm run model'], {
      env: { ...clean, TEST_DATABASE_URL: inject('server').adminUrl, MODEL_RUNS: '1' },
    })
    expect(stdout).toContain('model: 1 products from MODEL_SEED=17')
  },
  'npm run mutants': async () => {
    const { stdout } = await run('sh', ['-c', 'npm run mutants'], {
      env: { ...clean, TEST_DATABASE_URL: inject('server').adminUrl, MUTANTS: '1' },
    })
    expect(stdout).toContain('1 of 1 mutants are killed by the model alone')
  },
  'npm run torture': async () => {
    const { stdout, stderr } = await run('sh', ['-c', 'npm run torture'], {
      env: {
        ...clean,
        TEST_DATABASE_URL: inject('server').adminUrl,
        TORTURE_MINUTES: '0.01',
        TORTURE_SEED: '7',
      },
    })
    // The first episode is played to its end, however short the time.
    expect(stdout + stderr).toMatch(/^torture: all of it: \d+ rounds, .* 0 lost$/m)
  },
  'npm run bench': async () => {
    // A short form of it. Vitrine answers every request as expected.
    const short = '--rows 4000 --rounds 1 --delays 0,1 --workspaces 1 --loads mixed:4'
    const { stdout } = await run('sh', ['-c', `npm run -s bench -- ${short}`], {
      env: { ...clean, TEST_DATABASE_URL: inject('server').adminUrl },
    })
    expect(
      stdout.match(/^\| [01] ms +\| 1 +\| mixed +\| 4 +\| vitrine +(\| +[\d,.]+ ){3}\| +0 /gm),
    ).toHaveLength(2)
  },
  'npm run faults': async () => {
    const { stderr } = await run('sh', ['-c', 'npm run faults'], {
      env: {
        ...clean,
        TEST_DATABASE_URL: inject('server').adminUrl,
        FAULTS_ROUNDS: '1',
        FAULTS_ONLY: 'a table about to be altered',
      },
    })
    // Sent, right, 503 and, of which there must be none, wrong.
    expect(stderr).toMatch(/^a table about to be altered +[1-9]\d* +[1-9]\d* +[1-9]\d* +0 /m)
  },
  'npm run soak': async () => {
    // In so short a time its end tells of this machine, and only the answers of the service.
    const { stdout } = await run('sh', ['-c', 'npm run soak || true'], {
      env: { ...clean, TEST_DATABASE_URL: inject('server').adminUrl, SOAK_MINUTES: '0.02' },
    })
    expect(stdout).toMatch(/^soak: start: RSS \d+ MB, .*; event loop [\d.]+ ms, /m)
    expect(stdout).toMatch(/^soak: kept: everybody answered: all$/m)
    expect(stdout).toMatch(/^soak: (?:kept|FAILED): every answer right: \d+ wrong$/m)
    expect(stdout).toMatch(/^soak: all of it: [1-9]\d* answers, 0 wrong$/m)
  },
  'npm run -s vitrine -- openapi': async () => {
    expect(JSON.parse(await printed('npm run -s vitrine -- openapi'))).toMatchObject({ openapi: '3.1.0' })
  },
  'npm run -s vitrine -- openapi --oas 3.0': async () => {
    expect(JSON.parse(await printed('npm run -s vitrine -- openapi --oas 3.0'))).toMatchObject({
      openapi: '3.0.3',
    })
  },
  [String.raw`sed 's|runbook_url: |&https://git.example.com/vitrine/blob/v1.0.0/|' docker/prometheus-rules.yaml > vitrine-rules.yaml`]:
    async () => {
      const rules = await printed(commands.find((line) => line.startsWith('sed '))!.replace(/ > .*/, ''))
      expect(rules).toContain(
        'runbook_url: https://git.example.com/vitrine/blob/v1.0.0/docs/observe.md#vitrinedown\n',
      )
    },
  [String.raw`(printf 'apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata:\n  name: vitrine\nspec:\n'; sed 's/^/  /' docker/prometheus-rules.yaml) > prometheusrule.yaml`]:
    async () => {
      const command = commands.find((line) => line.includes('PrometheusRule'))!
      expect(parse(await printed(command.replace(/ > .*/, '')))).toEqual({
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PrometheusRule',
        metadata: { name: 'vitrine' },
        spec: parse(readFileSync('docker/prometheus-rules.yaml', 'utf8')) as unknown,
      })
    },
  // Run by test/packages/client.test.ts, in an empty folder.
  'npm install "$VITRINE_URL/docs/vitrine-client.tgz"': () => Promise.resolve(),
  'npx vitrine-pull registrations --url "$VITRINE_URL" --key-env VITRINE_KEY --to registrations.ndjson': () =>
    Promise.resolve(),
  // Run by test/packages/testing.test.ts, in an empty folder.
  'npm init -y': () => Promise.resolve(),
  'npm pkg set type=module': () => Promise.resolve(),
  'npm install --save-dev vitest ./vitrine-*.tgz': () => Promise.resolve(),
  'npx vitest run': () => Promise.resolve(),
  // Run by test/verify/deployments.test.ts, at deployments of several kinds.
  'npm run -s vitrine -- verify --url https://api.example.com --key-env VITRINE_KEY --other-key-env VITRINE_OTHER_KEY':
    () => Promise.resolve(),
  // Run by test/cli/tracing.test.ts, before a collector.
  'TRACING=on node --import ./tracing.mjs dist/cli.js serve': () => Promise.resolve(),
}

describe('every command of README and docs works as printed', () => {
  test.each(commands)('%s', async (command) => {
    const proof = proofs[command]
    expect(proof, `${command} is documented, and no test runs it`).toBeDefined()
    await proof!()
  })

  test('every proof belongs to a documented command', () => {
    expect(Object.keys(proofs).filter((command) => !commands.includes(command))).toEqual([])
  })
})

test('the script of docs/qa.md runs as printed', async () => {
  const script = listBlocks('ts').find((block) => block.includes("createProduct('awkward')")) ?? ''
  // Within the package, so that its own name is found.
  const file = `dist/readme-${process.pid}.mjs`
  await writeFile(file, script)
  try {
    const { stdout } = await run(process.execPath, [file], {
      env: { ...clean, TEST_DATABASE_URL: inject('server').adminUrl },
    })
    expect(stdout).toMatch(
      /^DATABASE_URL=mysql:\/\/vitrine_\w+:\w+@\S+ MAPPING_FILE=\S+awkward\.yaml npm start$/m,
    )
    expect(stdout).toContain('400 registrations, the first shown as')
  } finally {
    await rm(file)
  }
})
