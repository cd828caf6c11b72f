import { createHash } from 'node:crypto'
import { createRandom } from '../product/random.js'
import { addColumn, addTable, finishTable, oneIn } from './draft.js'
import type { Draft, DraftColumn } from './draft.js'
import { drawInstants } from './draw-columns.js'
import { drawDomain, toPublic } from './draw-identifiers.js'
import type { Domain } from './draw-identifiers.js'
import type { Lookups } from './draw-lookups.js'
import { drawInvoices, drawRegistrations } from './draw-sections.js'
import { collections, findTable } from './product.js'
import type { Cell, Key, Mapping, Product } from './product.js'
import { zoneNames } from './zones.js'

const scopes = ['registration.read', 'invoices.read']

/** The product of a seed: the same each time, for the same kind of server. */
export function drawProduct(seed: number, isMariaDb: boolean): Product {
  const random = createRandom(seed)
  const zone = random.whole(3) === 0 ? random.pick(zoneNames) : random.pick(offsets)
  const isClean = random.whole(4) > 0
  const instants = drawInstants(random, zone)
  const zeroDates = random.whole(3) === 0
  const draft: Draft = { random, isMariaDb, tables: [], isClean, zeroDates, zone, instants }
  // Now and then more parents than rows.
  const lookups: Lookups = { parents: [], ways: [], rowsMax: oneIn(draft, 25) ? 800 : 6 }
  const workspaces = { ...drawDomain(draft, 4) }
  const distinct = { ...workspaces, values: [...new Set(workspaces.values)] }
  const input = { draft, lookups, workspaces: distinct, events: drawDomain(draft, 5) }
  const which = random.whole(5)
  const sections = {
    ...(which === 0 ? {} : { registrations: drawRegistrations(input) }),
    ...(which === 1 ? {} : { invoices: drawInvoices(input) }),
  }
  const keys = drawKeys(draft, distinct)
  const apiKeys = addKeyTable(draft, distinct, keys)
  const product = {
    tables: draft.tables.map((table) => finishTable(draft, table)),
    mapping: {
      ...(zeroDates ? { zeroDates } : {}),
      ...(zone === '+00:00' && oneIn(draft, 2) ? {} : { timezone: zone }),
      apiKeys,
      ...sections,
      neverRead: [],
    },
    workspaces: distinct.values.map((value) => toPublic(distinct, value)),
    keys,
    entriesMax: random.pick([3, 7, 20]),
  }
  return oneIn(draft, 8) ? overViews(product) : product
}

/** The same product with a view in front of the table of each section. */
function overViews(product: Product): Product {
  const views = collections.flatMap((name) => {
    const section = product.mapping[name]
    if (section === undefined) return []
    const table = findTable(product.tables, section.table)
    const view = {
      ...table,
      name: `all ${name}`,
      viewOf: table.name,
      primary: [],
      unique: [],
      indexes: [],
      rows: [],
    }
    return [{ name, view, section: { ...section, table: view.name } }]
  })
  const sections = Object.fromEntries(views.map(({ name, section }) => [name, section]))
  return {
    ...product,
    tables: [...product.tables, ...views.map(({ view }) => view)],
    mapping: { ...product.mapping, ...sections },
  }
}

const offsets = ['+00:00', '+00:00', '+03:00', '-09:30', '+14:00']

/** Each workspace has a key that can do everything; then there are others. */
function drawKeys({ random }: Draft, { values }: Domain): readonly Key[] {
  const token = (): string => `evk_${random.hex(40)}`
  const whole = values.map((_, workspace): Key => ({ token: token(), workspace, scopes, state: 'valid' }))
  const others = (['expired', 'revoked', 'valid'] as const).map((state): Key => ({
    token: token(),
    workspace: 0,
    scopes: state === 'valid' ? [random.pick(scopes)] : scopes,
    state,
  }))
  return [...whole, ...others]
}

/** Adds the key table with its rows. Other forms of hashes, scopes and times are in test/database/key-table.test.ts. */
function addKeyTable(draft: Draft, workspaces: Domain, keys: readonly Key[]): Mapping['apiKeys'] {
  const table = addTable(draft, 'keys', keys.length)
  const add = (what: string, column: Partial<DraftColumn>, toCell: (key: Key) => Cell): string => {
    let next = 0
    const text = { kind: 'text', type: 'varchar(200)', collation: 'utf8mb4_bin', nullable: true } as const
    return addColumn(draft, table, what, { ...text, ...column, draw: () => toCell(keys[next++]!) })
  }
  const time = { kind: 'datetime', type: 'datetime', collation: undefined } as const
  const toHash = ({ token }: Key): string => createHash('sha256').update(token).digest('hex')
  const hash = add('hash', { type: 'varchar(64)', collation: 'ascii_bin', nullable: false }, toHash)
  table.primary = [hash]
  // A century away from now.
  const toExpiry = ({ state }: Key): string => `${state === 'expired' ? 2001 : 2120}-01-01 00:00:00`
  const toRevocation = ({ state }: Key): Cell => (state === 'revoked' ? '2001-01-01 00:00:00' : null)
  return {
    table: table.name,
    hash: { column: hash, algorithm: 'sha256', encoding: 'hex' },
    workspace: add(
      'workspace',
      toWorkspaceType(workspaces),
      ({ workspace }) => workspaces.values[workspace]!,
    ),
    scopes: { format: 'space', column: add('scopes', {}, (key) => key.scopes.join(' ')) },
    expiresAt: add('expires', time, toExpiry),
    revokedAt: add('revoked', time, toRevocation),
  }
}

function toWorkspaceType({ kind }: Domain): Partial<DraftColumn> {
  if (kind === 'integer') return { kind, type: 'bigint', collation: undefined }
  if (kind === 'uuid') return { kind: 'binary', type: 'binary(16)', collation: undefined }
  return {}
}
