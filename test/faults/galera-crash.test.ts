import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
// Loaded before it is used: the client imports it when it is called.
import '../../src/client/mirror.js'
import { keys, runStatements, useServer } from '../product/index.js'
import type { ProductDatabase, View } from '../product/index.js'
import { startJanitor } from '../product/janitor.js'
import { makeFolder } from '../support/folder.js'
import { localPrograms } from '../support/local-programs.js'
import { createMemoryStore } from '../support/memory-store.js'
import { readNdjson, sortById, startPull } from '../support/pulling.js'
import { startServing } from '../support/serving.js'
import type { ServingProcess } from '../support/serving.js'
import { waitFor } from './cluster.js'
import type { MemberCluster } from './cluster-stage.js'
import { canRunGalera, startGalera } from './galera.js'
import { canMakeNetworks } from './member-network.js'

/*
 * The drill of lost commits with Galera itself: every node is killed at once, and the cluster starts again from what the
 * nodes have on disk. `test/database/phantoms.test.ts` has the same without a cluster.
 */

const { MariaDB } = localPrograms

/** A copy of the registrations that an integrator keeps. */
interface Copy {
  /** @param scrub the percent of the copy that is compared too. */
  readonly update: (scrub: number) => Promise<readonly View[]>
}

function createPullCopy(url: string): Copy {
  const file = join(makeFolder(), 'copy.ndjson')
  return {
    update: async (scrub) => {
      const args = ['registrations', '--url', url, '--key-env', 'K', '--to', file, '--scrub', String(scrub)]
      expect(await startPull(args, { K: keys.both }).outcome).toMatchObject({ status: 0 })
      return readNdjson(file)
    },
  }
}

function createMirrorCopy(url: string): Copy {
  const client = createClient({ url, key: keys.both })
  const { records, store } = createMemoryStore()
  return {
    update: async (scrub) => {
      await client.mirror('registrations', store, { scrub })
      return sortById([...records.values()].map((one): View => ({ ...one })))
    },
  }
}

/** What InnoDB writes once a second is written later here, so that nothing depends on the moment of a crash. */
const relaxed = [
  'SET GLOBAL innodb_flush_log_at_trx_commit = 0',
  'SET GLOBAL innodb_flush_log_at_timeout = 2700',
]

describe.skipIf(!canRunGalera(MariaDB) || !canMakeNetworks)('nodes of Galera are killed at once', () => {
  const janitor = startJanitor()
  let cluster: MemberCluster
  /** What was started, so that a cluster that does not start shows its own error. */
  const started: (() => Promise<unknown>)[] = [() => janitor.finish()]
  let database: ProductDatabase
  let service: ServingProcess
  let copies: readonly Copy[]
  beforeAll(async () => {
    if (!canRunGalera(MariaDB)) return
    cluster = await startGalera(MariaDB, janitor)
    const throwaway = useServer(cluster.nodes[0]!)
    started.unshift(() => throwaway.stop())
    database = await throwaway.createProduct('plain', { registrations: 300 })
    const hosts = cluster.nodes.map(({ name }) => name).join(',')
    service = await startServing(throwaway, {
      env: {
        DATABASE_URL: database.readUrl.replace(new URL(database.readUrl).host, hosts),
        MAPPING_FILE: database.mappingFile,
      },
    })
    started.unshift(() => {
      service.child.kill('SIGTERM')
      return service.ended
    })
  })
  beforeEach(() => {
    copies = [createPullCopy(service.api), createMirrorCopy(service.api)]
  })
  afterAll(async () => {
    for (const end of started) await end()
  })

  const updateCopies = (scrub: number) => Promise.all(copies.map(({ update }) => update(scrub)))
  const readAnew = () => createPullCopy(service.api).update(0)
  const atEachNode = async (statements: readonly string[]): Promise<void> => {
    for (const { adminUrl } of cluster.nodes) await runStatements(adminUrl, statements)
  }

  /** Makes rows of a product that each node has confirmed, and lets a burst of them reach the copies. */
  async function commitAndCopy(name: string): Promise<readonly View[]> {
    const [kept] = await updateCopies(0)
    const id = String(kept?.[0]?.['id'])
    const statements = Array.from({ length: 40 }, (_, number) =>
      number % 2 === 0
        ? `INSERT INTO event_registrations SELECT '${name}${number}', workspace_id, event_id, reg_status, '${name}', attendee_email, NULL, NULL, NULL,
             NULL, NULL, badge_qr_token, NULL, NULL, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM event_registrations WHERE id = '${id}'`
        : `UPDATE event_registrations SET attendee_name = '${name}', updated_at = UTC_TIMESTAMP(3) WHERE id = '${id}'`,
    )
    await runStatements(database.adminUrl, statements)
    const [pulled, mirrored] = await updateCopies(0)
    expect(mirrored).toEqual(pulled)
    return pulled!
  }

  /** Kills nodes before any can notice, and starts them again; the cluster forms from what is on their disks. */
  async function crash(nodes = cluster.nodes): Promise<void> {
    for (const node of nodes) node.signal('SIGKILL')
    await Promise.all(nodes.map((node) => node.restart()))
    await waitFor('the service', async () => (await fetch(`${service.ops}/readyz`)).status === 200)
  }

  const countNamed = (records: readonly View[], name: string): number =>
    records.filter((one) => one['name'] === name).length

  test('all of them with relaxed flushing: copies have what the product lost, until a cycle of the scrub', async () => {
    await atEachNode(relaxed)
    const before = await commitAndCopy('Relaxed')
    expect(countNamed(before, 'Relaxed')).toBe(21)
    await crash()
    const shown = await readAnew()
    expect(countNamed(shown, 'Relaxed')).toBeLessThan(21)
    // No sync can find it: nothing has changed since.
    for (const copy of await updateCopies(0)) expect(countNamed(copy, 'Relaxed')).toBe(21)
    // A cycle of 4 runs.
    for (let run = 0; run < 3; run += 1) await updateCopies(25)
    for (const copy of await updateCopies(25)) expect(copy).toEqual(shown)
  })

  test('all of them with a flush at each commit: nothing is lost', async () => {
    await atEachNode(['SET GLOBAL innodb_flush_log_at_trx_commit = 1'])
    const before = await commitAndCopy('Flushed')
    await crash()
    expect(await readAnew()).toEqual(before)
  })

  test('two of three with relaxed flushing: nothing is lost, because they take it from the third', async () => {
    await atEachNode(relaxed)
    const before = await commitAndCopy('Survived')
    await crash(cluster.nodes.slice(0, 2))
    expect(await readAnew()).toEqual(before)
  })
})
