// `npm run check`: every static stage, side by side, with the result of each, also after one that failed. Arguments name
// the stages to run: npm run check -- types lint
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

// The longest first, so that the others fit beside them.
const stages = {
  lint: 'eslint .',
  format: 'prettier --check --log-level warn .',
  unused: 'knip',
  'unused in production': 'knip --production',
  types: 'tsc',
  'types of the client in browsers': 'tsc -p src/client/tsconfig.browser.json',
  'types of the pages': 'tsc -p src/api/docs/tsconfig.assets.json',
  dependencies: 'depcruise src test --config .dependency-cruiser.cjs',
  prose: 'node .ci/prose.mjs',
}

/** Runs a stage, prints its result, and resolves to whether it passed. npm has put the programs into the path. */
async function run(name) {
  const startedAt = performance.now()
  const child = spawn(stages[name], { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
  const passed = await new Promise((resolve) => child.once('close', (status) => resolve(status === 0)))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  const more = passed ? '' : `\n${output.trimEnd()}\n`
  console.log(`${passed ? '✓' : '✗'} ${name}: ${stages[name]} (${seconds} s)${more}`)
  return passed
}

const wanted = process.argv.slice(2)
const names = wanted.length > 0 ? wanted : Object.keys(stages)
const queue = [...names]
const failed = []
const work = async () => {
  for (let name = queue.shift(); name !== undefined; name = queue.shift())
    if (!(await run(name))) failed.push(name)
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work))
console.log(failed.length === 0 ? `All ${names.length} stages passed.` : `Failed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
