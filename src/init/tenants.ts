import { canFollow, describeReference, toLookup } from './column-rule.js'
import type { Candidate, MappingValue } from './candidate.js'
import { isSameName } from './description.js'
import type { DescribedColumn, DescribedTable, Description } from './description.js'
import type { FindReferences, Reference } from './references.js'
import { eventWords, personWords, tenantWords } from './vocabulary.js'
import { listTableWords, splitWords, toSingular } from './words.js'

/** A way from a row to its tenant. */
export interface TenantRoute extends Candidate {
  /** What the tenant is, such as `account`; routes of one mapping should end at the same. */
  readonly tenant: string
  /** The column with the tenant's id at the end of the route. */
  readonly column: DescribedColumn
}

/** Finds the ways from the rows of a table to a tenant, the best one first. */
export type FindTenants = (table: DescribedTable) => readonly TenantRoute[]

/** A column of a table that can hold a tenant's id. */
interface TenantColumn {
  readonly tenant: string
  readonly column: DescribedColumn
  readonly score: number
  readonly reasons: readonly string[]
}

/** Below this score, a column is not taken for a tenant's. */
const scoreMin = 7

/**
 * A search for tenants in a database. A tenant's id stands in most tables of a product, so each word counts more with
 * every table that has a column of it.
 */
export function createFindTenants(description: Description, findReferences: FindReferences): FindTenants {
  const tables = [...description.values()].filter(({ isView }) => !isView)
  const named = new Map(tables.map((table) => [table, listTenantColumns(table, findReferences)]))
  const listNamed = (table: DescribedTable): readonly TenantColumn[] =>
    named.get(table) ?? listTenantColumns(table, findReferences)
  const counts = new Map<string, number>()
  for (const table of tables) {
    for (const tenant of new Set(listNamed(table).map((one) => one.tenant)))
      counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
  }
  const withIds = Math.max(3, tables.filter((table) => findReferences(table).length > 0).length)
  const find = (table: DescribedTable): readonly TenantColumn[] =>
    listNamed(table)
      .map((one) => weighByCount(one, counts.get(one.tenant) ?? 0, withIds))
      .filter(({ score }) => score >= scoreMin)
  return (table) => {
    const routes = [
      ...find(table).map((found) => toDirect(table, found)),
      ...listRoutes(table, { find, findReferences }),
    ]
    return routes.sort((one, other) => other.score - one.score)
  }
}

function weighByCount(found: TenantColumn, count: number, withIds: number): TenantColumn {
  return {
    ...found,
    score: found.score + 5 * Math.min(1, count / withIds),
    reasons: [...found.reasons, `${count} ${count === 1 ? 'table has' : 'tables have'} such a column`],
  }
}

function listTenantColumns(table: DescribedTable, findReferences: FindReferences): readonly TenantColumn[] {
  const references = findReferences(table)
  const isKey = (name: string): boolean => table.primary.length === 1 && isSameName(table.primary[0], name)
  return table.columns.flatMap((column): TenantColumn[] => {
    if (isKey(column.name) || !['integer', 'text', 'binary'].includes(column.kind)) return []
    const reference = references.find((one) => one.column === column)
    const found = toTenant(column, reference)
    if (found === undefined || isLedger(reference?.target)) return []
    const isIndexed = table.indexes.some(({ columns }) => isSameName(columns[0], column.name))
    return [
      {
        tenant: found.tenant,
        column,
        score: found.points + (column.nullable ? -1 : 1) + (isIndexed ? 1 : 0),
        reasons: [found.reason, ...(isIndexed ? ['an index begins with it'] : [])],
      },
    ]
  })
}

/** The tenant that the name of a column, or the table that it refers to, speaks of. */
function toTenant(
  column: DescribedColumn,
  reference: Reference | undefined,
): { tenant: string; points: number; reason: string } | undefined {
  const words = splitWords(column.name).map(toSingular)
  const stem = words.filter((word) => !/^(?:id|uuid|fk|ref|key|no|guid|current)$/.test(word))
  const [word = '', ...others] = stem
  const points = others.length === 0 ? tenantWords[word] : undefined
  if (points !== undefined && canHoldTenant(column, stem.length < words.length, reference))
    return { tenant: toTenantName(word), points, reason: 'its name is that of a tenant' }
  const noun = reference === undefined ? undefined : listTableWords(reference.target.name).at(-1)
  const targetPoints = noun === undefined ? undefined : tenantWords[noun]
  if (reference === undefined || noun === undefined || targetPoints === undefined) return undefined
  return { tenant: toTenantName(noun), points: targetPoints - 2, reason: describeReference(reference) }
}

/** A text without `_id`, such as the company of a person, holds a name rather than an id. */
function canHoldTenant(
  column: DescribedColumn,
  hasIdWord: boolean,
  reference: Reference | undefined,
): boolean {
  return hasIdWord || reference !== undefined || column.kind !== 'text'
}

const sameTenants: Readonly<Record<string, string>> = {
  organisation: 'organization',
  org: 'organization',
  organiser: 'organizer',
}

function toTenantName(word: string): string {
  return sameTenants[word] ?? word
}

/** A table of bank or ledger accounts is no tenant. */
function isLedger(target: DescribedTable | undefined): boolean {
  return (
    target?.columns.some(({ name }) =>
      /(?:^|_)(?:opening_balance|iban|bank_name|balance|ledger)/i.test(name),
    ) === true
  )
}

function toDirect(table: DescribedTable, { tenant, column, score, reasons }: TenantColumn): TenantRoute {
  return {
    tenant,
    column,
    value: column.name,
    label: `${table.name}.${column.name}`,
    score: score + 4,
    reasons,
  }
}

interface RouteInput {
  readonly find: (table: DescribedTable) => readonly TenantColumn[]
  readonly findReferences: FindReferences
}

/** Over one other table, or over two. */
function listRoutes(table: DescribedTable, { find, findReferences }: RouteInput): readonly TenantRoute[] {
  return findReferences(table)
    .filter(canFollow)
    .flatMap((first) => [
      ...find(first.target).map((found) => toRoute(first, first.column.name, found)),
      ...findReferences(first.target)
        .filter((second) => canFollow(second) && second.target !== table)
        .flatMap((second) => {
          const on = toLookup(first, first.column.name, { column: second.column.name })
          return find(second.target).map((found) => {
            const route = toRoute(second, on, found)
            return {
              ...route,
              label: `${route.label} by ${first.column.name}`,
              score: route.score + weigh(first) - 2,
            }
          })
        }),
    ])
}

function toRoute(
  reference: Reference,
  on: MappingValue,
  { tenant, column, score, reasons }: TenantColumn,
): TenantRoute {
  return {
    tenant,
    column,
    value: toLookup(reference, on, { column: column.name }),
    label: `${reference.target.name}.${column.name} by ${reference.column.name}`,
    score: score + weigh(reference),
    reasons: [describeReference(reference), ...reasons],
  }
}

/** A route over few parent rows reads little: a workspace has fewer events than orders or people. */
function weigh({ target, column, isDeclared }: Reference): number {
  const noun = listTableWords(target.name).at(-1) ?? ''
  const event = eventWords[noun] !== undefined ? 2 : 0
  const person = personWords[noun] !== undefined ? -1 : 0
  return event + person + (column.nullable ? -1 : 0) + (isDeclared ? 0.5 : 0)
}

/** The tenant that all tables reach best together; undefined where nothing looks like one. */
export function chooseTenant(routes: readonly (readonly TenantRoute[])[]): string | undefined {
  const tenants = [...new Set(routes.flat().map(({ tenant }) => tenant))]
  const scored = tenants.map((tenant) => ({
    tenant,
    score: routes.reduce((sum, list) => sum + (list.find((one) => one.tenant === tenant)?.score ?? -8), 0),
  }))
  return [...scored].sort((one, other) => other.score - one.score)[0]?.tenant
}
