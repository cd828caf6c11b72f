import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Programs and types of others, as the lockfile of a folder pins them, in a folder of their own. */
export interface ForeignTools {
  readonly folder: string
  readonly write: (name: string, text: string) => Promise<void>
  /** Runs a JavaScript file of the folder with a Node that every tool supports, and returns what it prints. */
  readonly runScript: (file: string, ...args: readonly string[]) => Promise<string>
  readonly runJar: (file: string, ...args: readonly string[]) => Promise<string>
  /** What `tsc --strict` says of files; empty is good. */
  readonly compile: (...files: readonly string[]) => Promise<string>
  readonly remove: () => Promise<void>
}

/** orval, @hey-api/openapi-ts and kubernetes-models promise nothing on an older Node. */
const nodeMin = [22, 18] as const

/**
 * Installs them from the registry; scripts of packages are not run, because none is needed.
 *
 * @param source The folder with the package.json and the lockfile.
 */
export async function installTools(source: string): Promise<ForeignTools> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-tools-'))
  for (const name of ['package.json', 'package-lock.json'])
    await copyFile(join(source, name), join(folder, name))
  await copyFile('.npmrc', join(folder, '.npmrc'))
  const runIn = async (program: string, args: readonly string[]): Promise<string> =>
    (await run(program, args, { cwd: folder, maxBuffer: 2 ** 26 })).stdout
  await runIn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  // Asked once for its path: npx itself takes seconds.
  const node = isNodeRecent()
    ? process.execPath
    : (await runIn('npx', ['-y', '-p', 'node@24', '--', 'node', '-p', 'process.execPath'])).trim()
  const compiler = resolve('node_modules/typescript/bin/tsc')
  return {
    folder,
    write: (name, text) => writeFile(join(folder, name), text),
    runScript: (file, ...args) => runIn(node, [file, ...args]),
    runJar: (file, ...args) => runIn('java', ['-jar', file, ...args]),
    compile: (...files) =>
      runIn(process.execPath, [compiler, ...strictOptions, ...files]).catch(
        (error: unknown) => (error as { readonly stdout: string }).stdout,
      ),
    remove: () => rm(folder, { recursive: true }),
  }
}

function isNodeRecent(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])
}

const strictOptions = [
  ...['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipDefaultLibCheck'],
  ...['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022'],
  ...['--lib', 'es2022,dom,dom.iterable'],
]
