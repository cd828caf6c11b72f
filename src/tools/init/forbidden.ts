import { isPrimaryKey, isSameName } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { isNeverRead } from '../../mapping/mapped-columns.js'
import { isFlag } from './flags.js'
import { listChildren } from './graph.js'
import type { Graph } from './graph.js'
import { forbiddenKinds, secretTables } from './names.js'
import type { ForbiddenKind } from './names.js'
import type { UsedColumn } from './used-columns.js'
import { listTableWords, toSnake } from './words.js'

/** A pattern of `neverRead`, with the reason. */
export interface ForbiddenPattern {
  readonly pattern: string
  readonly reason: string
}

/**
 * Patterns for `neverRead`: every column of every table that looks like a secret, a payment's reference, a pseudonym, a
 * tax number, a phone, an address or e-invoicing, whole tables of these that no mapped row leads to, tables whose rows
 * belong to a registration, and further personal data of the mapped tables.
 * No pattern matches a column that the mapping reads.
 */
export function listForbidden(
  graph: Graph,
  used: readonly UsedColumn[],
  registrations?: DescribedTable,
): readonly ForbiddenPattern[] {
  const children = registrations === undefined ? [] : listChildren(graph, registrations)
  const isAllowed = ({ pattern }: ForbiddenPattern): boolean =>
    !used.some(({ table, column }) => isNeverRead([pattern], table, column))
  const reached = listReached(graph, used)
  const patterns = [...graph.description.values()].flatMap((table) => {
    const columns = listColumns(table, graph)
    const isChild = children.some(({ child }) => child === table)
    const whole =
      findWholeTable(table) ??
      (reached.has(table) ? undefined : isChild ? toChildPattern(table) : findFarTable(table, columns))
    if (whole !== undefined && isAllowed(whole)) return [whole]
    const isMapped = used.some((one) => isSameName(one.table, table.name))
    const isMeant = (kind: ForbiddenKind): boolean =>
      isMapped || kind.in === 'all' || (kind.in === 'people' && hasPeople(table))
    return columns.flatMap(({ name, kind }) => {
      if (!isMeant(kind)) return []
      const own = toPattern(table.name, name, kind.reason)
      const shared = toPattern('*', name.toLowerCase(), kind.reason)
      return kind.evenKeys && isAllowed(shared) ? [shared] : [own].filter(isAllowed)
    })
  })
  return [...new Map(patterns.map((one) => [one.pattern, one])).values()]
}

/** A column with what it holds. */
interface ForbiddenColumn {
  readonly name: string
  readonly kind: ForbiddenKind
}

/** The tables that mapped rows lead to, which a person can need for a place that is still open. */
function listReached(
  { description, listWays }: Graph,
  used: readonly UsedColumn[],
): ReadonlySet<DescribedTable> {
  const mapped = [...description.values()].filter(({ name }) =>
    used.some((one) => isSameName(one.table, name)),
  )
  return new Set(mapped.flatMap((table) => listWays(table).map((way) => way.table)))
}

/** What else a person wrote, did or was asked. */
function toChildPattern({ name }: DescribedTable): ForbiddenPattern {
  return toPattern(name, '*', 'a table whose rows belong to a registration')
}

/** A table that no mapped row leads to, with a secret or personal data: its other columns can hold more of them. */
function findFarTable(
  table: DescribedTable,
  columns: readonly ForbiddenColumn[],
): ForbiddenPattern | undefined {
  return columns.some(({ kind }) => kind.in !== 'mapped' && (kind.in !== 'people' || hasPeople(table)))
    ? toPattern(table.name, '*', 'a table with secrets or personal data, which no mapped row leads to')
    : undefined
}

function listColumns(table: DescribedTable, { listParents }: Graph): readonly ForbiddenColumn[] {
  const keys = new Set(listParents(table).map(({ column }) => column.name))
  return table.columns.flatMap((column) => {
    const isPrimary = isPrimaryKey(table, column.name)
    const kind = findKind(table, column)
    // A number that identifies rows says nothing; a text can be the key of a session.
    const isKey =
      (isPrimary && (column.kind !== 'text' || toSnake(column.name) === 'id')) || keys.has(column.name)
    return kind === undefined || isKey ? [] : [{ name: column.name, kind }]
  })
}

/** A text of so many characters has the place of a document. */
const longMin = 1000

/** What a column holds that must not be read; undefined for any other. */
export function findKind(table: DescribedTable, column: DescribedColumn): ForbiddenKind | undefined {
  const name = toForbiddenName(table, column)
  const isLong =
    /^(?:(?:medium|long)?(?:text|blob)|json)/i.test(column.type) ||
    (column.kind === 'text' && column.length >= longMin)
  const found = forbiddenKinds.find(
    ({ names, not, isDocument, evenFlags }) =>
      (isLong || !isDocument) &&
      (evenFlags || !isFlag(column)) &&
      names.test(name) &&
      not?.test(name) !== true,
  )
  if (found === undefined || isOnlyKey(name, column, found)) return undefined
  // The title of an event is none of a person.
  return name === 'title' && !hasPeople(table) ? undefined : found
}

function hasPeople({ columns }: DescribedTable): boolean {
  return columns.some(({ name }) => /mail|first_?name|last_?name/i.test(name))
}

/** The name of a column; what a bare reference refers to, the table says, and a state can be that of an address. */
function toForbiddenName(table: DescribedTable, column: DescribedColumn): string {
  if (isStateOfAddress(table, column)) return 'state_province'
  return toSnake(/^ref(?:erence)?$/i.test(column.name) ? `${table.name}_${column.name}` : column.name)
}

/** The number of a row of another table says nothing of a person. */
function isOnlyKey(name: string, { kind }: DescribedColumn, { evenKeys }: ForbiddenKind): boolean {
  const isKey = /_(?:id|uuid|key)$|^(?:id|fk)_/.test(name)
  const isNumber = kind === 'integer' && !/pin|card|account/.test(name)
  return isKey && (!evenKeys || isNumber)
}

/** Whether a state is a part of a country: it has no labels, and stands beside a city; the row has a postal code or a street too. */
export function isStateOfAddress({ columns }: DescribedTable, { name, type }: DescribedColumn): boolean {
  const [, before] = /^(.*_)?state$/.exec(toSnake(name)) ?? [undefined, undefined]
  const others = columns.map((one) => toSnake(one.name))
  return (
    /(?:^|_)state$/.test(toSnake(name)) &&
    !/^(?:enum|set)\b/i.test(type) &&
    isBeside(others, toSnake(name), `${before ?? ''}city`) &&
    others.some((one) => /zip|post|street|addr/.test(one))
  )
}

/** Whether two columns stand together, with nothing but parts of an address between them. */
function isBeside(names: readonly string[], one: string, other: string): boolean {
  const [first = -1, last = -1] = [names.indexOf(one), names.indexOf(other)].sort((a, b) => a - b)
  const between = names.slice(first + 1, last)
  return (
    first !== -1 &&
    between.every((name) => /zip|post|country|street|addr|region|province|county|line/.test(name))
  )
}

/** A table whose name ends or begins with such a word. */
function findWholeTable({ name }: DescribedTable): ForbiddenPattern | undefined {
  const words = listTableWords(name)
  const isSecret = [words.at(-1), words[0], words[1], words.join('_')].some((word) =>
    secretTables.test(word ?? ''),
  )
  return isSecret ? toPattern(name, '*', 'a table of secrets or of e-invoicing') : undefined
}

/** A name with a dot cannot be written; a `*` in its place still matches it. */
function toPattern(table: string, column: string, reason: string): ForbiddenPattern {
  return { pattern: `${table.replaceAll('.', '*')}.${column.replaceAll('.', '*')}`, reason }
}
