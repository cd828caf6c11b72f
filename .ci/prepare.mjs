// Makes a fresh checkout ready, and runs a program there: installs what the lockfile names, and builds. Says nothing, and
// does nothing, where both are done. Plain JavaScript, because nothing is installed yet.
//
// `prepare.mjs FILE ARGUMENTS` installs and verifies everything. `prepare.mjs run FILE ARGUMENTS` is for what only runs
// Vitrine, such as the demo: it installs a quarter of the packages, and builds without the types. The program runs in this
// process, so that signals reach it; without one it only prepares.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const at = (...names) => join(root, ...names)
const changedAt = (file) => (fs.existsSync(file) ? fs.statSync(file).mtimeMs : 0)

const shell = process.platform === 'win32'

function run(command, args) {
  // What is printed goes to the error stream: the command that follows may own the other one.
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell })
  if (status !== 0) process.exit(status ?? 1)
}

const [mode, ...rest] = process.argv.slice(2)
const isRun = mode === 'run'
const [program, ...programArgs] = isRun ? rest : process.argv.slice(2)

/** The process that prepares, as the only entry of a folder: two at once break each other's files. */
const lock = at('.preparing-by')
const own = `${process.pid}-${Date.now()}`

/** Waits for another process. Where nothing can be written, such as in an image, there is nothing to prepare. */
async function takeLock() {
  const made = attempt(() => fs.mkdtempSync(`${lock}-`))
  if (made === undefined) return
  fs.mkdirSync(join(made, own))
  // One process succeeds, and with its entry: a folder that has one is not replaced.
  if (attempt(() => fs.renameSync(made, lock) ?? true)) return process.once('exit', () => drop([own]))
  fs.rmSync(made, { recursive: true })
  drop((attempt(() => fs.readdirSync(lock)) ?? []).filter(isGone))
  await setTimeout(100)
  await takeLock()
}

/** Whether the process that made an entry was killed. */
function isGone(entry) {
  try {
    return !process.kill(parseInt(entry), 0)
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** Removes entries by their names, and the folder only where it is empty: never what another process has made since. */
function drop(entries) {
  for (const path of [...entries.map((entry) => join(lock, entry)), lock]) attempt(() => fs.rmdirSync(path))
}

/** The result of a step; undefined where it fails. */
function attempt(step) {
  try {
    return step()
  } catch {
    return undefined
  }
}

await takeLock()
const modules = at('node_modules')
const isInstalled = (name) => fs.existsSync(join(modules, name))
// A checkout that was installed whole stays whole.
const isWhole = !isRun || isInstalled('vitest')

/** A development package in the version of the lockfile. */
const { packages } = JSON.parse(fs.readFileSync(at('package-lock.json'), 'utf8'))
const pin = (name) => `${name}@${packages[`node_modules/${name}`].version}`

/** What builds Vitrine, beside the packages that it runs with. */
const buildTools = ['typescript', 'rolldown', 'jiti', 'marked', 'highlight.js', '@types/node']

const installed = join(modules, '.package-lock.json')
const isOld = changedAt(installed) < changedAt(at('package-lock.json'))
if (isOld || !isInstalled(isWhole ? 'vitest' : 'typescript')) {
  // The demo can use a Docker engine.
  const hasDocker = !isWhole && spawnSync('docker', ['info']).status === 0
  const tools = hasDocker ? [...buildTools, 'testcontainers'] : buildTools
  const count = isWhole ? 580 : hasDocker ? 280 : 130
  process.stderr.write(`Installing ${count} packages; the first time this can take minutes …\n`)
  // As packages of the product, because --omit=dev leaves out the others; package.json and the lockfile stay as they are.
  const some = ['install', '--no-save', '--save-prod', '--omit=dev', ...tools.map(pin)]
  // npm would empty the folder of another checkout that it leads to.
  if (attempt(() => fs.readlinkSync(modules)) !== undefined) fs.unlinkSync(modules)
  // What is there stays: another command can run with it.
  const all = isInstalled('typescript') && !isOld ? ['install', '--no-save'] : ['ci']
  // Nothing is shown while it works, because npm's own progress wants a terminal.
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  run('npm', [...(isWhole ? all : some), ...quiet])
  fs.utimesSync(installed, new Date(), new Date())
}

const buildFiles = ['.ci/build.mjs', '.ci/generate-records.mjs']
const sources = [
  ...['src', 'docs', 'test/product'].flatMap((folder) =>
    fs.readdirSync(at(folder), { recursive: true }).map((name) => at(folder, name)),
  ),
  ...['package.json', 'LICENSE', 'tsconfig.json', ...buildFiles].map((name) => at(name)),
]
// It holds how the last build was made: one without the types is not for a package.
const stamp = at('dist', '.built')
const build = isWhole ? 'whole' : 'run'
const isBuilt = fs.existsSync(stamp) && ['whole', build].includes(fs.readFileSync(stamp, 'utf8'))
if (!isBuilt || Math.max(...sources.map(changedAt)) > changedAt(stamp)) {
  process.stderr.write('Building Vitrine, which takes some seconds …\n')
  run(process.execPath, ['.ci/generate-records.mjs'])
  run(process.execPath, ['.ci/build.mjs', ...(isWhole ? [] : ['--noCheck'])])
  fs.writeFileSync(stamp, build)
}
drop([own])

/** The parent of a process; undefined where the system has no such file, or the process is gone. */
function readParent(pid) {
  // The name of the program, in parentheses, can have anything in it.
  return attempt(() => /.*\) \S (\d+)/s.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
}

/**
 * npm starts this in a shell, which passes no signal on: an npm that is ended would leave the program behind. SIGTERM ends the
 * shell too, and SIGKILL and SIGHUP leave it without npm.
 */
function endWithNpm() {
  const findParents = () => `${process.ppid} ${readParent(process.ppid)}`
  const parents = findParents()
  const timer = setInterval(() => {
    if (findParents() === parents) return
    // Once: a second signal ends the service without its grace.
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 200).unref()
}

if (program !== undefined) {
  if (process.env['npm_lifecycle_event'] !== undefined && !shell) endWithNpm()
  const file = program === 'vitest' ? at('node_modules/vitest/vitest.mjs') : at(program)
  process.argv.splice(1, Infinity, file, ...programArgs)
  if (file.endsWith('.ts')) await import('jiti/register')
  await import(pathToFileURL(file).href)
}
