import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { startThrowaway } from '../product/throwaway.js'

/*
 * `npm run mutants` breaks the service in each way of mutants.yaml, in a copy, and runs the model alone over 300 seeds, or the
 * file of tests that the mutant names. A mutant that they do not see is printed. MUTANTS=3,7 chooses some.
 */

/** A way to break the service. */
interface Mutant {
  readonly file: string
  readonly what: string
  /** Its first occurrence is replaced. */
  readonly search: string
  readonly replacement: string
  /** The file of tests that sees it; without it the model does. */
  readonly by?: string
}

const listed = parse(readFileSync('test/model/mutants.yaml', 'utf8')) as Readonly<
  Record<string, readonly Omit<Mutant, 'file'>[]>
>
const mutants = Object.entries(listed).flatMap(([file, list]) =>
  list.map((one): Mutant => ({ file, ...one })),
)
const copied = ['src', 'test', 'config', 'docs', 'docker', 'README.md', 'package.json', 'vitest.config.ts']
const linked = ['node_modules', 'dist']
/** What few products have is looked for in more than those of every test run. */
const more = { MODEL_SEED: '61', MODEL_RUNS: '240' }

function isKilled(folder: string, url: string, { file, search, replacement, by }: Mutant): boolean {
  const name = join(folder, file)
  const text = readFileSync(name, 'utf8')
  if (!text.includes(search)) throw new Error(`${file} does not have: ${search}`)
  writeFileSync(
    name,
    text.replace(search, () => replacement),
  )
  const tests = by === undefined ? ['test/model/model.test.ts', 'test/model/random.test.ts'] : [by]
  try {
    return tests.some((test) => {
      const run = spawnSync('npx', ['vitest', 'run', '--bail=1', test], {
        cwd: folder,
        env: { ...process.env, ...more, TEST_DATABASE_URL: url },
      })
      return run.status !== 0
    })
  } finally {
    writeFileSync(name, text)
  }
}

const chosen = process.env['MUTANTS']?.split(',').map(Number) ?? mutants.map((_, at) => at + 1)
const folder = mkdtempSync(join(tmpdir(), 'vitrine-mutants-'))
const throwaway = await startThrowaway()
let killed = 0
try {
  for (const name of [...copied, 'tsconfig.json']) cpSync(name, join(folder, name), { recursive: true })
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
process.stdout.write(`${killed} of ${chosen.length} mutants are killed\n`)
