import type { ProductDatabase } from '../product/index.js'
import { toEventId, toKey, toWorkspaceId } from './fill.js'
import { mintUnknownKey, pickAny, toFirstPage, toItem, toMistypedKey, toPageBehind } from './loads.js'
import type { ListKind, Load, Place, Target } from './loads.js'
import { ask, readSources } from './sources.js'
import type { CollectionName } from './sources.js'

interface Row extends Place {
  readonly workspaceId: string
  readonly eventId: string
  readonly status: string
}

const listConnections = 16
const itemConnections = 64

const tables = {
  registrations: { table: 'event_registrations', status: 'reg_status' },
  invoices: { table: 'invoices', status: 'invoice_status' },
} as const

/** What is measured against the statement alone: random places of the largest workspace, where nothing else is said. */
export async function createProductLoads(
  database: ProductDatabase,
  options: { readonly workspaces: number; readonly targets: number },
): Promise<readonly Load[]> {
  const sources = await readSources(database)
  const keys = new Map(
    Array.from({ length: options.workspaces }, (_, at) => [toWorkspaceId(at), toKey(at)] as const),
  )
  const registrations = await readVisible(database, 'registrations')
  const invoices = await readVisible(database, 'invoices')
  const kindOf = (collection: CollectionName, limit: number, filters = {}): ListKind => {
    const workspaceId = toWorkspaceId(0)
    return { collection, source: sources[collection], workspaceId, key: toKey(0), limit, filters }
  }
  const eventId = toEventId(0, 3)
  const isLargest = (row: Row): boolean => row.workspaceId === toWorkspaceId(0)
  const largest = registrations.filter(isLargest)
  const largestInvoices = invoices.filter(isLargest)
  const behind = (kind: ListKind, rows: readonly Row[]): readonly Target[] =>
    pickAny(rows.slice(0, -(kind.limit + 1)), options.targets).map((row) => toPageBehind(kind, row))
  const items = (collection: CollectionName, rows: readonly Row[]): readonly Target[] =>
    pickAny(rows, options.targets).map(({ id, workspaceId }) => {
      const source = sources[collection]
      return toItem({ collection, source, workspaceId, key: keys.get(workspaceId)! }, id)
    })
  const list = (slug: string, title: string, limit: number, targets: readonly Target[]): Load => {
    return { slug, title, targets, status: 200, rows: limit + 1, connections: listConnections }
  }
  const item = (slug: string, title: string, targets: readonly Target[]): Load => {
    return { slug, title, targets, status: 200, rows: 1, connections: itemConnections }
  }
  const confirmed = { status: 'CONFIRMED' }
  return [
    list('list-25', '25 registrations', 25, behind(kindOf('registrations', 25), largest)),
    list('list-100', '100 registrations', 100, behind(kindOf('registrations', 100), largest)),
    list(
      'list-since',
      '25 registrations, `updatedSince`',
      25,
      pickAny(largest.slice(0, -30), options.targets).map((row) =>
        toFirstPage(kindOf('registrations', 25), row),
      ),
    ),
    list(
      'list-event',
      '25 registrations, `eventId`',
      25,
      behind(
        kindOf('registrations', 25, { eventId }),
        largest.filter((row) => row.eventId === eventId),
      ),
    ),
    list(
      'list-status',
      '25 registrations, `status`',
      25,
      behind(
        kindOf('registrations', 25, confirmed),
        largest.filter((row) => row.status === 'CONFIRMED'),
      ),
    ),
    list('invoices-25', '25 invoices', 25, behind(kindOf('invoices', 25), largestInvoices)),
    item('registration', 'one registration', items('registrations', largest)),
    item('registration-any', 'one registration, of any workspace', items('registrations', registrations)),
    item('invoice', 'one invoice', items('invoices', largestInvoices)),
  ]
}

/** What Vitrine alone is asked: unchanged answers, with the ETags that it gave, and keys that it refuses. */
export async function createVitrineLoads(
  loads: readonly Load[],
  readETag: (target: Target) => Promise<string>,
  options: { readonly targets: number; readonly unknownKeys: number },
): Promise<readonly Load[]> {
  const unchanged = async (slug: string): Promise<Load> => {
    const load = loads.find((one) => one.slug === slug)!
    const targets: Target[] = []
    for (const { path, key } of load.targets.slice(0, options.targets))
      targets.push({ path, key, ifNoneMatch: await readETag({ path, key }) })
    const title = `${load.title}, unchanged (304)`
    return { ...load, slug: `${slug}-304`, title, status: 304, rows: 0, targets }
  }
  const [{ path } = { path: '' }] = loads[0]!.targets
  const refused = (slug: string, title: string, keys: readonly string[]): Load => {
    const targets = keys.map((key) => ({ path, key }))
    return { slug, title, targets, status: 401, rows: 0, connections: listConnections }
  }
  const unknown = Array.from({ length: options.unknownKeys }, (_, at) => mintUnknownKey(at))
  return [
    await unchanged('list-25'),
    await unchanged('registration'),
    refused('unknown-many', 'unknown keys, another each time (401)', unknown),
    refused('unknown-one', 'one unknown key, again and again (401)', unknown.slice(0, 1)),
    refused('mistyped', 'mistyped keys (401)', unknown.slice(0, 1000).map(toMistypedKey)),
  ]
}

async function readVisible(database: ProductDatabase, collection: CollectionName): Promise<readonly Row[]> {
  const { table, status } = tables[collection]
  return ask<Row>(
    database,
    `SELECT id, workspace_id AS workspaceId, event_id AS eventId, ${status} AS status, updated_at AS updatedAt
       FROM ${table} WHERE archived_at IS NULL ORDER BY updated_at, id`,
  )
}
