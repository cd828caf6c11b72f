// Builds dist from the sources: the service, the tools of QA, what is copied, the package of integrators, and the documentation. With
// --noCheck without the types, which takes a quarter of the time.
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createJiti } from 'jiti'

// Files of deleted sources would stay, and go into the package.
rmSync('dist', { recursive: true, force: true })

const projects = ['src/tsconfig.build.json', 'test/product/tsconfig.build.json']
for (const project of projects) {
  const args = ['node_modules/typescript/bin/tsc', '-p', project, ...process.argv.slice(2)]
  // What is printed goes to the error stream: the command that follows may own the other one.
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}
for (const name of readdirSync('src', { recursive: true }))
  if (name.endsWith('.yaml') && !name.includes('templates')) cpSync(`src/${name}`, `dist/${name}`)
await import('./build-client.mjs')

// The documentation for each choice of collections, with slots for what only a service knows.
const jiti = createJiti(import.meta.url)
const { registrations } = await jiti.import('../src/collections/registrations.ts')
const { invoices } = await jiti.import('../src/collections/invoices.ts')
const { buildOpenApi } = await jiti.import('../src/api/openapi.ts')
const { renderFiles } = await jiti.import('../src/api/docs/pages.ts')
const assets = 'src/api/docs/assets'
// As static-body.ts does.
const toVersion = (name) => hash('sha256', readFileSync(`${assets}/${name}`), 'base64url').slice(0, 16)
const versions = { style: toVersion('docs.css'), script: toVersion('docs.js') }
for (const chosen of [[registrations, invoices], [registrations], [invoices]]) {
  const folder = `dist/docs/${chosen.map(({ name }) => name).join('-')}`
  cpSync(assets, `${folder}/docs/assets`, { recursive: true })
  const collections = chosen.map(({ name, describe }) =>
    describe({ fields: { status: { values: [`FILL_STATUS_${name}`] } } }),
  )
  const files = renderFiles(buildOpenApi(collections, 'FILL_URL'), versions)
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
}
