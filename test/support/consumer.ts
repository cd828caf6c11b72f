import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from './folder.js'

const run = promisify(execFile)

/** A package of somebody who has installed the integrators' package and what else is named. */
export interface Consumer {
  readonly folder: string
  readonly write: (name: string, text: string) => Promise<void>
  /** What `tsc` prints for files under the strictest settings, declarations of packages included; empty is good. */
  readonly compile: (files: readonly string[], options?: readonly string[]) => Promise<string>
  /** Runs a file with Node, and returns what it prints. */
  readonly run: (file: string, env?: Readonly<Record<string, string>>) => Promise<string>
}

/** Makes one in a folder of its own. */
export async function createConsumer(packages: readonly string[] = []): Promise<Consumer> {
  const folder = makeFolder()
  await mkdir(join(folder, 'node_modules'))
  await symlink(resolve('dist/vitrine-client'), join(folder, 'node_modules/vitrine-client'))
  for (const name of packages)
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name))
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text)
  await write('package.json', '{ "type": "module" }')
  return {
    folder,
    write,
    compile: async (files, options = []) => {
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
      // The declarations of TypeScript itself are not ours to check. Of two values for an option the last one holds.
      const usual = ['--module', 'nodenext', '--target', 'es2022', '--skipDefaultLibCheck']
      const args = [...usual, ...strict, ...options, ...files]
      const compiler = resolve('node_modules/typescript/bin/tsc')
      return run(process.execPath, [compiler, ...args], { cwd: folder }).then(
        () => '',
        (error: unknown) => (error as { stdout: string }).stdout,
      )
    },
    run: async (file, env = {}) =>
      (await run(process.execPath, [file], { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env } }))
        .stdout,
  }
}
