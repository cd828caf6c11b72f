import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keys } from '../product/index.js'
import type { View } from '../product/index.js'
import { createConsumer } from './consumer.js'
import { sortById } from './pulling.js'
import { listBlocks } from './readme.js'

/** One of the programs of docs/integrators.md that keep a copy; it is run as printed. */
export interface Sample {
  /** As at the start of its block. */
  readonly language: string
  readonly file: string
  readonly command: readonly [program: string, ...args: string[]]
  readonly read: (folder: string) => Promise<readonly View[]>
  /** Ends with 0 where what the program needs is on this machine. */
  readonly probe: readonly [program: string, ...args: string[]]
  readonly needs: string
}

/** A program of a sample under way. */
export interface SampleRun {
  /** Ends the program and the programs that it started, without a chance to save anything. */
  readonly kill: () => void
  readonly outcome: Promise<{ readonly status: number | null; readonly stderr: string }>
}

/** A sample in a folder of its own. */
export interface InstalledSample {
  readonly start: (url: string) => SampleRun
  /** Adds half a record to a file of the copy, as an interrupted write does; a database needs no such test. */
  readonly tear: () => Promise<void>
  readonly readCopy: () => Promise<readonly View[]>
  /** Ends the program if it still runs. */
  readonly remove: () => Promise<void>
}

const readDatabase = (folder: string): Promise<readonly View[]> => {
  const rows = execFileSync('sqlite3', [join(folder, 'copy.sqlite'), 'SELECT record FROM records'])
  return Promise.resolve(parseLines(rows.toString()))
}

const changesFile = 'changes.ndjson'

/** Of the lines with one id, the last is its record. */
const readChanges = async (folder: string): Promise<readonly View[]> => {
  const views = parseLines(await readFile(join(folder, changesFile), 'utf8'))
  return [...new Map(views.map((view) => [view['id'], view])).values()]
}

/** Every sample of docs/integrators.md. */
export const samples: readonly Sample[] = [
  {
    language: 'ts',
    file: 'sync.mjs',
    command: [process.execPath, 'sync.mjs'],
    read: readChanges,
    probe: ['true'],
    needs: 'Node',
  },
  {
    language: 'python',
    file: 'sync.py',
    command: ['python3', 'sync.py'],
    read: readDatabase,
    probe: ['sh', '-c', "python3 -c 'import requests' && command -v sqlite3"],
    needs: 'python3-requests or sqlite3',
  },
]

/** In CI everything is there: what is missing then is a failure, not a reason to skip. */
const isSkippable = process.env['CI'] === undefined || process.env['CI'] === ''

/** Whether the tests of a sample are skipped, because this machine lacks what it needs. */
export function isMissing({ probe: [program, ...args] }: Sample): boolean {
  return isSkippable && spawnSync(program, args).status !== 0
}

/** The program as it is printed. */
export function readProgram(language: string): string {
  return listBlocks(language, 'docs/integrators.md').find((text) => text.includes('VITRINE_KEY')) ?? ''
}

/** Writes the program into a folder. */
export async function installSample({
  language,
  file,
  command: [program, ...args],
  read,
}: Sample): Promise<InstalledSample> {
  const { folder, write } = await createConsumer()
  await write(file, readProgram(language))
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder }
  let last: SampleRun | undefined
  return {
    start: (url) => {
      const child = spawn(program, args, {
        cwd: folder,
        env: { ...env, VITRINE_URL: url, VITRINE_KEY: keys.both },
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: true,
      })
      last = watch(child)
      return last
    },
    tear: async () => {
      if (read !== readDatabase) await appendFile(join(folder, changesFile), '{"id":"01')
    },
    readCopy: async () => sortById(await read(folder)),
    remove: async () => {
      last?.kill()
      await last?.outcome
    },
  }
}

function watch(child: ChildProcess): SampleRun {
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  return {
    kill: () => {
      const isRunning = child.exitCode === null && child.signalCode === null
      if (isRunning && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    },
    outcome: once(child, 'close').then(([status]) => ({ status: status as number | null, stderr })),
  }
}

function parseLines(text: string): readonly View[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as View)
}
