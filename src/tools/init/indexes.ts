import { findColumn, isSameName } from '../description.js'
import type { DescribedTable, Description } from '../description.js'
import { estimateIndexBytes, renderCreateIndex } from '../planned-index.js'
import type { MappingValue, Section } from './candidate.js'
import { isSection, toColumnName } from './candidate.js'

/** An index that a proposed mapping needs. */
export interface MissingIndex {
  readonly name: string
  readonly table: string
  readonly ddl: string
  readonly reason: string
  /** From the server's estimate of the rows. */
  readonly estimatedBytes: number
}

/** What the rows of an index are found and sorted by. */
interface IndexNeed {
  readonly name: string
  readonly table: MappingValue | undefined
  /** Compared with one value each, in any order; they stand before the others. */
  readonly equal: readonly (string | undefined)[]
  /** In this order. */
  readonly sorted?: readonly (string | undefined)[]
  readonly reason: string
}

/** The indexes that a proposed mapping needs and the database does not have. */
export function listMissingIndexes(description: Description, mapping: Section): readonly MissingIndex[] {
  const { apiKeys, registrations, invoices } = mapping
  const needs = [registrations, invoices].filter(isSection).flatMap(listSectionNeeds)
  const keys = isSection(apiKeys)
    ? [
        {
          name: 'ix_vitrine_hash',
          table: apiKeys['table'],
          equal: [toColumnName(apiKeys['hash'])],
          reason: 'every request finds its key by it',
        },
      ]
    : []
  const missing: MissingIndex[] = []
  for (const need of [...needs, ...keys]) {
    // Both collections can need an index of the same table, and one table has each name once.
    const found = findMissing(description, need)
    if (found === undefined || missing.some(({ ddl }) => ddl === found.ddl)) continue
    const others = missing.filter(({ table, name }) => table === found.table && name.startsWith(need.name))
    const name = others.length === 0 ? need.name : `${need.name}_${others.length + 1}`
    missing.push(findMissing(description, { ...need, name }) ?? found)
  }
  return missing
}

function listSectionNeeds({ table, where, workspace, eventId, fields }: Section): readonly IndexNeed[] {
  if (!isSection(fields) || workspace === undefined) return []
  // An index serves one value at a time.
  const equal = (Array.isArray(where) ? (where as readonly MappingValue[]) : []).flatMap((test) =>
    isSection(test) && 'equals' in test && !('from' in test) ? [toColumnName(test)] : [],
  )
  const paging = listPagingNeeds({ table, workspace, fields }, equal)
  const parents: IndexNeed = {
    name: 'ix_vitrine_workspace',
    table: isSection(workspace) ? workspace['from'] : undefined,
    equal: [toColumnName(workspace)],
    reason: 'the rows of a workspace are found by it',
  }
  const links: IndexNeed = {
    name: 'ix_vitrine_link',
    table: isSection(eventId) ? eventId['table'] : undefined,
    equal: [isSection(eventId) ? toColumnName(eventId['invoice']) : undefined],
    sorted: [isSection(eventId) ? toColumnName(eventId['event']) : undefined],
    reason: 'the events of an invoice are found by it',
  }
  // The index of a parent table that has the time begins with its workspace.
  return [...paging, ...(isOfParent(fields) ? [] : [parents]), links]
}

/** What gives pages their order: an index of the table itself or, where another table has the time, one of each. */
function listPagingNeeds(
  {
    table,
    workspace,
    fields,
  }: { readonly table: MappingValue | undefined; readonly workspace: MappingValue; readonly fields: Section },
  equal: readonly (string | undefined)[],
): readonly IndexNeed[] {
  const { updatedAt, id } = fields
  const isConstant = isSection(workspace) && 'constant' in workspace
  const reason = 'every page of the list is read in this order'
  return isOfParent(fields) && isSection(updatedAt)
    ? [
        {
          name: 'ix_vitrine_sync',
          table: updatedAt['from'],
          equal: isConstant ? [] : [toColumnName(workspace)],
          sorted: [toColumnName(updatedAt)],
          reason,
        },
        {
          name: 'ix_vitrine_parent',
          table,
          equal: [toOwnColumn(updatedAt)],
          reason: 'the rows of a row that has the time are found by it',
        },
      ]
    : [
        {
          name: 'ix_vitrine_sync',
          table,
          equal: [...(isConstant ? [] : [toOwnColumn(workspace)]), ...equal],
          sorted: [toColumnName(updatedAt), toColumnName(id)],
          reason,
        },
      ]
}

/** Whether a parent table has the time of the last change. */
function isOfParent({ updatedAt }: Section): boolean {
  return isSection(updatedAt) && 'from' in updatedAt
}

/** The column of the table itself that a value is read from or that its lookup begins with. */
function toOwnColumn(value: MappingValue | undefined): string | undefined {
  return isSection(value) && 'on' in value ? toOwnColumn(value['on']) : toColumnName(value)
}

/** The index for a need; none where the table has one, is a view or is not decided. */
function findMissing(
  description: Description,
  { name, table: tableName, equal, sorted = [], reason }: IndexNeed,
): MissingIndex | undefined {
  const table = typeof tableName === 'string' ? description.get(tableName) : undefined
  const names = [...new Set([...equal, ...sorted])]
  if (table === undefined || table.isView || names.includes(undefined)) return undefined
  const columns = names.flatMap((one) => findColumn(table, one ?? '') ?? [])
  if (
    hasIndex(
      table,
      columns.map((column) => column.name),
      new Set(equal).size,
    )
  )
    return undefined
  const planned = { name, table: table.name, columns }
  const primary = table.primary.flatMap((one) => findColumn(table, one) ?? [])
  const stored = { columns: [...new Set([...columns, ...primary])] }
  const estimatedBytes = estimateIndexBytes(stored, table.rows)
  return { name, table: table.name, ddl: renderCreateIndex(planned), reason, estimatedBytes }
}

function hasIndex({ indexes }: DescribedTable, names: readonly string[], equal: number): boolean {
  const fixed = names.slice(0, equal)
  return indexes.some(
    ({ columns }) =>
      fixed.every((name) => columns.slice(0, fixed.length).some((one) => isSameName(one, name))) &&
      names.slice(equal).every((name, at) => isSameName(columns[equal + at], name)),
  )
}
