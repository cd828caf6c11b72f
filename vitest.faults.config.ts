import { defineConfig } from 'vitest/config'

/** `npm run faults`: a test of `npm test`, five times as long. */
export default defineConfig({
  test: {
    name: 'faults',
    include: ['test/faults/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/setup-file.ts',
    env: { FAULTS_ROUNDS: process.env['FAULTS_ROUNDS'] ?? '5' },
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
  },
})
