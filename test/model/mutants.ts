import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startThrowaway } from '../product/throwaway.js'
import { mutants } from './mutant-list.js'
import type { Mutant } from './mutant-list.js'

/*
 * `npm run mutants` breaks the service in each of the listed ways, in a copy, and runs the model alone over 300 seeds. A mutant
 * that the model does not see is printed. MUTANTS=3,7 chooses some.
 */

const copied = [
  'src',
  'test',
  'config',
  'docs',
  'README.md',
  'package.json',
  'vitest.config.ts',
  'tsconfig.json',
]
const linked = ['node_modules', 'dist']
/** What few products have is looked for in more than those of every test run. */
const more = { MODEL_SEED: '61', MODEL_RUNS: '240' }

function isKilled(folder: string, url: string, { file, search, replacement }: Mutant): boolean {
  const name = join(folder, file)
  const text = readFileSync(name, 'utf8')
  if (!text.includes(search)) throw new Error(`${file} does not have: ${search}`)
  writeFileSync(
    name,
    text.replace(search, () => replacement),
  )
  try {
    const fails = (file: string): boolean => {
      const run = spawnSync('npx', ['vitest', 'run', '--bail=1', file], {
        cwd: folder,
        env: { ...process.env, ...more, TEST_DATABASE_URL: url, MODEL_SHRUNK: '0' },
        encoding: 'utf8',
      })
      return run.status !== 0
    }
    return fails('test/model/model.test.ts') || fails('test/model/random.test.ts')
  } finally {
    writeFileSync(name, text)
  }
}

async function main(): Promise<void> {
  const chosen = process.env['MUTANTS']?.split(',').map(Number) ?? mutants.map((_, at) => at + 1)
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-mutants-'))
  const throwaway = await startThrowaway()
  let killed = 0
  try {
    for (const name of copied) cpSync(name, join(folder, name), { recursive: true })
    for (const name of linked) symlinkSync(join(process.cwd(), name), join(folder, name))
    for (const at of chosen) {
      const mutant = mutants[at - 1]!
      const isDead = isKilled(folder, throwaway.adminUrl, mutant)
      killed += Number(isDead)
      process.stdout.write(`${isDead ? 'killed  ' : 'SURVIVED'} ${at} ${mutant.file}: ${mutant.what}\n`)
    }
  } finally {
    await throwaway.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  process.stdout.write(`${killed} of ${chosen.length} mutants are killed by the model alone\n`)
}

await main()
