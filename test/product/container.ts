import type { Janitor } from './janitor.js'
import { createPassword } from './server.js'
import type { Server } from './server.js'

/**
 * A MySQL container, where there is a Docker engine; undefined where there is none, or the image cannot be had.
 * `MYSQL_IMAGE` names another image than `mysql:8.4`.
 */
export async function startContainer(janitor: Janitor): Promise<Server | undefined> {
  const image = process.env['MYSQL_IMAGE'] ?? 'mysql:8.4'
  const testcontainers = await loadTestcontainers()
  if (testcontainers === undefined || !(await hasEngine(testcontainers))) return undefined
  const password = createPassword()
  const name = `vitrine-${crypto.randomUUID()}`
  // Before the start, which can be killed too. Ryuk does this as well, but may be turned off.
  janitor.add({ do: 'command', file: 'docker', args: ['rm', '--force', '--volumes', name] })
  try {
    const container = await new testcontainers.GenericContainer(image)
      .withName(name)
      .withEnvironment({ MYSQL_ROOT_PASSWORD: password, MYSQL_ROOT_HOST: '%' })
      .withExposedPorts(3306)
      .withTmpFs({ '/var/lib/mysql': 'rw' })
      // MariaDB says that it is ready on a line before; MySQL's X Plugin has 33060, and the image's first start 0.
      .withWaitStrategy(testcontainers.Wait.forLogMessage(/port: 3306\b/))
      .start()
    const address = `${container.getHost()}:${container.getMappedPort(3306)}`
    return {
      adminUrl: `mysql://root:${password}@${address}/`,
      origin: `a container of ${image}, on ${address}`,
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`There is a Docker engine, but no container of ${image}: ${reason}\n`)
    return undefined
  }
}

/** Undefined where it is not installed, or does not run: release 12, for one, wants Node 22. */
async function loadTestcontainers(): Promise<typeof import('testcontainers') | undefined> {
  try {
    return await import('testcontainers')
  } catch (error) {
    if (error instanceof Error && !('code' in error && error.code === 'ERR_MODULE_NOT_FOUND'))
      process.stderr.write(`No container is used: testcontainers does not load: ${error.message}\n`)
    return undefined
  }
}

async function hasEngine(testcontainers: typeof import('testcontainers')): Promise<boolean> {
  try {
    await testcontainers.getContainerRuntimeClient()
    return true
  } catch {
    return false
  }
}
