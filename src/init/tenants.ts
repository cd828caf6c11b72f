import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { toCandidate } from './column-rule.js'
import { isSameName } from './description.js'
import type { DescribedColumn, DescribedTable, Description } from './description.js'
import { weighEventTable } from './events.js'
import type { ListParents, ParentKey } from './parents.js'
import { personWords, tenantWords } from './vocabulary.js'
import { describeSteps, listWays, toOwnWay } from './ways.js'
import type { Way } from './ways.js'
import { listTableWords, splitWords, toNoun, toSingular } from './words.js'

/** A way from a row to its tenant. */
export interface TenantWay {
  /** What the tenant is, such as `account`; the ways of one mapping should end at the same. */
  readonly tenant: string
  /** The column with the tenant's id at the end of the way. */
  readonly column: DescribedColumn
  readonly candidate: Candidate
}

/** Lists the ways from the rows of a table to a tenant, the best one first. */
export type ListTenants = (table: DescribedTable) => readonly TenantWay[]

/** A column of a table that can hold a tenant's id. */
interface TenantColumn {
  readonly tenant: string
  readonly column: DescribedColumn
  readonly evidence: readonly Evidence[]
  readonly verify?: string | undefined
}

/** Below this, a column is not taken for a tenant's. */
const pointsMin = 6.5
/** What a way to a tenant is worth beside its words. */
const weights = {
  everywhere: 5,
  indexed: 1,
  nullable: -1,
  notNull: 1,
  byParent: -2,
  own: 4,
  second: -2,
  event: 2,
  person: -1,
  declared: 0.5,
  ledger: -6,
} as const

/**
 * The tenants of a database. A tenant's id stands in most tables of a product, so each word counts more with every
 * table that has a column of it.
 */
export function createListTenants(description: Description, listParents: ListParents): ListTenants {
  const tables = [...description.values()].filter(({ isView }) => !isView)
  const named = new Map(tables.map((table) => [table, listTenantColumns(table, listParents)]))
  const counts = new Map<string, number>()
  for (const columns of named.values())
    for (const tenant of new Set(columns.map((one) => one.tenant)))
      counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
  const withKeys = Math.max(3, tables.filter((table) => listParents(table).length > 0).length)
  const find = (table: DescribedTable): readonly TenantColumn[] =>
    (named.get(table) ?? listTenantColumns(table, listParents))
      .map((one) => addCount(one, counts.get(one.tenant) ?? 0, withKeys))
      .filter((one) => countPoints(one) >= pointsMin)
  return (table) => {
    const ways = [toOwnWay(table), ...listWays(table, listParents)].flatMap((way) =>
      find(way.table).map((found) => toTenantWay(way, found)),
    )
    return ways.sort((one, other) => countPoints(other.candidate) - countPoints(one.candidate))
  }
}

function addCount(found: TenantColumn, count: number, withKeys: number): TenantColumn {
  const reason = `${count} ${count === 1 ? 'table has' : 'tables have'} such a column`
  const points = weights.everywhere * Math.min(1, count / withKeys)
  return { ...found, evidence: [...found.evidence, { points, reason }] }
}

function listTenantColumns(table: DescribedTable, listParents: ListParents): readonly TenantColumn[] {
  const parents = listParents(table)
  const isKey = (name: string): boolean => table.primary.length === 1 && isSameName(table.primary[0], name)
  return table.columns
    .filter(({ name, kind }) => !isKey(name) && ['integer', 'text', 'binary'].includes(kind))
    .flatMap((column): TenantColumn[] => {
      const parent = parents.find((one) => one.column === column)
      const found = toTenant(column, parent)
      if (found === undefined) return []
      // A company can have an IBAN; an account with one is that of a bank.
      const isAccount = /account|konto|compte|cuenta|conto/.test(found.tenant)
      const ledger = (isAccount && isLedger(parent?.parent)) || /bank|ledger/i.test(column.name)
      const evidence = [{ points: found.points, reason: found.reason }, ...weighColumn(table, column, ledger)]
      const verify = ledger
        ? `does ${column.name} hold a tenant, and no account of a bank or ledger?`
        : undefined
      return [{ tenant: found.tenant, column, evidence, verify }]
    })
}

function weighColumn(
  { indexes }: DescribedTable,
  { name, nullable }: DescribedColumn,
  ledger: boolean,
): readonly Evidence[] {
  const isIndexed = indexes.some(({ columns }) => isSameName(columns[0], name))
  return [
    nullable
      ? { points: weights.nullable, reason: 'it may be NULL' }
      : { points: weights.notNull, reason: 'NOT NULL' },
    ...(isIndexed ? [{ points: weights.indexed, reason: 'an index begins with it' }] : []),
    ...(ledger ? [{ points: weights.ledger, reason: 'it leads to bank or ledger accounts' }] : []),
  ]
}

/** The tenant that the name of a column, or the table that it leads to, speaks of. */
function toTenant(
  column: DescribedColumn,
  parent: ParentKey | undefined,
): { tenant: string; points: number; reason: string } | undefined {
  const words = splitWords(column.name).map(toSingular)
  const stem = words.filter((word) => !/^(?:id|uuid|fk|ref|key|no|nr|guid|current|code)$/.test(word))
  const word = stem.at(-1) ?? ''
  const points = stem.length <= 2 ? tenantWords[word] : undefined
  // `parent_company_id` and `event_site_id` speak of others than the tenant of the row.
  const own = stem.length === 1 ? points : undefined
  if (own !== undefined && canHoldTenant(column, stem.length < words.length, parent))
    return { tenant: toTenantName(word), points: own, reason: 'its name is that of a tenant' }
  if (parent === undefined) return undefined
  const noun = toNoun(parent.parent.name)
  const byParent = tenantWords[noun] ?? (listTableWords(parent.parent.name).length > 1 ? undefined : points)
  if (byParent === undefined) return undefined
  const reason = describeSteps({ steps: [parent], table: parent.parent }).join('')
  return { tenant: toTenantName(noun), points: byParent + weights.byParent, reason }
}

/** A text without `_id`, such as the company of a person, holds a name rather than an id. */
function canHoldTenant(column: DescribedColumn, hasIdWord: boolean, parent: ParentKey | undefined): boolean {
  return hasIdWord || parent !== undefined || column.kind !== 'text'
}

const sameTenants: Readonly<Record<string, string>> = {
  organisation: 'organization',
  org: 'organization',
  organiser: 'organizer',
}

function toTenantName(word: string): string {
  return sameTenants[word] ?? word
}

/** Whether a table holds bank or ledger accounts. */
function isLedger(table: DescribedTable | undefined): boolean {
  return (
    table?.columns.some(({ name }) =>
      /(?:^|_)(?:opening_balance|iban|bic|swift|bank_name|bank|balance|ledger|account_type|solde)/i.test(
        name,
      ),
    ) === true
  )
}

function toTenantWay(way: Way, { tenant, column, evidence, verify }: TenantColumn): TenantWay {
  const written = { reading: { column: column.name }, evidence: [], verify }
  return { tenant, column, candidate: toCandidate(way, written, [...evidence, ...weighWay(way)]) }
}

/** A way over few parent rows reads little: a workspace has fewer events than orders or people. */
function weighWay({ steps }: Way): readonly Evidence[] {
  const [first, second] = steps
  if (first === undefined) return [{ points: weights.own, reason: 'it is in the row' }]
  const isEvent = countPoints({ evidence: weighEventTable(first.parent) }) >= 4
  const isPerson = personWords[toNoun(first.parent.name)] !== undefined
  const points =
    (isEvent ? weights.event : 0) +
    (isPerson ? weights.person : 0) +
    (first.column.nullable ? weights.nullable : 0) +
    (first.isDeclared ? weights.declared : 0) +
    (second === undefined ? 0 : weights.second)
  return [{ points, reason: `it is reached by ${first.parent.name}` }]
}

/** The tenant that all tables reach best together; undefined where nothing looks like one. */
export function chooseTenant(ways: readonly (readonly TenantWay[])[]): string | undefined {
  const tenants = [...new Set(ways.flat().map(({ tenant }) => tenant))]
  const weighed = tenants.map((tenant) => ({
    tenant,
    points: ways.reduce((sum, list) => {
      const best = list.find((one) => one.tenant === tenant)
      return sum + (best === undefined ? -8 : countPoints(best.candidate))
    }, 0),
  }))
  return weighed.sort((one, other) => other.points - one.points)[0]?.tenant
}

/** The candidates for the workspace: the ways to the tenant of all collections first, and one workspace for all rows. */
export function listWorkspaces(ways: readonly TenantWay[], tenant: string | undefined): readonly Candidate[] {
  const same = ways.filter((way) => way.tenant === tenant)
  const others = ways.filter((way) => way.tenant !== tenant)
  const constant: Candidate = {
    value: { constant: '1' },
    label: '{ constant: "1" }, one workspace for all rows',
    evidence: [{ points: tenant === undefined ? 4 : 0, reason: 'nothing looks like a tenant' }],
    verify: 'is this the database of one tenant? Every key would read every row',
  }
  const found = [...same, ...others].map(({ candidate }) => candidate).slice(0, 8)
  // Another tenant than that of the other collection is never taken without a person.
  if (same.length === 0 && tenant !== undefined)
    return [...found, constant].map((one) => ({
      ...one,
      evidence: one.evidence.map((each) => ({ ...each, points: each.points / 10 })),
    }))
  return tenant === undefined ? rankCandidates([constant, ...found]) : [...found, constant]
}
