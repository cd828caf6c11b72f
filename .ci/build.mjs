// Builds dist from the sources: the service, the tools of QA, what is copied, the package for integrators, and the documentation.
// With --noCheck without the types, which takes a quarter of the time.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { createJiti } from 'jiti'
import { rolldown } from 'rolldown'

const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'))

/** @param output the error stream for what is printed: the command that follows may own the other one. */
function run(command, args, output = 2) {
  const shell = command === 'npm' && process.platform === 'win32'
  const { status } = spawnSync(command, args, { stdio: ['ignore', output, 2], shell })
  if (status !== 0) process.exit(status ?? 1)
}

// Files of deleted sources would stay, and go into the package.
fs.rmSync('dist', { recursive: true, force: true })
const projects = ['src/tsconfig.build', 'test/product/tsconfig.build', 'src/client/tsconfig.package']
for (const project of projects)
  run(process.execPath, [
    ...['node_modules/typescript/bin/tsc', '-p', `${project}.json`],
    ...process.argv.slice(2),
  ])
for (const name of fs.readdirSync('src', { recursive: true }))
  if (name.endsWith('.yaml') && !name.includes('templates')) fs.cpSync(`src/${name}`, `dist/${name}`)

// The commit of the checkout, or the one that an image is built for.
const describe = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
const { status, stdout } = spawnSync('git', describe, { encoding: 'utf8' })
fs.writeFileSync('dist/commit.txt', process.env.REVISION || (status === 0 ? stdout.trim() : ''))

// The package, which /docs offers: the code that its two entries reach, and the version, license and engines of this repository.
// Its client again for programs in CommonJS, which cannot require an ES module in Jest or before Node 22.12, with its types,
// because TypeScript gives such programs no types of an ES module under `node16`.
const folder = 'dist/vitrine-client'
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
// It prints the name of a file that is renamed.
run('npm', ['pack', `./${folder}`, '--pack-destination', 'dist', '--loglevel=error'], 'ignore')
fs.renameSync(`dist/${manifest.name}-${version}.tgz`, `${folder}.tgz`)

// The documentation for each choice of collections, with slots for what only a service knows.
const jiti = createJiti(import.meta.url)
const { registrations } = await jiti.import('../src/collections/registrations.ts')
const { invoices } = await jiti.import('../src/collections/invoices.ts')
const { buildOpenApi } = await jiti.import('../src/api/openapi.ts')
const { renderFiles } = await jiti.import('../src/api/docs/pages.ts')
for (const chosen of [[registrations, invoices], [registrations], [invoices]]) {
  const set = `dist/docs/${chosen.map(({ name }) => name).join('-')}`
  fs.cpSync('src/api/docs/assets', `${set}/docs/assets`, { recursive: true })
  const fields = (name) => ({ status: { values: [`FILL_STATUS_${name}`] } })
  const collections = chosen.map(({ name, describe }) => describe({ fields: fields(name) }))
  const files = renderFiles(buildOpenApi(collections, 'FILL_URL'))
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(`${set}/${name}`, text)
}
