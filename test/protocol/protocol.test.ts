import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const run = promisify(execFile)
const source = import.meta.dirname
const modelFiles = ['rules.qnt', 'protocol.qnt']
const invariants = ['nothingIsLost', 'oneEpoch', 'epochNeverFalls']

/** The model, with Quint as its lockfile pins it. */
let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'vitrine-protocol-'))
  for (const name of ['package.json', 'package-lock.json', ...modelFiles])
    await cp(join(source, name), join(cwd, name))
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd })
})
afterAll(() => rm(cwd, { recursive: true }))

/** What the simulator prints of 10,000 traces, up to the first one that breaks an invariant. */
async function simulate(seed: string): Promise<string> {
  const args = [
    ...['node_modules/@informalsystems/quint/dist/src/cli.js', 'run', '--backend=typescript'],
    ...['--max-samples=10000', '--max-steps=40', `--seed=${seed}`, '--main=protocol', '--verbosity=1'],
    ...['protocol.qnt', '--invariants', ...invariants],
  ]
  return run(process.execPath, args, { cwd, maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  )
}

const mistakes = parse(readFileSync(join(source, 'mistakes.yaml'), 'utf8')) as Record<
  string,
  [string, string]
>

describe('the protocol of syncs', () => {
  test('loses nothing and mixes no epochs in 10,000 random traces', async () => {
    expect(await simulate(String(Math.floor(Math.random() * 2 ** 31)))).toContain('[ok]')
  })

  test.each(Object.entries(mistakes))('is broken by %s', async (_, [from, to]) => {
    for (const file of modelFiles) {
      const text = await readFile(join(source, file), 'utf8')
      await writeFile(join(cwd, file), text.replace(from, to))
    }
    expect(await simulate('1')).toContain('[violation]')
  })
})
