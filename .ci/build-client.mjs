// Builds the integrators' package in dist/vitrine-client: the code that its two entries reach, and a package.json with
// the version, license and engines of this repository.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const folder = 'dist/vitrine-client'
const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

rmSync(folder, { recursive: true, force: true })
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.vitrine-client.json']
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

// The same types again for programs in CommonJS, which TypeScript gives no types of an ES module under `node16`.
const commonJs = `${folder}/commonjs`
mkdirSync(commonJs)
for (const name of readdirSync(`${folder}/client`).filter((one) => one.endsWith('.d.ts')))
  copyFileSync(`${folder}/client/${name}`, `${commonJs}/${name}`)
writeFileSync(`${commonJs}/package.json`, '{ "type": "commonjs" }\n')

const { version, license, engines } = read('package.json')
const manifest = { ...read('src/client/package.json'), version, license, engines }
writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
copyFileSync('src/client/README.md', `${folder}/README.md`)
copyFileSync('LICENSE', `${folder}/LICENSE`)
