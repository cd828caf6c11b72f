// Makes a fresh checkout ready for whichever command runs next: installs what the lockfile names, and builds.
// Says nothing, and does nothing, where both are done. Plain JavaScript, because nothing is installed yet.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const at = (...names) => join(root, ...names)
const changedAt = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0)

function run(command, args) {
  const shell = process.platform === 'win32'
  // What is printed goes to the error stream: the command that follows may own the other one.
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell })
  if (status !== 0) process.exit(status ?? 1)
}

const installed = at('node_modules', '.package-lock.json')
if (changedAt(installed) < changedAt(at('package-lock.json'))) {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))
  const count = Object.keys(packages).length
  process.stderr.write(`Installing up to ${count} packages, in a minute or more the first time …\n`)
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  utimesSync(installed, new Date(), new Date())
}

const sources = ['src', 'test/product']
  .flatMap((folder) => readdirSync(at(folder), { recursive: true }).map((name) => at(folder, name)))
  .concat(
    ['package.json', 'LICENSE', '.ci/build-client.mjs', '.ci/generate-records.mjs'].map((name) => at(name)),
    ['', 'build.', 'testing.', 'vitrine-client.'].map((name) => at(`tsconfig.${name}json`)),
  )
const stamp = at('dist', '.built')
if (Math.max(...sources.map(changedAt)) > changedAt(stamp)) {
  process.stderr.write('Building …\n')
  run('npm', ['run', '--silent', 'generate'])
  run('npm', ['run', '--silent', 'build'])
  run('npm', ['run', '--silent', 'build:client'])
  mkdirSync(at('dist'), { recursive: true })
  writeFileSync(stamp, '')
}
