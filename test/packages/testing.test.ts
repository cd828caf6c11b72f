import { execFileSync } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { findServerProgram } from '../product/local-server.js'
import { createEmptyFolder, runIn } from '../support/empty-folder.js'
import type { EmptyFolder } from '../support/empty-folder.js'
import { listBlocks, listLines, readNamedBlocks } from '../support/readme.js'

/** Own databases of the machine are used as the page says; where there is no program, the server of the run. */
const withoutServer = findServerProgram() !== undefined
const serverEnv = withoutServer ? {} : { TEST_DATABASE_URL: inject('server').adminUrl }
const image = process.env['MYSQL_IMAGE'] ?? 'mysql:8.4'

let qa: EmptyFolder

/** What vitest printed, on both streams, without colors. */
async function runTests(env: Readonly<Record<string, string>> = {}): Promise<string> {
  return qa.run('npx vitest run 2>&1', { NO_COLOR: '1', TEST_DATABASE_URL: '', ...serverEnv, ...env })
}

/** Runs the sample of node:test. */
async function runNodeTest(env: Readonly<Record<string, string>>): Promise<void> {
  const printed = await qa.run('node --test test/node.mjs', { TEST_DATABASE_URL: '', ...env })
  expect(printed).toMatch(/pass 1\b/)
}

beforeAll(async () => {
  qa = await createEmptyFolder()
  await runIn('.', 'npm pack', { npm_config_pack_destination: qa.folder })
  // Not `npm run`, which is for a checkout.
  const commands = listLines(listBlocks('sh', 'docs/qa.md')).filter((line) => /^npm (?!run)/.test(line))
  for (const command of commands) await qa.run(command)
  for (const [name, text] of readNamedBlocks('docs/qa.md')) {
    // The last step of the page.
    if (name === 'vitest.config.ts') continue
    await mkdir(dirname(join(qa.folder, name)), { recursive: true })
    await qa.write(name, text)
  }
})

test("the page's own schema, rows, mapping and test are green in an empty vitest project", async () => {
  const printed = await runTests()
  expect(printed).toContain('3 passed (3)')
  await runNodeTest(serverEnv)
})

test('with the global set-up, test files in parallel share one server', async () => {
  await qa.write('vitest.config.ts', readNamedBlocks('docs/qa.md').get('vitest.config.ts') ?? '')
  await qa.run('cp test/api.test.ts test/b.test.ts')
  const printed = await runTests()
  expect(printed).toContain('6 passed (6)')
  if (withoutServer) expect(printed.match(/Tests run against/g)).toHaveLength(1)
  await qa.run('rm vitest.config.ts test/b.test.ts')
})

test("the page's TypeScript samples compile under strict", async () => {
  const samples = listBlocks('ts', 'docs/qa.md')
  expect(samples).toHaveLength(3)
  const names = samples.map((_, at) => `sample${String(at)}.ts`)
  for (const [at, text] of samples.entries()) await qa.write(names[at]!, text)
  const more = { skipLibCheck: true, noUncheckedIndexedAccess: true }
  expect(await qa.compile(names, { module: 'nodenext', ...more })).toBe('')
})

test.each([
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
])('its types are strict, declarations included, under %s', async (moduleResolution, module) => {
  await qa.write('use.ts', await readFile('test/packages/testing-types.txt', 'utf8'))
  const more = { skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
  expect(await qa.compile(['use.ts'], { module, moduleResolution, ...more })).toBe('')
})

/** Why no container of the image can be started here; undefined where one can. */
function findObstacle(): string | undefined {
  const options = { stdio: 'ignore', timeout: 20_000 } as const
  try {
    execFileSync('docker', ['info'], options)
  } catch {
    return 'no Docker engine answers'
  }
  try {
    execFileSync('docker', ['image', 'inspect', image], options)
    return undefined
  } catch {
    return `the Docker engine has no image ${image}`
  }
}

const obstacle = findObstacle()
const isSkipped = obstacle !== undefined

describe.skipIf(isSkipped)(`with testcontainers${isSkipped ? ` (skipped: ${obstacle})` : ''}`, () => {
  test('the same files are green on MySQL in a container', async () => {
    expect(obstacle).toBeUndefined()
    // Release 12 wants Node 22.
    await qa.run('npm install --save-dev testcontainers@11')
    await qa.write('vitest.config.ts', readNamedBlocks('docs/qa.md').get('vitest.config.ts') ?? '')
    const env = { MYSQL_IMAGE: image, TESTCONTAINERS_RYUK_DISABLED: 'true' }
    const printed = await runTests({ ...env, TEST_DATABASE_URL: '' })
    expect(printed).toContain(`Tests run against a container of ${image}`)
    expect(printed).toContain('3 passed (3)')
    await runNodeTest(env)
    expect(await qa.run('docker ps --all --quiet --filter name=vitrine-')).toBe('')
  })
})
