import type { TestProject } from 'vitest/node'
import { startThrowaway } from '../product/index.js'
import { ask } from './ask.js'

declare module 'vitest' {
  interface ProvidedContext {
    server: { readonly adminUrl: string; readonly origin: string; readonly isMariaDb: boolean }
  }
}

/** One server for the whole run; every test file makes databases of its own on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const throwaway = await startThrowaway()
  process.stderr.write(`Tests run against ${throwaway.origin}\n`)
  const [row] = await ask(throwaway.adminUrl, 'select version() as version')
  project.provide('server', {
    adminUrl: throwaway.adminUrl,
    origin: throwaway.origin,
    isMariaDb: /mariadb/i.test(String(row?.['version'])),
  })
  return () => throwaway.stop()
}
