import { defineConfig } from 'vitest/config'

/** `npm run torture`: the long form of one test of `npm test`, for as many minutes as are asked for. */
const minutes = Number(process.env['TORTURE_MINUTES'] ?? 3)

export default defineConfig({
  test: {
    name: 'torture',
    include: ['test/torture/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/setup-file.ts',
    env: { TORTURE_MINUTES: String(minutes) },
    // What is begun when the time is over is still played to its end.
    testTimeout: minutes * 60_000 + 600_000,
    hookTimeout: 120_000,
  },
})
