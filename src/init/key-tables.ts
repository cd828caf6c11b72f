import type { Candidate, MappingValue } from './candidate.js'
import { sortByScore } from './candidate.js'
import { describeColumn, findByRule } from './column-rule.js'
import type { ColumnRule } from './column-rule.js'
import { isSameName } from './description.js'
import type { DescribedColumn, DescribedTable, Description } from './description.js'
import type { FoundScopes, ReadScopes } from './scopes.js'
import type { FindTenants, TenantRoute } from './tenants.js'
import { listTimes } from './times.js'
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
  readonly findTenants: FindTenants
  readonly readScopes: ReadScopes
  /** Undefined for a product with one tenant. */
  readonly tenant: string | undefined
}

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
    score: 8,
    reasons: [
      existing.length === 0
        ? 'no table of the product has hashes of keys, scopes and the tenant'
        : 'a table for Vitrine alone',
    ],
  }
  return sortByScore([...existing, fresh])
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
  names: [
    [
      /^(?:key_hash|hashed_key|token_hash|hashed_token|secret_hash|api_key_hash|hash|digest|key_digest|token_digest)$/,
      10,
    ],
    [/(?:^|_)(?:hash|digest)$/, 7],
    [/^(?:token|key|secret|api_key)$/, 4],
  ],
  kinds: ['text', 'binary'],
  accepts: (column) => toEncoding(column) !== undefined,
}
const scopesRule: ColumnRule = {
  names: [
    [/^(?:scopes?|permissions?|abilities|perms|privileges|grants)$/, 10],
    [/^(?:scopes|perms|permissions|abilities)_(?:json|csv|list)$/, 7],
  ],
  kinds: ['text', 'json'],
}
const expiresRule: ColumnRule = {
  names: [
    [
      /^(?:expires_at|expires|expire_at|expiry|expires_on|valid_until|valid_to|expiration|expiry_date|expired_at)$/,
      10,
    ],
  ],
  kinds: ['datetime', 'timestamp'],
}
const revokedRule: ColumnRule = {
  names: [
    [/^(?:revoked_at|revoked|revoked_on|deleted_at|disabled_at|killed_at|deactivated_at|blocked_at)$/, 10],
  ],
  kinds: ['datetime', 'timestamp'],
  accepts: ({ nullable }) => nullable,
}
const otherTokens =
  /^(?:password|reset|session|verification|remember|refresh|device|push|invite|invitation|oauth|email)$/

interface KeyColumns {
  readonly hash: DescribedColumn
  readonly scopes: DescribedColumn
  readonly workspace: TenantRoute | undefined
}

async function listExisting(
  table: DescribedTable,
  { findTenants, readScopes, tenant }: KeySearch,
): Promise<readonly Candidate<KeyTable>[]> {
  const columns = findKeyColumns(table, findTenants, tenant)
  if (columns === undefined) return []
  const { hash, scopes } = columns
  const found = await readScopes(table, scopes)
  const isIndexed = table.indexes.some((index) => isSameName(index.columns[0], hash.name))
  const isApi = listTableWords(table.name).includes('api')
  // Keys that are there without a scope of Vitrine are for something else.
  const points = found.hasOwn === undefined ? 0 : found.hasOwn ? 3 : -4
  return [
    {
      value: { section: toSection(table, columns, found), isNew: false },
      label: table.name,
      score: 10 + points + (isApi ? 1 : 0) + (isIndexed ? 1 : -3),
      reasons: [
        `${hash.name} ${describeColumn(hash)} has the width of a hash`,
        `${scopes.name} has scopes${found.hasOwn === true ? ', among them those of Vitrine' : ''}`,
      ],
      verify: `${hash.name} must hold the SHA-256 of a key${found.hasOwn === true ? '' : `, and ${scopes.name} the words registration.read and invoices.read`}`,
    },
  ]
}

function findKeyColumns(
  table: DescribedTable,
  findTenants: FindTenants,
  tenant: string | undefined,
): KeyColumns | undefined {
  if (!isKeyTable(table)) return undefined
  const hash = findByRule(table, hashRule)[0]?.column
  const scopes = findByRule(table, scopesRule)[0]?.column
  if (hash === undefined || scopes === undefined) return undefined
  if (tenant === undefined) return { hash, scopes, workspace: undefined }
  const workspace = findTenants(table).find(
    (route) => route.tenant === tenant && typeof route.value === 'string',
  )
  return workspace === undefined ? undefined : { hash, scopes, workspace }
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
  const [expires] = listTimes(table, expiresRule)
  const [revoked] = listTimes(table, revokedRule)
  return {
    table: table.name,
    hash: { column: hash.name, algorithm: 'sha256', encoding: toEncoding(hash) ?? 'hex' },
    workspace: workspace?.value ?? { constant: '1' },
    scopes: { column: scopes.name, format: scopes.kind === 'json' ? 'json' : (format ?? toFormat(scopes)) },
    ...(expires === undefined ? {} : { expiresAt: expires.value }),
    ...(revoked === undefined ? {} : { revokedAt: revoked.value }),
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
