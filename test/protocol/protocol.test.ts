import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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

/** Mistakes of one line: the line of the model, and what stands there instead. */
const mutants: readonly (readonly [string, string, string])[] = [
  ['no overlap', '+ LAG_MAX + CLOCK_MAX - 1', '* 0'],
  ['an overlap below the longest transaction', '+ LAG_MAX + CLOCK_MAX - 1', '- 1'],
  ['an overlap without the lag', '+ LAG_MAX + CLOCK_MAX - 1', '+ CLOCK_MAX - 1'],
  ['an overlap without the clocks', '+ LAG_MAX + CLOCK_MAX - 1', '+ LAG_MAX - 1'],
  ['a cursor without its start instant', 'else before.startedAt', 'else now + skew'],
  ['the lag of a host ignored', 'if (lag > LAG_MAX)', 'if (false)'],
  ['equal instants skipped', ' or (row.at == position.at and row.id > position.id)', ''],
  ['an exclusive updatedSince', 'row.at >= since', 'row.at > since'],
  ['open transactions ignored', 'minOf(byLag, snapshotOf(lag + checkedBefore).oldest)', 'byLag'],
  ['the oldest transaction of the primary', 'snapshotOf(lag + checkedBefore).oldest', 'primary.oldest'],
  [
    'a health check of another host',
    'snapshotOf(lag + checkedBefore).oldest',
    'snapshotOf(checkedBefore).oldest',
  ],
  [
    'the oldest transaction of the first page only',
    'if (hasOldest) minOf',
    'if (hasOldest and not(isCrawling)) minOf',
  ],
  ['a lower epoch adopted', 'if (answered > copyEpoch)', 'if (answered != copyEpoch)'],
  ['a higher epoch ignored', 'if (answered > copyEpoch)', 'if (false)'],
  ['a sync that ends with records of a lower epoch', 'before.isBelow or answered < copyEpoch', 'false'],
]

describe('the protocol of syncs', () => {
  test('loses nothing and mixes no epochs in 10,000 random traces', async () => {
    expect(await simulate(String(Math.floor(Math.random() * 2 ** 31)))).toContain('[ok]')
  })

  test.each(mutants)('is broken by %s', async (_, from, to) => {
    for (const file of modelFiles) {
      const text = await readFile(join(source, file), 'utf8')
      await writeFile(join(cwd, file), text.replace(from, to))
    }
    expect(await simulate('1')).toContain('[violation]')
  })
})
