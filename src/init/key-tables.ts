import { rankCandidates } from './candidate.js'
import type { Candidate, MappingValue } from './candidate.js'
import { describeColumn, findColumns } from './column-rule.js'
import type { ColumnRule } from './column-rule.js'
import type { Content } from './content.js'
import { isSameName } from './description.js'
import type { DescribedColumn, DescribedTable, Description } from './description.js'
import type { ListTenants } from './tenants.js'
import { listTableWords } from './words.js'

/** The section `apiKeys` as the mapping file has it. */
export type KeySection = Readonly<Record<string, MappingValue>> & { readonly table: string }

/** A key table: one that the product has, or a new one. */
export interface KeyTable {
  readonly section: KeySection
  readonly isNew: boolean
}

/** The name of a new table of keys. */
const newTable = 'vitrine_api_keys'

interface KeySearch {
  readonly description: Description
  readonly content: Content
  readonly listTenants: ListTenants
  /** Undefined for a product with one tenant. */
  readonly tenant: string | undefined
}

/** What speaks for a key table, and against it. */
const weights = {
  fits: 10,
  ownScopes: 3,
  otherScopes: -4,
  api: 1,
  indexed: 1,
  notIndexed: -3,
  new: 8,
} as const

/**
 * Tables of the product that can hold the keys, and a new one. A table of the product fits when it has a column of the
 * width of a hash, the same tenant as the mapped tables, and scopes.
 */
export async function listKeyTables(search: KeySearch): Promise<readonly Candidate<KeyTable>[]> {
  const lists = await Promise.all(
    [...search.description.values()].map((table) => listExisting(table, search)),
  )
  const existing = lists.flat()
  const fresh: Candidate<KeyTable> = {
    value: { section: toNewSection(search.description, search.tenant), isNew: true },
    label: 'a new table of keys',
    evidence: [
      {
        points: weights.new,
        reason:
          existing.length === 0
            ? 'no table of the product has hashes of keys, scopes and the tenant'
            : 'a table for Vitrine alone',
      },
    ],
  }
  return rankCandidates([...existing, fresh])
}

function toNewSection(description: Description, tenant: string | undefined): KeySection {
  const names = [...description.keys()].map((name) => name.toLowerCase())
  const free = [newTable, ...Array.from({ length: 100 }, (_, at) => `${newTable}_${at + 2}`)]
  return {
    table: free.find((name) => !names.includes(name)) ?? newTable,
    hash: { column: 'key_hash', algorithm: 'sha256', encoding: 'hex' },
    workspace: tenant === undefined ? { constant: '1' } : 'workspace_id',
    scopes: { column: 'scopes', format: 'space' },
    prefix: 'evk_',
    expiresAt: 'expires_at',
    revokedAt: 'revoked_at',
  }
}

const hashRule: ColumnRule = {
  names: {
    10: 'key_hash hashed_key token_hash hashed_token secret_hash api_key_hash hash digest key_digest token_digest',
    7: '[a-z0-9_]+_(?:hash|digest)',
    4: 'token key secret api_key',
  },
  kinds: ['text', 'binary'],
  accepts: (column) => toEncoding(column) !== undefined,
}
const scopesRule: ColumnRule = {
  names: {
    10: 'scopes? permissions? abilities perms privileges grants',
    7: '(?:scopes|perms|permissions|abilities)_(?:json|csv|list)',
  },
  kinds: ['text', 'json'],
}
const expiresRule: ColumnRule = {
  names: {
    10: 'expires_at expires expire_at expiry expires_on valid_until valid_to expiration expiry_date expired_at',
  },
  kinds: ['datetime', 'timestamp'],
}
const revokedRule: ColumnRule = {
  names: {
    10: 'revoked_at revoked revoked_on deleted_at disabled_at killed_at deactivated_at blocked_at',
  },
  kinds: ['datetime', 'timestamp'],
  accepts: ({ nullable }) => nullable,
}
const otherTokens =
  /^(?:password|reset|session|verification|remember|refresh|device|push|invite|invitation|oauth|email)$/

interface KeyColumns {
  readonly hash: DescribedColumn
  readonly scopes: DescribedColumn
  readonly workspace: MappingValue
}

async function listExisting(
  table: DescribedTable,
  search: KeySearch,
): Promise<readonly Candidate<KeyTable>[]> {
  const columns = findKeyColumns(table, search)
  if (columns === undefined) return []
  const { hash, scopes } = columns
  const found = findScopes(await search.content.readTexts(table, scopes))
  const isIndexed = table.indexes.some((index) => isSameName(index.columns[0], hash.name))
  return [
    {
      value: { section: toSection(table, columns, found), isNew: false },
      label: table.name,
      evidence: [
        { points: weights.fits, reason: `${hash.name} ${describeColumn(hash)} has the width of a hash` },
        ...(found.hasOwn === undefined
          ? []
          : found.hasOwn
            ? [{ points: weights.ownScopes, reason: `${scopes.name} has scopes of Vitrine` }]
            : // Keys that are there without a scope of Vitrine are for something else.
              [{ points: weights.otherScopes, reason: `${scopes.name} has other scopes` }]),
        { points: listTableWords(table.name).includes('api') ? weights.api : 0, reason: 'its name' },
        isIndexed
          ? { points: weights.indexed, reason: 'an index begins with the hash' }
          : { points: weights.notIndexed, reason: 'no index begins with the hash' },
      ],
      verify: `${hash.name} must hold the SHA-256 of a key${found.hasOwn === true ? '' : `, and ${scopes.name} the words registration.read and invoices.read`}`,
    },
  ]
}

function findKeyColumns(table: DescribedTable, { listTenants, tenant }: KeySearch): KeyColumns | undefined {
  if (!isKeyTable(table)) return undefined
  const hash = findColumns(table, hashRule)[0]?.column
  const scopes = findColumns(table, scopesRule)[0]?.column
  if (hash === undefined || scopes === undefined) return undefined
  if (tenant === undefined) return { hash, scopes, workspace: { constant: '1' } }
  const own = listTenants(table).find(
    (one) => one.tenant === tenant && typeof one.candidate.value === 'string',
  )
  return own === undefined ? undefined : { hash, scopes, workspace: own.candidate.value }
}

/** A table of keys or tokens that are not for something else. */
function isKeyTable({ name, isView }: DescribedTable): boolean {
  const words = listTableWords(name)
  if (isView || words.some((word) => otherTokens.test(word))) return false
  return ['key', 'token', 'credential'].includes(words.at(-1) ?? '')
}

function toSection(
  table: DescribedTable,
  { hash, scopes, workspace }: KeyColumns,
  { format }: FoundScopes,
): KeySection {
  const [expires] = findColumns(table, expiresRule)
  const [revoked] = findColumns(table, revokedRule)
  return {
    table: table.name,
    hash: { column: hash.name, algorithm: 'sha256', encoding: toEncoding(hash) ?? 'hex' },
    workspace,
    scopes: { column: scopes.name, format: scopes.kind === 'json' ? 'json' : (format ?? toFormat(scopes)) },
    ...(expires === undefined ? {} : { expiresAt: expires.column.name }),
    ...(revoked === undefined ? {} : { revokedAt: revoked.column.name }),
  }
}

/** The encoding of a SHA-256 that fills the column. */
function toEncoding({ kind, length }: DescribedColumn): string | undefined {
  if (kind === 'binary') return length === 32 ? 'binary' : undefined
  return { 64: 'hex', 44: 'base64', 43: 'base64url' }[length]
}

/** MariaDB's JSON is a LONGTEXT. */
function toFormat({ kind, name, type }: DescribedColumn): string {
  if (kind === 'json' || /text$/i.test(type) || /json|abilities/i.test(name)) return 'json'
  return /csv|comma/i.test(name) ? 'comma' : 'space'
}

/** How a column of a key table lists scopes. */
interface FoundScopes {
  /** Undefined where no row shows it. */
  readonly format: 'space' | 'comma' | 'json' | undefined
  /** Whether the table has keys with a scope of Vitrine; undefined where it has no keys. */
  readonly hasOwn: boolean | undefined
}

/** What the texts of a column of scopes show. */
export function findScopes(texts: readonly string[]): FoundScopes {
  const lists = texts.map((text) => text.trim()).filter((text) => text !== '')
  const own = lists.filter((text) => /\b(?:registration|invoices)\.read\b/.test(text))
  const shown = own.length > 0 ? own : lists
  return { format: findFormat(shown), hasOwn: lists.length === 0 ? undefined : own.length > 0 }
}

function findFormat(lists: readonly string[]): FoundScopes['format'] {
  if (lists.length > 0 && lists.every((text) => text.startsWith('['))) return 'json'
  if (lists.some((text) => text.includes(','))) return 'comma'
  return lists.some((text) => /\s/.test(text)) ? 'space' : undefined
}
