import { isSameName } from '../database/description.js'
import type { DescribedColumn, DescribedTable, Description } from '../database/description.js'
import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { findColumns, toCandidate } from './column-rule.js'
import { weighEventTable } from './events.js'
import type { ListParents, ParentKey } from './parents.js'
import { rules } from './rules.js'
import { personWords, tenantWords } from './vocabulary.js'
import { describeStep, listWays } from './ways.js'
import type { Way } from './ways.js'
import { isKeyWord, listTableWords, splitWords, toNoun, toSingular } from './words.js'

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
interface TenantColumn extends Pick<Candidate, 'evidence' | 'verify'> {
  readonly tenant: string
  readonly column: DescribedColumn
}

/** Below this, a column is not taken for a tenant's. */
const pointsMin = 6.5
/** What a column of a tenant and a way to it are worth beside their words. */
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
  root: 5,
} as const

/**
 * The tenants of a database. A tenant's id stands in most tables of a product, so each word counts more with every
 * table that has a column of it.
 */
export function createListTenants(description: Description, listParents: ListParents): ListTenants {
  const tables = [...description.values()].filter(({ isView }) => !isView)
  const isRoot = findRoots(tables, listParents)
  const named = new Map(tables.map((table) => [table, listTenantColumns(table, listParents, isRoot)]))
  const counts = new Map<string, number>()
  for (const columns of named.values())
    for (const tenant of new Set(columns.map((one) => one.tenant)))
      counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
  const withKeys = Math.max(3, tables.filter((table) => listParents(table).length > 0).length)
  const weighCount = (tenant: string): Evidence => {
    const count = counts.get(tenant) ?? 0
    const reason = `${count} ${count === 1 ? 'table has' : 'tables have'} such a column`
    return [weights.everywhere * Math.min(1, count / withKeys), reason]
  }
  return (table) => {
    const ways = listWays(table, listParents).flatMap((way) =>
      (named.get(way.table) ?? listTenantColumns(way.table, listParents, isRoot))
        .map((one) => ({ ...one, evidence: [...one.evidence, weighCount(one.tenant)] }))
        .filter((one) => countPoints(one) >= pointsMin)
        .map(({ tenant, column, evidence, verify }): TenantWay => {
          const written = { reading: { column: column.name }, verify }
          return { tenant, column, candidate: toCandidate(way, written, [...evidence, weighWay(way)]) }
        }),
    )
    return ways.sort((one, other) => countPoints(other.candidate) - countPoints(one.candidate))
  }
}

/** Whether most tables lead to a table that leads to none, and whose rows are neither people nor events. */
type IsRoot = (table: DescribedTable) => boolean

function findRoots(tables: readonly DescribedTable[], listParents: ListParents): IsRoot {
  const children = tables.filter((table) => listParents(table).length > 0)
  const roots = tables.filter((table) => {
    const leading = children.filter((child) =>
      listParents(child).some(({ parent, column }) => parent === table && !column.nullable),
    )
    const isMost = leading.length >= 3 && leading.length > children.length / 2
    return isMost && listParents(table).length === 0 && isOfOthers(table)
  })
  return (table) => roots.includes(table)
}

function isOfOthers(table: DescribedTable): boolean {
  const isPerson =
    personWords[toNoun(table.name)] !== undefined || findColumns(table, rules.lastName).length > 0
  return !isPerson && countPoints({ evidence: weighEventTable(table) }) < 4
}

function listTenantColumns(
  table: DescribedTable,
  listParents: ListParents,
  isRoot: IsRoot,
): readonly TenantColumn[] {
  const parents = listParents(table)
  const isKey = (name: string): boolean => table.primary.length === 1 && isSameName(table.primary[0], name)
  return table.columns
    .filter(({ name, kind }) => !isKey(name) && ['integer', 'text', 'binary'].includes(kind))
    .flatMap((column): TenantColumn[] => {
      const parent = parents.find((one) => one.column === column)
      const found = findTenant(column, parent) ?? findRoot(parent, isRoot)
      if (found === undefined) return []
      // A company can have an IBAN; an account with one is that of a bank.
      const isAccount = /account|konto|compte|cuenta|conto/.test(found.tenant)
      const ledger = (isAccount && isLedger(parent?.parent)) || /bank|ledger/i.test(column.name)
      const verify = `does ${column.name} hold a tenant, and no account of a bank or ledger?`
      const evidence = [found.evidence, ...weighColumn(table, column, ledger)]
      return [{ tenant: found.tenant, column, evidence, verify: ledger ? verify : found.verify }]
    })
}

function weighColumn(
  { indexes }: DescribedTable,
  { name, nullable }: DescribedColumn,
  ledger: boolean,
): readonly Evidence[] {
  const isIndexed = indexes.some(({ columns }) => isSameName(columns[0], name))
  return [
    nullable ? [weights.nullable, 'it may be NULL'] : [weights.notNull, 'NOT NULL'],
    ...(isIndexed ? [[weights.indexed, 'an index begins with it'] as const] : []),
    ...(ledger ? [[weights.ledger, 'it leads to bank or ledger accounts'] as const] : []),
  ]
}

interface NamedTenant extends Pick<Candidate, 'verify'> {
  readonly tenant: string
  readonly evidence: Evidence
}

/** The tenant that the name of a column, or the table that it leads to, speaks of. */
function findTenant(column: DescribedColumn, parent: ParentKey | undefined): NamedTenant | undefined {
  const words = splitWords(column.name).map(toSingular)
  const stem = words.filter((word) => !isKeyWord(word))
  const word = stem.at(-1) ?? ''
  const points = stem.length <= 2 ? tenantWords[word] : undefined
  // A text without `_id`, such as the company of a person, holds a name rather than an id.
  const holdsId = stem.length < words.length || parent !== undefined || column.kind !== 'text'
  // `parent_company_id` and `event_site_id` speak of others than the tenant of the row.
  return points !== undefined && stem.length === 1 && holdsId
    ? { tenant: toTenantName(word), evidence: [points, 'its name is that of a tenant'] }
    : findParentTenant(parent, points)
}

function findParentTenant(
  parent: ParentKey | undefined,
  points: number | undefined,
): NamedTenant | undefined {
  if (parent === undefined) return undefined
  const words = listTableWords(parent.parent.name)
  const noun = words.at(-1) ?? ''
  const byParent = tenantWords[noun] ?? (words.length > 1 ? undefined : points)
  if (byParent === undefined) return undefined
  return { tenant: toTenantName(noun), evidence: [byParent + weights.byParent, describeStep(parent)] }
}

/** Without a word for a tenant, it is to be verified. */
function findRoot(parent: ParentKey | undefined, isRoot: IsRoot): NamedTenant | undefined {
  if (parent === undefined || !isRoot(parent.parent)) return undefined
  const { name } = parent.parent
  const verify = `is the tenant a row of ${name}?`
  return { tenant: toNoun(name), evidence: [weights.root, `most tables lead to ${name}`], verify }
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
  const names = /(?:^|_)(?:opening_balance|iban|bic|swift|bank_name|bank|balance|ledger|account_type|solde)/i
  return table?.columns.some(({ name }) => names.test(name)) === true
}

/** A way over few parent rows reads little: a workspace has fewer events than orders or people. */
function weighWay({ steps: [first, second] }: Way): Evidence {
  if (first === undefined) return [weights.own, 'it is in the row']
  const isEvent = countPoints({ evidence: weighEventTable(first.parent) }) >= 4
  const isPerson = personWords[toNoun(first.parent.name)] !== undefined
  const points =
    (isEvent ? weights.event : 0) +
    (isPerson ? weights.person : 0) +
    (first.column.nullable ? weights.nullable : 0) +
    (first.isDeclared ? weights.declared : 0) +
    (second === undefined ? 0 : weights.second)
  return [points, `it is reached by ${first.parent.name}`]
}

/** The tenant that all tables reach best together; undefined where nothing looks like one. */
export function chooseTenant(ways: readonly (readonly TenantWay[])[]): string | undefined {
  const tenants = [...new Set(ways.flat().map(({ tenant }) => tenant))]
  const toPoints = (tenant: string): number =>
    ways.reduce((sum, list) => {
      const best = list.find((one) => one.tenant === tenant)
      return sum + (best === undefined ? -8 : countPoints(best.candidate))
    }, 0)
  return tenants.sort((one, other) => toPoints(other) - toPoints(one))[0]
}

/** The candidates for the workspace: the ways to the tenant of all collections first, and one workspace for all rows. */
export function listWorkspaces(ways: readonly TenantWay[], tenant: string | undefined): readonly Candidate[] {
  const same = ways.filter((way) => way.tenant === tenant)
  const others = ways.filter((way) => way.tenant !== tenant)
  const constant: Candidate = {
    value: { constant: '1' },
    label: '{ constant: "1" }, one workspace for all rows',
    evidence: [[tenant === undefined ? 4 : 0, 'nothing looks like a tenant']],
    verify: 'is this the database of one tenant? Every key would read every row',
  }
  const found = [...same, ...others].map(({ candidate }) => candidate).slice(0, 8)
  if (tenant === undefined) return rankCandidates([constant, ...found])
  if (same.length > 0) return [...found, constant]
  // Another tenant than that of the other collection is never taken without a person.
  return [...found, constant].map((one) => ({
    ...one,
    evidence: one.evidence.map(([points, reason]): Evidence => [points / 10, reason]),
  }))
}
