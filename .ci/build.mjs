// Builds dist from the sources: the service, the tools of QA, what is copied, and the package of integrators. With
// --noCheck without the types, which takes a quarter of the time.
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, rmSync } from 'node:fs'

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
  if (/^api\/docs\/(?:assets|templates)\/|\.yaml$/.test(name)) cpSync(`src/${name}`, `dist/${name}`)
await import('./build-client.mjs')
