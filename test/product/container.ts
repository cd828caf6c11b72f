import type { Janitor } from './janitor.js'
import { createPassword } from './server.js'
import type { Server } from './server.js'
import { toMessage } from './error-text.js'

/**
 * A MySQL container of `mysql:8.4`, where there is a Docker engine and the package testcontainers; undefined where there is none.
 *
 * @throws Error that names the cause, where `MYSQL_IMAGE` names an image: a test run for that server must not use another one.
 */
export async function startContainer(janitor: Pick<Janitor, 'add'>): Promise<Server | undefined> {
  const given = process.env['MYSQL_IMAGE'] ?? ''
  try {
    return await startImage(given === '' ? 'mysql:8.4' : given, janitor)
  } catch (error) {
    if (given === '') return undefined
    const reason = toMessage(error)
    throw new Error(`MYSQL_IMAGE=${given} cannot be used: ${reason}`, { cause: error })
  }
}

async function startImage(image: string, janitor: Pick<Janitor, 'add'>): Promise<Server> {
  // The janitor removes the container, so that no other one is needed for that.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true'
  const { GenericContainer, Wait } = await import('testcontainers')
  const password = createPassword()
  const name = `vitrine-${crypto.randomUUID()}`
  // Before the start, which can be killed too.
  janitor.add({ do: 'command', file: 'docker', args: ['rm', '--force', '--volumes', name] })
  const container = await new GenericContainer(image)
    .withName(name)
    .withEnvironment({ MYSQL_ROOT_PASSWORD: password, MYSQL_ROOT_HOST: '%' })
    .withExposedPorts(3306)
    .withTmpFs({ '/var/lib/mysql': 'rw' })
    // MariaDB says that it is ready on a line before; MySQL's X Plugin has 33060, and the image's first start 0.
    .withWaitStrategy(Wait.forLogMessage(/port: 3306\b/))
    .start()
  const address = `${container.getHost()}:${container.getMappedPort(3306)}`
  return {
    adminUrl: `mysql://root:${password}@${address}/`,
    origin: `a container of ${image}, on ${address}, because there is a Docker engine and no TEST_DATABASE_URL`,
  }
}
