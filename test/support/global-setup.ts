import type { TestProject } from 'vitest/node'
import { startThrowaway } from '../product/index.js'

declare module 'vitest' {
  interface ProvidedContext {
    server: { readonly adminUrl: string; readonly origin: string }
  }
}

/** One server for the whole run; every test file makes databases of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const throwaway = await startThrowaway()
  process.stderr.write(`Tests run against ${throwaway.origin}\n`)
  project.provide('server', { adminUrl: throwaway.adminUrl, origin: throwaway.origin })
  return () => throwaway.stop()
}
