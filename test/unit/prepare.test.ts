import { spawnSync } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runIn } from '../support/empty-folder.js'
import { makeFolder } from '../support/folder.js'

/** A step that takes its time, and notes when it begins and ends. */
const toStep = (
  name: string,
  more = '',
) => `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
const note = (text) => appendFileSync('steps.txt', \`${name} \${text}\\n\`)
note('begins')
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
${more}
note('ends')
`

const install = `const has = (...names) => names.forEach((name) => mkdirSync(\`node_modules/\${name}\`, { recursive: true }))
note(process.argv[2])
has('typescript', ...(process.argv.includes('--save-prod') ? [] : ['vitest']))
writeFileSync('node_modules/.package-lock.json', '')`

/** A checkout whose npm and build are such steps. */
function createCheckout() {
  const folder = makeFolder()
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text, { mode: 0o755 })
  }
  cpSync('.ci/prepare.mjs', join(folder, '.ci/prepare.mjs'), { recursive: true })
  const tools = ['typescript', 'rolldown', 'jiti', 'marked', 'highlight.js', '@types/node', 'testcontainers']
  const packages = Object.fromEntries(tools.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]))
  write('package-lock.json', JSON.stringify({ packages }))
  for (const name of [
    'src/a.ts',
    'docs/a.md',
    'test/product/a.ts',
    'package.json',
    'LICENSE',
    'tsconfig.json',
  ])
    write(name, '{}')
  write('.ci/generate-records.mjs', '')
  write('.ci/build.mjs', toStep('build', `mkdirSync('dist', { recursive: true })`))
  write('npm.mjs', toStep('npm', install))
  write('bin/npm', '#!/bin/sh\nexec node npm.mjs "$@"\n')
  write('program.mjs', `console.log('runs')`)
  return {
    folder,
    run: (mode: string) =>
      runIn(folder, `node .ci/prepare.mjs ${mode} program.mjs`, {
        PATH: `${folder}/bin:${process.env['PATH']!}`,
      }),
    steps: () => readFileSync(join(folder, 'steps.txt'), 'utf8').trim().split('\n'),
  }
}

test('of commands that begin at once in a fresh checkout, one installs and builds, and each runs', async () => {
  const { folder, run, steps } = createCheckout()
  // Of a process that was killed.
  const { pid } = spawnSync('true')
  mkdirSync(join(folder, `.preparing-by/${pid}-0`), { recursive: true })
  const all = Promise.all(['run', 'run', 'run'].map(run))
  expect(await all).toEqual(['runs\n', 'runs\n', 'runs\n'])
  const once = ['npm begins', 'npm install', 'npm ends', 'build begins', 'build ends']
  expect(steps()).toEqual(once)
  // One that needs more takes nothing from those that run.
  expect(await Promise.all(['', 'run', ''].map(run))).toEqual(['runs\n', 'runs\n', 'runs\n'])
  expect(steps()).toEqual([...once, ...once])
})

test('a link to the packages of another checkout is replaced, and those stay', async () => {
  const { folder, run } = createCheckout()
  const others = makeFolder()
  mkdirSync(join(others, 'marked'))
  symlinkSync(others, join(folder, 'node_modules'))
  expect(await run('run')).toBe('runs\n')
  expect(readdirSync(others)).toEqual(['marked'])
  expect(lstatSync(join(folder, 'node_modules')).isSymbolicLink()).toBe(false)
})
