import { findColumn } from '../description.js'
import type { DescribedColumn, DescribedTable, Description } from '../description.js'
import { rankCandidates } from './candidate.js'
import type { Candidate, Evidence, Section } from './candidate.js'
import { describeType, findColumns } from './columns.js'
import type { Content } from './content.js'
import { nouns } from './names.js'
import type { RuleName } from './names.js'
import type { ListTenants } from './tenants.js'
import { listSectionColumns } from './used-columns.js'
import { toNoun } from './words.js'

/** A key table: one that the product has, or a new one. */
export interface KeyTable {
  /** The section `apiKeys` as the mapping file has it. */
  readonly section: Section & { readonly table: string }
  readonly isNew: boolean
  /** Whether it has the columns of a new one. */
  readonly isOwn: boolean
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
const weights = { own: 20, fits: 12, otherScopes: -6, new: 8 } as const

/**
 * Tables of the product that can hold the keys, and a new one. A table of the product fits when it has a column of the
 * width of a hash, the same tenant as the mapped tables, and scopes.
 */
export async function listKeyTables(search: KeySearch): Promise<readonly Candidate<KeyTable>[]> {
  const tables = [...search.description.values()]
  const lists = await Promise.all(tables.filter(isKeyTable).map((table) => listExisting(table, search)))
  const existing = [...tables.flatMap((table) => listOwn(table, search)), ...lists.flat()]
  const none = 'no table of the product has hashes of keys, scopes and the tenant'
  const fresh: Candidate<KeyTable> = {
    value: {
      section: toOwnSection(findFreeName(search.description), search.tenant),
      isNew: true,
      isOwn: true,
    },
    label: 'a new table of keys',
    evidence: [[weights.new, existing.length === 0 ? none : 'a table for Vitrine alone']],
  }
  return rankCandidates([...existing, fresh])
}

/** The table of a former proposal, whose tenant no key and no name shows. */
function listOwn(table: DescribedTable, { tenant }: KeySearch): readonly Candidate<KeyTable>[] {
  const section = toOwnSection(table.name, tenant)
  const { prefix: _prefix, ...places } = section
  const hasAll = listSectionColumns(places).every(({ column }) => findColumn(table, column) !== undefined)
  const isOwn = table.name.startsWith(newTable) && hasAll
  if (!isOwn) return []
  const evidence: Evidence = [weights.own, 'it has the columns of the table that init proposes']
  const value = { section, isNew: false, isOwn }
  return [{ value, label: table.name, evidence: [evidence] }]
}

function findFreeName(description: Description): string {
  const names = new Set([...description.keys()].map((name) => name.toLowerCase()))
  const free = [newTable, ...Array.from({ length: 100 }, (_, at) => `${newTable}_${at + 2}`)]
  return free.find((name) => !names.has(name)) ?? newTable
}

/** The mapping of the table of keys that `init` proposes. */
function toOwnSection(table: string, tenant: string | undefined): KeyTable['section'] {
  return {
    table,
    hash: { column: 'key_hash', algorithm: 'sha256', encoding: 'hex' },
    workspace: tenant === undefined ? { constant: '1' } : 'workspace_id',
    scopes: { column: 'scopes', format: 'space' },
    prefix: 'evk_',
    expiresAt: 'expires_at',
    revokedAt: 'revoked_at',
  }
}

/** The rules for the columns of a table of keys. */
const keyRules = {
  hash: 'keyHash',
  scopes: 'keyScopes',
  expiresAt: 'keyExpires',
  revokedAt: 'keyRevoked',
} as const satisfies Record<string, RuleName>

function isKeyTable({ name, isView }: DescribedTable): boolean {
  return !isView && nouns.apiKey.has(toNoun(name))
}

function findKeyColumn(table: DescribedTable, name: keyof typeof keyRules): DescribedColumn | undefined {
  return findColumns(table, keyRules[name])[0]?.column
}

async function listExisting(
  table: DescribedTable,
  { content, listTenants, tenant }: KeySearch,
): Promise<readonly Candidate<KeyTable>[]> {
  const [hash, scopes] = [findKeyColumn(table, 'hash'), findKeyColumn(table, 'scopes')]
  const workspace = tenant === undefined ? { constant: '1' } : findOwnTenant(listTenants(table), tenant)
  if (hash === undefined || scopes === undefined || workspace === undefined) return []
  // A key without scopes shows no format.
  const texts = (await content.readTexts(table, scopes)).filter((text) => text.trim() !== '')
  const own = texts.filter((text) => /\b(?:registration|invoices)\.read\b/.test(text))
  const section = {
    table: table.name,
    hash: { column: hash.name, algorithm: 'sha256', encoding: findEncoding(hash) ?? 'hex' },
    workspace,
    scopes: { column: scopes.name, format: findFormat(scopes, own.length > 0 ? own : texts) },
    ...Object.fromEntries(
      (['expiresAt', 'revokedAt'] as const).flatMap((name) => {
        const column = findKeyColumn(table, name)
        return column === undefined ? [] : [[name, column.name]]
      }),
    ),
  }
  const words = own.length > 0 ? '' : `, and ${scopes.name} the words registration.read and invoices.read`
  const verify = `${hash.name} must hold the SHA-256 of a key${words}`
  const evidence: readonly Evidence[] = [
    [weights.fits, `${hash.name} ${describeType(hash)} has the width of a hash`],
    weighScopes(scopes, texts, own),
  ]
  return [{ value: { section, isNew: false, isOwn: false }, label: table.name, evidence, verify }]
}

function findOwnTenant(ways: ReturnType<ListTenants>, tenant: string): string | undefined {
  const value = ways.find((one) => one.tenant === tenant)?.candidate.value
  return typeof value === 'string' ? value : undefined
}

/** Keys that are there without a scope of Vitrine are for something else. */
function weighScopes({ name }: DescribedColumn, texts: readonly string[], own: readonly string[]): Evidence {
  if (texts.length === 0) return [0, `${name} has no values`]
  return own.length > 0
    ? [0, `${name} has scopes of Vitrine`]
    : [weights.otherScopes, `${name} has other scopes`]
}

/** The encoding of a SHA-256 that fills the column. */
function findEncoding({ kind, length }: DescribedColumn): string | undefined {
  if (kind === 'binary') return length === 32 ? 'binary' : undefined
  return { 64: 'hex', 44: 'base64', 43: 'base64url' }[length]
}

/** How a column lists scopes. MariaDB's JSON is a LONGTEXT. @param texts of its rows; one scope alone shows no format. */
function findFormat({ name, kind, type }: DescribedColumn, texts: readonly string[]): string {
  const isJson =
    texts.length === 0
      ? /text$/i.test(type) || /json|abilities/i.test(name)
      : texts.every((text) => text.trimStart().startsWith('['))
  if (kind === 'json' || isJson) return 'json'
  return texts.some((text) => text.includes(',')) || /csv|comma/i.test(name) ? 'comma' : 'space'
}
