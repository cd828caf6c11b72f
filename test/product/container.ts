import type { Janitor } from './janitor.js'
import { createPassword } from './server.js'
import type { Server } from './server.js'

type Testcontainers = typeof import('testcontainers')

/**
 * A MySQL container of `mysql:8.4`, where there is a Docker engine; undefined where there is none, or the image cannot be had.
 *
 * @throws Error that names the cause, where `MYSQL_IMAGE` names an image: a test run for that server must not use another one.
 */
export async function startContainer(
  janitor: Pick<Janitor, 'add'>,
  load: () => Promise<Testcontainers> = () => import('testcontainers'),
): Promise<Server | undefined> {
  const given = process.env['MYSQL_IMAGE'] ?? ''
  const image = given === '' ? 'mysql:8.4' : given
  try {
    return await startImage(image, janitor, load)
  } catch (error) {
    const reason = toText(error)
    if (given !== '') throw new Error(`MYSQL_IMAGE=${image} cannot be used: ${reason}`, { cause: error })
    // Most machines have no engine, and say nothing of it.
    if (!(error instanceof NoEngine)) process.stderr.write(`No container of ${image}: ${reason}\n`)
    return undefined
  }
}

class NoEngine extends Error {}

async function startImage(
  image: string,
  janitor: Pick<Janitor, 'add'>,
  load: () => Promise<Testcontainers>,
): Promise<Server> {
  const testcontainers = await loadTestcontainers(load)
  await startReaper(testcontainers)
  const password = createPassword()
  const name = `vitrine-${crypto.randomUUID()}`
  // Before the start, which can be killed too. Ryuk does this as well, but may be turned off.
  janitor.add({ do: 'command', file: 'docker', args: ['rm', '--force', '--volumes', name] })
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
}

/** @throws NoEngine where it is not installed; another Error where it does not run: release 12, for one, wants Node 22. */
async function loadTestcontainers(load: () => Promise<Testcontainers>): Promise<Testcontainers> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw new NoEngine('the package testcontainers is not installed')
    throw new Error(`testcontainers does not load: ${toText(error)}`, { cause: error })
  }
}

/** Starts Ryuk, which testcontainers does before each image: its failure would look like one of the image. */
async function startReaper({ getContainerRuntimeClient, getReaper }: Testcontainers): Promise<void> {
  const client = await getContainerRuntimeClient().catch((error: unknown) => {
    throw new NoEngine(`no Docker engine answers: ${toText(error)}`)
  })
  await getReaper(client).catch((error: unknown) => {
    throw new Error(
      `testcontainers/ryuk, which testcontainers starts first, does not start: ${toText(error)}; pull it, name a copy of it in RYUK_CONTAINER_IMAGE, or set TESTCONTAINERS_RYUK_DISABLED=true`,
      { cause: error },
    )
  })
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
