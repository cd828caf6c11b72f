import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { chromiumPath } from '../support/browser.js'
import { clean } from '../support/during.js'
import { makeFolder } from '../support/folder.js'
import { listBlocks, pages } from '../support/readme.js'

/* The commands of README and docs that no other test runs, each in a short form. `test/packages` runs those of integrators and the script of docs/qa.md. */

const run = promisify(execFile)
const all = [...pages.values()].join('\n').replaceAll(/\s+/g, ' ')

/** What a command of the pages prints. */
async function print(
  command: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const own = { ...clean, DATABASE_URL: '', TEST_DATABASE_URL: inject('server').adminUrl, ...env }
  return (await run('sh', ['-c', `${command} 2>&1`], { env: own, maxBuffer: 2 ** 26 })).stdout
}

const shortBench = '--rows 4000 --rounds 1 --loads list:4'
const row = (who: string): RegExp => new RegExp(`^\\| list:4 +\\| ${who} +(\\| +[\\d,.]+ +){5}\\| 0 `, 'm')

test.each<[command: string, more: string, env: Readonly<Record<string, string>>, printed: RegExp]>([
  ['MODEL_SEED=17 npm run model', '', { MODEL_RUNS: '1' }, /model: 1 products from MODEL_SEED=17/],
  ['npm run mutants', '', { MUTANTS: '1' }, /^1 of 1 mutants are killed$/m],
  // The first episode runs to its end, however short the time.
  [
    'npm run torture',
    '',
    { TORTURE_MINUTES: '0.01' },
    /^whole seconds: commits [1-9]\d*, .* missing 0, stale 0, disordered 0$/m,
  ],
  ['npm run faults', ' -- -t password', {}, /Tests .*1 passed/],
  ['npm run bench', ` -- ${shortBench}`, {}, row('vitrine')],
  ['npm run bench -- --env DATABASE_POOL_SIZE=20', ` ${shortBench}`, {}, row('DATABASE_POOL_SIZE=20')],
  ['npm run check -- types lint', '', {}, /All 2 stages passed\./],
  ['npm run -s vitrine -- openapi', '', {}, /^\s*"openapi": ?"3\.1\.0"/m],
  ['npm run -s vitrine -- openapi', ' --oas 3.0', {}, /^\s*"openapi": ?"3\.0\.3"/m],
])('%s%s works as printed', async (command, more, env, printed) => {
  expect(all).toContain(command)
  expect(await print(command + more, env)).toMatch(printed)
})

test.skipIf(chromiumPath === undefined)('npm run screenshots takes the pictures', async () => {
  const folder = makeFolder()
  await print(`npm run -s screenshots -- --out ${folder}`, { CHROMIUM_PATH: chromiumPath })
  for (const name of ['check.png', 'docs.png'])
    expect(readFileSync(join(folder, name)).subarray(1, 4).toString()).toBe('PNG')
})

test('the command that makes an object of the Prometheus operator keeps the rules', async () => {
  const command = listBlocks('sh')
    .flatMap((block) => block.split('\n'))
    .find((line) => line.includes('PrometheusRule'))!
  expect(parse(await print(command.trim().replace(/ > .*/, '')))).toMatchObject({
    kind: 'PrometheusRule',
    spec: parse(readFileSync('docker/prometheus-rules.yaml', 'utf8')) as object,
  })
})
