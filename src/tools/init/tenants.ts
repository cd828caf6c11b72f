import { isPrimaryKey } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { countPoints, isSection, pointsMin, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { hasColumn, isUsedColumn, toCandidate } from './columns.js'
import type { Content } from './content.js'
import { isTypedKey, weighEventTable } from './events.js'
import { isFlag } from './flags.js'
import { describeStep } from './graph.js'
import type { Graph, Way } from './graph.js'
import type { Step } from './parents.js'
import { nouns, patterns } from './names.js'
import { listStemWords, toNoun, toSnake } from './words.js'

/** A way from a row to its tenant. */
export interface TenantWay {
  /** What the tenant is, such as `account`; the ways of one mapping should end at the same. */
  readonly tenant: string
  /** The table at the end of the way, and its column with the tenant's id. */
  readonly table: DescribedTable
  readonly column: DescribedColumn
  readonly candidate: Candidate
}

/** Lists the ways from the rows of a table to a tenant, the best one first. */
export type ListTenants = (table: DescribedTable) => readonly TenantWay[]

/** What a column of a tenant and a way to it are worth beside their words. */
const weights = { byParent: -2, root: 5, own: 4, event: 2, second: -2, people: -5 } as const

/** The tenants of a database. */
export function createListTenants(graph: Graph): ListTenants {
  const roots = listRoots(graph)
  return (table) =>
    graph
      .listWays(table)
      .flatMap((way) => listOfWay(way, graph, roots))
      .sort((one, other) => countPoints(other.candidate) - countPoints(one.candidate))
}

/** Tables that most others lead to, that lead to none, and whose rows are neither people nor events. */
function listRoots({ description, listParents }: Graph): readonly DescribedTable[] {
  const tables = [...description.values()]
  const children = tables.filter((table) => !table.isView && listParents(table).length > 0)
  return tables.filter((table) => {
    const leading = children.filter((child) =>
      listParents(child).some(({ parent, column }) => parent === table && !column.nullable),
    )
    const isMost = leading.length >= 3 && leading.length > children.length / 2
    const isPerson = nouns.person.has(toNoun(table.name)) || hasColumn(table, 'lastName')
    return isMost && listParents(table).length === 0 && !isPerson && !isEvent(table)
  })
}

function isEvent(table: DescribedTable): boolean {
  return countPoints({ evidence: weighEventTable(table) }) >= 4
}

function listOfWay(way: Way, { listParents }: Graph, roots: readonly DescribedTable[]): readonly TenantWay[] {
  const { table } = way
  const parents = listParents(table)
  return table.columns
    .filter(({ name, kind }) => !isPrimaryKey(table, name) && ['integer', 'text', 'binary'].includes(kind))
    .flatMap((column): readonly TenantWay[] => {
      const parent = parents.find((one) => one.column === column)
      const isOther =
        isTypedKey(table, column, parent) ||
        (isFlag(column) && !listStemWords(column.name).isKey) ||
        isLedger(column, parent) ||
        patterns.payer.test(toSnake(column.name))
      const found = isOther ? undefined : findTenant(column, parent, roots)
      if (found === undefined) return []
      const written = { reading: { column: column.name }, verify: found.verify }
      const candidate = toCandidate(way, written, [
        found.evidence,
        weighWay(way),
        ...weighPeople(way, parent),
      ])
      return [{ tenant: found.tenant, table, column, candidate }]
    })
}

interface NamedTenant extends Pick<Candidate, 'verify'> {
  readonly tenant: string
  readonly evidence: Evidence
}

/** The tenant that the name of a column, or the table that it leads to, speaks of. */
function findTenant(
  column: DescribedColumn,
  parent: Step | undefined,
  roots: readonly DescribedTable[],
): NamedTenant | undefined {
  const named = findNamed(column, parent)
  if (named !== undefined) return named
  if (parent === undefined) return undefined
  const noun = toNoun(parent.parent.name)
  const byParent = nouns.tenant.get(noun)
  if (byParent !== undefined)
    return { tenant: noun, evidence: [byParent + weights.byParent, describeStep(parent)] }
  if (!roots.includes(parent.parent)) return undefined
  const verify = `is the tenant a row of ${parent.parent.name}?`
  return { tenant: noun, evidence: [weights.root, `most tables lead to ${parent.parent.name}`], verify }
}

/** A text without `_id`, such as the company of a person, holds a name; `parent_company_id` is not the row's own tenant. */
function findNamed({ name, kind }: DescribedColumn, parent: Step | undefined): NamedTenant | undefined {
  const { stem, isKey } = listStemWords(name)
  const [word = '', ...others] = stem
  const points = nouns.tenant.get(word)
  // A bare word in the plural is a number of them.
  const isCount = !isKey && parent === undefined && toSnake(name) !== word
  const isNamed = others.length === 0 && !isCount && (isKey || parent !== undefined || kind !== 'text')
  return isNamed && points !== undefined
    ? { tenant: word, evidence: [points, 'its name is that of a tenant'] }
    : undefined
}

/**
 * Whether a column has a number of an account, or leads to one of a bank or ledger. A company can have an IBAN; an account
 * with one is a bank's.
 */
function isLedger({ name }: DescribedColumn, parent: Step | undefined): boolean {
  const hasBank = parent?.parent.columns.some((one) => patterns.bankColumn.test(one.name)) === true
  const isNumber = toSnake(name).endsWith('_number')
  return patterns.bank.test(name) || (patterns.accountWord.test(name) && (hasBank || isNumber))
}

/** The entity of an address is its person; an account can have the name of one too. */
function weighPeople({ steps }: Way, parent: Step | undefined): readonly Evidence[] {
  const isOfPeople = steps.length > 0 && parent !== undefined && hasColumn(parent.parent, 'lastName')
  return isOfPeople ? [[weights.people, `rows of ${parent.parent.name} have the name of a person`]] : []
}

/** A way over few parent rows reads little: a workspace has fewer events than orders or people. */
function weighWay({ steps: [first, second] }: Way): Evidence {
  if (first === undefined) return [weights.own, 'it is in the row']
  const points = (isEvent(first.parent) ? weights.event : 0) + (second === undefined ? 0 : weights.second)
  return [points, `it is reached by ${first.parent.name}`]
}

/** The ways whose column has a value in some row. */
export async function readTenants(
  content: Content,
  ways: readonly TenantWay[],
): Promise<readonly TenantWay[]> {
  const isUsed = await Promise.all(ways.map((one) => isUsedColumn(content, one)))
  return ways.filter((_, at) => isUsed[at])
}

/** The tenant that most tables reach; undefined where nothing looks like one. */
export function chooseTenant(ways: readonly (readonly TenantWay[])[]): string | undefined {
  const countTables = (tenant: string): number =>
    ways.filter((list) => list.some((one) => one.tenant === tenant)).length
  const near = ways.flat().filter(({ candidate }) => countPoints(candidate) >= pointsMin)
  const tenants = [...new Set(near.map(({ tenant }) => tenant))]
  return tenants.sort((one, other) => countTables(other) - countTables(one))[0]
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

/** Where the row has no time of a change, a workspace of its order lets lists have the order of its times. */
export function addOrder(workspace: Candidate): Candidate {
  const { value, evidence } = workspace
  const isOfOrder =
    isSection(value) &&
    typeof value['on'] === 'string' &&
    typeof value['from'] === 'string' &&
    nouns.order.has(toNoun(value['from']))
  return isOfOrder
    ? {
        ...workspace,
        evidence: [...evidence, [4, 'the row has no time of a change, and its order can have it']],
      }
    : workspace
}
