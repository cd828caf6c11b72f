import { createHash } from 'node:crypto'
import { createRandom } from '../product/random.js'
import { addColumn, addTable, finishTable, oneIn } from './draft.js'
import type { Draft } from './draft.js'
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
  const apiKeys = drawKeyTable(draft, distinct, keys)
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

/** Adds the key table with its rows. */
function drawKeyTable(draft: Draft, workspaces: Domain, keys: readonly Key[]): Mapping['apiKeys'] {
  const { random } = draft
  const table = addTable(draft, 'keys', keys.length)
  const algorithm = random.pick(['sha256', 'sha384', 'sha512'])
  const encoding = random.pick(['hex', 'base64', 'base64url', 'binary'] as const)
  const inOrder = (toCell: (key: Key) => Cell) => {
    let next = 0
    return (): Cell => toCell(keys[next++]!)
  }
  const digest = (key: Key): string => {
    const hash = createHash(algorithm).update(key.token)
    return encoding === 'binary' ? hash.digest('hex') : hash.digest(encoding)
  }
  const bytes = { sha256: 32, sha384: 48, sha512: 64 }[algorithm]!
  const isBinary = encoding === 'binary'
  const hash = addColumn(draft, table, 'hash', {
    kind: isBinary ? 'binary' : 'text',
    type: isBinary ? `binary(${bytes})` : 'varchar(128)',
    collation: isBinary ? undefined : random.pick(['ascii_bin', 'ascii_general_ci', 'utf8mb4_bin']),
    nullable: false,
    draw: inOrder(digest),
  })
  if (oneIn(draft, 2)) table.primary = [hash]
  const format = random.pick(['space', 'comma', 'json'] as const)
  return {
    table: table.name,
    hash: { column: hash, algorithm, encoding },
    workspace: addColumn(draft, table, 'workspace', {
      ...toWorkspaceType(workspaces),
      nullable: false,
      draw: inOrder((key) => workspaces.values[key.workspace]!),
    }),
    scopes: {
      format,
      column: addColumn(draft, table, 'scopes', {
        kind: 'text',
        type: 'varchar(200)',
        collation: 'utf8mb4_general_ci',
        nullable: true,
        draw: inOrder((key) => formatScopes(key.scopes, format)),
      }),
    },
    ...drawEnds(draft, inOrder, table),
  }
}

function toWorkspaceType({ kind }: Domain) {
  if (kind === 'integer') return { kind, type: 'bigint' } as const
  if (kind === 'uuid') return { kind: 'binary', type: 'binary(16)' } as const
  return { kind, type: 'varchar(60)', collation: 'utf8mb4_bin' } as const
}

function formatScopes(granted: readonly string[], format: 'space' | 'comma' | 'json'): string {
  return format === 'json' ? JSON.stringify(granted) : granted.join({ space: ' ', comma: ',' }[format])
}

/** When a key ends, a century away from now. */
function drawEnds(
  draft: Draft,
  inOrder: (toCell: (key: Key) => Cell) => () => Cell,
  table: Parameters<typeof addColumn>[1],
): Record<string, string> {
  const time = (toCell: (key: Key) => Cell) =>
    ({ kind: 'datetime', type: 'datetime', nullable: true, draw: inOrder(toCell) }) as const
  const expires = time(({ state }) =>
    state === 'expired' ? '2001-01-01 00:00:00' : draft.random.pick(later),
  )
  const revoked = time(({ state }) => (state === 'revoked' ? '2001-01-01 00:00:00' : null))
  return {
    expiresAt: addColumn(draft, table, 'expires', expires),
    revokedAt: addColumn(draft, table, 'revoked', revoked),
  }
}

const later = [null, '2120-01-01 00:00:00']
