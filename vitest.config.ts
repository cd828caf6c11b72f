import { defineConfig } from 'vitest/config'

/** Far beyond what any test takes: it ends what hangs, and decides nothing else. */
const limitMs = 120_000

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/{unit,http,pull}/**/*.test.ts'], testTimeout: limitMs } },
      {
        test: {
          name: 'database',
          include: [
            'test/database/**/*.test.ts',
            'test/cli/**/*.test.ts',
            'test/browser/**/*.test.ts',
            'test/torture/**/*.test.ts',
            'test/faults/**/*.test.ts',
            'test/machines/**/*.test.ts',
            'test/hostile/**/*.test.ts',
          ],
          globalSetup: 'test/support/global-setup.ts',
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
        'src/{values,keys,query,collections}/**': { lines: 100, branches: 90 },
        'src/{db,mapping,http}/**': { lines: 95, branches: 85 },
        'src/client/**': { lines: 95, branches: 90 },
      },
    },
  },
})
