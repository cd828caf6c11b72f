import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startJanitor } from '../product/janitor.js'
import type { Janitor } from '../product/janitor.js'
import { findFreePort, findProgramIn, findServerProgram, startLocalServer } from '../product/local-server.js'
import type { LocalServer, Program } from '../product/local-server.js'
import { runStatements } from '../product/index.js'
import { ask } from '../support/ask.js'

/*
 * `docker/replicate.sh` with a real client on real servers. Each server has an address of its own and all have one
 * port, as containers have.
 */

const local = findServerProgram()
const program =
  local?.isMariaDb === false
    ? local
    : findProgramIn(process.env['VITRINE_MYSQL_DIR'] ?? '/var/cache/vitrine-mysql')
const [primaryAddress, replicaAddress, strangerAddress] = ['127.0.0.21', '127.0.0.22', '127.0.0.23']
const password = 'throwaway'

interface Outcome {
  readonly status: number
  readonly output: string
}

/** A server that the script can be used on, at an address of its own. */
interface Node {
  readonly server: LocalServer
  readonly gateway: Server
}

describe.skipIf(program === undefined || process.platform !== 'linux')('docker/replicate.sh', () => {
  let janitor: Janitor
  let folder: string
  let port: number
  let nodes: readonly Node[] = []
  let [primary, replica]: readonly LocalServer[] = []

  beforeAll(async () => {
    janitor = startJanitor()
    folder = await mkdtemp(join(tmpdir(), 'vitrine-replicate-'))
    await writeFile(join(folder, 'mysql'), toClient(program!))
    await chmod(join(folder, 'mysql'), 0o700)
    port = await findFreePort()
    const addresses = [primaryAddress, replicaAddress, strangerAddress]
    nodes = await Promise.all(addresses.map((address, at) => startNode(program!, address, at + 1)))
    ;[primary, replica] = nodes.map(({ server }) => server)
    await runStatements(primary!.adminUrl, ["CREATE USER vitrine@'%' IDENTIFIED BY 'x'"])
  })
  afterAll(async () => {
    for (const { gateway } of nodes) gateway.close()
    await janitor.finish()
    await rm(folder, { recursive: true })
  })

  async function startNode(program: Program, address: string, id: number): Promise<Node> {
    const server = await startLocalServer(program, janitor, [
      `--server-id=${id}`,
      '--gtid-mode=ON',
      '--enforce-gtid-consistency=ON',
      '--relay-log=relay',
      '--innodb-buffer-pool-size=64M',
      '--performance-schema=ON',
    ])
    await runStatements(server.adminUrl, [
      // Over the gateway everybody comes from this machine.
      `ALTER USER root@localhost IDENTIFIED BY '${password}'`,
      // The containers keep their accounts out of the binary log.
      'RESET BINARY LOGS AND GTIDS',
    ])
    const gateway = createServer((near) => {
      const far = connect(server.port, '127.0.0.1')
      near.pipe(far).pipe(near)
      near.on('error', () => far.destroy())
      far.on('error', () => near.destroy())
    }).listen(port, address)
    gateway.unref()
    await once(gateway, 'listening')
    return { server, gateway }
  }

  const replicate = (replicas: string, more: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
    new Promise((resolve) => {
      const env = {
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        MYSQL_TCP_PORT: String(port),
        PRIMARY: primaryAddress,
        REPLICAS: replicas,
        READER_USER: 'vitrine',
        ROOT_PASSWORD: password,
        REPLICATION_PASSWORD: password,
        ...more,
      }
      execFile('bash', ['docker/replicate.sh'], { env }, (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code), output: stdout + stderr })
      })
    })

  test('makes a replica follow, and changes nothing when it is run again', async () => {
    await runStatements(primary!.adminUrl, ['CREATE DATABASE product', 'CREATE TABLE product.t (id INT)'])
    const done = { status: 0, output: `${replicaAddress} holds all that ${primaryAddress} holds.\n` }
    expect(await replicate(replicaAddress)).toEqual(done)
    expect(await ask(replica!.adminUrl, 'SHOW TABLES FROM product')).toHaveLength(1)
    expect(await replicate(replicaAddress)).toEqual(done)
    expect(await ask(replica!.adminUrl, 'SELECT @@super_read_only AS off')).toEqual([{ off: 1 }])
  })

  test('prints the state of a replica that cannot follow, and ends with 1', async () => {
    await runStatements(primary!.adminUrl, ["ALTER USER replicator@'%' IDENTIFIED BY 'another'"])
    const { status, output } = await replicate(strangerAddress, { CATCH_UP_SECONDS: '1' })
    expect(status, output).toBe(1)
    expect(output).toContain(`${strangerAddress} does not follow ${primaryAddress}:\n`)
    expect(output).toMatch(new RegExp(`^ +Source_Host: ${primaryAddress}$`, 'm'))
    expect(output).toMatch(/^ +Last_IO_Error:/m)
  })
})

/** The client that belongs to the server. */
function toClient({ root }: Program): string {
  return `#!/bin/sh\nPATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin\nexec ${root === '' ? '' : `chroot '${root}' `}mysql --no-defaults "$@"\n`
}
