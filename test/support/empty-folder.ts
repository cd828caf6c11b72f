import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { clean } from './during.js'
import { makeFolder } from './folder.js'

const execute = promisify(execFile)

/** The folder of somebody who has nothing but Node and npm, whose cache is empty too. */
export type EmptyFolder = Awaited<ReturnType<typeof createEmptyFolder>>

/** Makes one; it is removed when the test file is done. */
export async function createEmptyFolder() {
  const root = makeFolder()
  const folder = join(root, 'folder')
  const cache = join(root, 'cache')
  await mkdir(folder)
  const run = (command: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
    runIn(folder, command, { npm_config_cache: cache, ...env })
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)
  return {
    folder,
    /** The empty cache of npm. */
    cache,
    /** Runs a command line as a shell does, and returns what it prints; an error holds both of its outputs. */
    run,
    write,
    /** What the compiler says of files under `strict`, declarations of packages included; empty is good. */
    compile: async (files: readonly string[], options: object): Promise<string> => {
      const compilerOptions = { target: 'es2022', noEmit: true, types: [], strict: true, ...options }
      await write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
      return run(`node ${resolve('node_modules/typescript/bin/tsc')} -p . || true`)
    },
  }
}

/** The same in any folder, with the cache of this machine. */
export async function runIn(
  cwd: string,
  command: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await execute('sh', ['-c', command], {
    cwd,
    env: { ...clean, npm_config_update_notifier: 'false', ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}
