import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Far beyond what any test takes: it ends what hangs, and decides nothing else. */
const limitMs = 300_000
/** The same for a test that plays many faults or episodes one after the other. */
const longLimitMs = 4 * limitMs

/** Random and long runs, a browser, tools of others, and every command of the documentation: `npm run test:long`. */
const longTests = [
  'test/{torture,hostile,browser,protocol,packages,verify}/**/*.test.ts',
  'test/model/{random,agreement}.test.ts',
  'test/cli/{readme*,docs-samples,demo}.test.ts',
  'test/database/testing-crash.test.ts',
]

/** Tests that replace a module: what they load must not be found loaded by another file. */
const mockingTests = readdirSync('test/unit', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test/unit', name))
  .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes('vi.mock('))

const shared = {
  setupFiles: 'test/support/setup-file.ts',
  expect: { poll: { timeout: limitMs / 2 } },
  testTimeout: limitMs,
  hookTimeout: limitMs,
}

/** Files share a process, and so what it has loaded: a test leaves nothing in a module that another one would find. */
const sharedProcess = { ...shared, isolate: false }
const onServer = { ...sharedProcess, globalSetup: 'test/support/global-setup.ts' }

export default defineConfig({
  test: {
    // Most tests wait for a process or a server for a part of their time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...sharedProcess,
          name: 'unit',
          include: ['test/{unit,http,pull}/**/*.test.ts'],
          exclude: [...mockingTests, ...longTests],
        },
      },
      { test: { ...shared, name: 'unit-mocks', include: mockingTests } },
      {
        test: {
          ...onServer,
          name: 'database',
          include: ['test/{database,cli,model}/**/*.test.ts'],
          exclude: longTests,
        },
      },
      {
        test: {
          ...onServer,
          name: 'long',
          include: longTests,
          testTimeout: longLimitMs,
          hookTimeout: longLimitMs,
        },
      },
      {
        // Faults, whose time until the first right answer is measured, and tests that change the whole server.
        test: {
          ...onServer,
          name: 'long-alone',
          include: ['test/{faults,server}/**/*.test.ts'],
          testTimeout: longLimitMs,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
