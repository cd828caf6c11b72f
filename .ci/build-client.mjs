// Writes the commit of the checkout, or the one that an image is built for, to dist/commit.txt.
//
// Builds the integrators' package in dist/vitrine-client: the code that its two entries reach, and a package.json with
// the version, license and engines of this repository. Packs it as dist/vitrine-client.tgz, which /docs offers.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const folder = 'dist/vitrine-client'
const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'))

function run(command, args) {
  const shell = process.platform === 'win32'
  // `npm pack` prints the name of a file that is renamed.
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', command === 'npm' ? 'ignore' : 2, 2],
    shell,
  })
  if (status !== 0) process.exit(status ?? 1)
}

const describe = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
const { status, stdout } = spawnSync('git', describe, { encoding: 'utf8' })
fs.mkdirSync('dist', { recursive: true })
fs.writeFileSync('dist/commit.txt', process.env.REVISION || (status === 0 ? stdout.trim() : ''))

fs.rmSync(folder, { recursive: true, force: true })
run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'src/client/tsconfig.package.json'])

// The client again for programs in CommonJS, which cannot require an ES module in Jest or before Node 22.12, with its
// types, because TypeScript gives such programs no types of an ES module under `node16`.
const commonJs = `${folder}/commonjs`
fs.mkdirSync(commonJs)
for (const name of fs.readdirSync(`${folder}/client`).filter((one) => one.endsWith('.d.ts')))
  fs.copyFileSync(`${folder}/client/${name}`, `${commonJs}/${name}`)
fs.writeFileSync(`${commonJs}/package.json`, '{ "type": "commonjs" }\n')

const bundle = await rolldown({ input: `${folder}/client/index.js`, platform: 'neutral' })
await bundle.write({ file: `${commonJs}/index.js`, format: 'cjs', codeSplitting: false })
await bundle.close()

const { version, license, engines } = read('package.json')
const manifest = { ...read('src/client/package.json'), version, license, engines }
fs.writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
fs.copyFileSync('src/client/README.md', `${folder}/README.md`)
fs.copyFileSync('LICENSE', `${folder}/LICENSE`)

// The same sources give the same bytes, whatever the umask of the build was: npm verifies the hash of the file.
for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
  if (entry.isFile()) fs.chmodSync(join(entry.parentPath, entry.name), 0o644)

run('npm', ['pack', `./${folder}`, '--pack-destination', 'dist', '--loglevel=error'])
fs.renameSync(`dist/${manifest.name}-${version}.tgz`, `${folder}.tgz`)
