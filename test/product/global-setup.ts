import { startThrowaway } from './throwaway.js'

/**
 * A global set-up for vitest, `globalSetup: 'vitrine/testing/global-setup'`: starts one server for the whole run, so that
 * `startThrowaway()` of every test file uses it. It sets `TEST_DATABASE_URL`; where that is set already, it does nothing.
 *
 * @returns a function that removes the server; vitest calls it after the last test.
 * @throws Error if no server is available.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if ((process.env['TEST_DATABASE_URL'] ?? '') !== '') return () => Promise.resolve()
  const throwaway = await startThrowaway()
  process.stderr.write(`Tests run against ${throwaway.origin}\n`)
  process.env['TEST_DATABASE_URL'] = throwaway.adminUrl
  process.env['TEST_DATABASE_ORIGIN'] = throwaway.origin
  return async () => {
    delete process.env['TEST_DATABASE_URL']
    delete process.env['TEST_DATABASE_ORIGIN']
    await throwaway.stop()
  }
}
