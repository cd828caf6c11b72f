// `npm run check`: every static stage, side by side, with the result of each, also after one that failed. Arguments name
// the stages to run: npm run check -- types lint
import { exec } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'

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

const wanted = process.argv.slice(2)
const names = wanted.length > 0 ? wanted : Object.keys(stages)
const queue = [...names]
const failed = []
/** Runs stages and prints the result of each, until none is left. npm has put the programs into the path. */
async function work() {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const startedAt = performance.now()
    const run = promisify(exec)(stages[name], { maxBuffer: Infinity })
    const { code = 0, stdout, stderr } = await run.catch((error) => error)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    const more = code === 0 ? '' : `\n${stdout}${stderr}`
    console.log(`${code === 0 ? '✓' : '✗'} ${name}: ${stages[name]} (${seconds} s)${more}`)
    if (code !== 0) failed.push(name)
  }
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work))
console.log(failed.length === 0 ? `All ${names.length} stages passed.` : `Failed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
