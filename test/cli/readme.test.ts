import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { chromiumPath } from '../support/browser.js'
import { clean, during } from '../support/during.js'
import { parse } from 'yaml'
import { listBlocks, listLines, listSpokenCommands } from '../support/readme.js'
import { expectDown } from '../support/down.js'
import { makeFolder } from '../support/folder.js'

const run = promisify(execFile)

/** Those that readme-product-team.test.ts runs. */
const others = listLines(listBlocks('sh', 'docs/product-team.md'))

/** Those that `.ci/run` or another test runs. */
const elsewhere: readonly string[] = [
  'npm test',
  'npm run test:long',
  'npm run check',
  // test/packages/client.test.ts, in an empty folder
  'curl -fsS --create-dirs -o vendor/vitrine-client-2.0.0.tgz "$VITRINE_URL/docs/vitrine-client-2.0.0.tgz"',
  'npm install ./vendor/vitrine-client-2.0.0.tgz',
  'npx vitrine-pull registrations --to registrations.ndjson',
  // test/packages/testing.test.ts, in an empty folder
  'npm init -y',
  'npm pkg set type=module',
  'npm install --save-dev vitest ./vitrine-*.tgz',
  'npx vitest run',
  // test/verify/deployments.test.ts, at deployments of several kinds
  'npm run -s vitrine -- verify --url https://api.example.com --key-env VITRINE_KEY --other-key-env VITRINE_OTHER_KEY',
  'npm run -s vitrine -- verify --url https://api.example.com --key-env VITRINE_KEY',
  // test/cli/demo.test.ts
  'npm run demo -- --live',
  // test/cli/start-wait.test.ts, and readme-product-team.test.ts before a database
  'npm start',
  'npm start -- --wait 0',
  'npm start -- --wait 120',
  // test/packages/server.test.ts and client.test.ts, in empty folders
  'npm pack',
  'npm install --engine-strict ./vitrine-*.tgz',
  'npx vitrine serve',
  'npm install "$VITRINE_URL/docs/vitrine-client-2.0.0.tgz"',
  'npm ci',
  // test/cli/release.test.ts
  'npm run release',
  // By hand: npm's own, which ask the registry or read the lockfile.
  'npm audit --omit=dev',
  'npm sbom --omit dev --sbom-format cyclonedx --package-lock-only',
  // A part of `npm test`, without -u
  'npx vitest run test/unit/mapping/mapping-schema.test.ts -u',
  'npx vitest run test/database/drift',
  // By hand: it asks the registries of the images.
  'node .ci/pin-images.mjs',
]

/** Each command once, however many pages have it, in a block or in a sentence. */
const commands = [...new Set([...listLines(listBlocks('sh')), ...listSpokenCommands()])].filter(
  (line) => !others.includes(line),
)

/** What a command prints. */
async function printed(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const own = { ...clean, DATABASE_URL: '', TEST_DATABASE_URL: inject('server').adminUrl, ...env }
  const { stdout } = await run('sh', ['-c', command], { env: own })
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
  'npm run screenshots': async () => {
    if (chromiumPath === undefined) return
    const folder = makeFolder()
    await run('npm', ['run', '-s', 'screenshots', '--', '--out', folder], {
      env: { ...clean, TEST_DATABASE_URL: inject('server').adminUrl, CHROMIUM_PATH: chromiumPath },
    })
    for (const name of ['check.png', 'docs.png'])
      expect(readFileSync(join(folder, name)).subarray(1, 4).toString()).toBe('PNG')
  },
  'MODEL_SEED=17 npm run model': async () => {
    const text = await printed('MODEL_SEED=17 npm run model 2>&1', { MODEL_RUNS: '1' })
    expect(text).toContain('model: 1 products from MODEL_SEED=17')
  },
  'npm run mutants': async () => {
    const text = await printed('npm run mutants', { MUTANTS: '1' })
    expect(text).toContain('1 of 1 mutants are killed')
  },
  'npm run torture': async () => {
    const text = await printed('npm run torture 2>&1', { TORTURE_MINUTES: '0.01', TORTURE_SEED: '7' })
    // The first episode is played to its end, however short the time.
    expect(text).toMatch(/^torture: all of it: \d+ rounds, .* 0 lost$/m)
  },
  'npm run bench': async () => {
    // A short form of it. Vitrine answers every request as expected.
    const short = '--rows 4000 --rounds 1 --delays 0,1 --workspaces 1 --loads mixed:4'
    const row = /^\| [01] ms +\| 1 +\| mixed +\| 4 +\| vitrine +(\| +[\d,.]+ ){3}\| +0 /gm
    expect((await printed(`npm run -s bench -- ${short}`)).match(row)).toHaveLength(2)
  },
  'npm run bench -- --env DATABASE_POOL_SIZE=20': async () => {
    const short = '--rows 4000 --rounds 1 --delays 0 --workspaces 1 --loads list:4'
    const text = await printed(`npm run -s bench -- --env DATABASE_POOL_SIZE=20 ${short}`)
    expect(text).toMatch(/^\| 0 ms +\| 1 +\| list +\| 4 +\| DATABASE_POOL_SIZE=20 +(\| +[\d,.]+ ){3}\| +0 /m)
  },
  'npm run check -- types lint': async () => {
    expect(await printed('npm run check -- types lint')).toContain('All 2 stages passed.')
  },
  'npm run faults': async () => {
    const only = { FAULTS_ROUNDS: '1', FAULTS_ONLY: 'a table about to be altered' }
    // Sent, right, 503 and, of which there must be none, wrong.
    const row = /^a table about to be altered +[1-9]\d* +[1-9]\d* +[1-9]\d* +0 /m
    expect(await printed('npm run faults 2>&1', only)).toMatch(row)
  },
  'npm run -s vitrine -- openapi': async () => {
    expect(JSON.parse(await printed('npm run -s vitrine -- openapi'))).toMatchObject({ openapi: '3.1.0' })
  },
  'npm run -s vitrine -- openapi --oas 3.0': async () => {
    expect(JSON.parse(await printed('npm run -s vitrine -- openapi --oas 3.0'))).toMatchObject({
      openapi: '3.0.3',
    })
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
}

describe('every command of README and docs works as printed', () => {
  test.each(Object.entries(proofs))('%s', (_, proof) => proof())

  test('every documented command is run by a test, and every proof belongs to one', () => {
    expect([...elsewhere, ...Object.keys(proofs)].toSorted()).toEqual(commands.toSorted())
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
