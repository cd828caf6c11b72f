import { defineConfig } from 'vitest/config'

/** Far beyond what any test takes: it ends what hangs, and decides nothing else. */
const limitMs = 120_000

/** Each command of the documentation, the benchmark and the soak among them. */
const commandTests = ['test/cli/readme*.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/{unit,http,pull}/**/*.test.ts'],
          expect: { poll: { timeout: limitMs / 2 } },
          testTimeout: limitMs,
        },
      },
      {
        test: {
          name: 'database',
          include: ['test/{database,cli,browser}/**/*.test.ts'],
          exclude: commandTests,
          globalSetup: 'test/support/global-setup.ts',
          expect: { poll: { timeout: limitMs / 2 } },
          testTimeout: limitMs,
          hookTimeout: limitMs,
        },
      },
      {
        // Random and long runs, and whole machines: `npm run test:long`.
        test: {
          name: 'long',
          include: ['test/{torture,faults,machines,hostile}/**/*.test.ts', ...commandTests],
          globalSetup: 'test/support/global-setup.ts',
          expect: { poll: { timeout: limitMs / 2 } },
          testTimeout: limitMs,
          hookTimeout: limitMs,
        },
      },
      {
        // Tests that change the whole server, for every account: they run alone, after all others.
        test: {
          name: 'database-server',
          include: ['test/server/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          expect: { poll: { timeout: limitMs / 2 } },
          testTimeout: limitMs,
          hookTimeout: limitMs,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      // The commands run as processes of their own, which no coverage is taken of.
      thresholds: {
        'src/{values,keys,query,resources}/**': { lines: 100, branches: 90 },
        'src/{database,mapping,http}/**': { lines: 95, branches: 85 },
        'src/client/**': { lines: 95, branches: 90 },
      },
    },
  },
})
