import type { MappingValue } from './candidate.js'
import type { DescribedTable, Description } from './description.js'
import { findMissingIndex } from './indexes.js'
import type { IndexNeed, MissingIndex } from './indexes.js'
import { isSection, toColumnName } from './section.js'
import type { Section } from './section.js'

/** The indexes that a proposed mapping needs and the database does not have. */
export function listNeeds(description: Description, mapping: Section): readonly MissingIndex[] {
  const needs = ['registrations', 'invoices'].flatMap((name) => {
    const section = mapping[name]
    return isSection(section) ? listSectionNeeds(description, section) : []
  })
  const keys = mapping['apiKeys']
  const all = isSection(keys) ? [...needs, ...listKeyNeeds(description, keys)] : needs
  return all.flatMap((need) => findMissingIndex(need) ?? [])
}

function listSectionNeeds(description: Description, section: Section): readonly IndexNeed[] {
  const table = findTable(description, section['table'])
  const fields = section['fields']
  if (table === undefined || !isSection(fields)) return []
  const [updatedAt, id, owner] = [
    toColumnName(fields['updatedAt']),
    toColumnName(fields['id']),
    toOwner(section['workspace']),
  ]
  if (updatedAt === undefined || id === undefined || owner === undefined) return []
  const where = Array.isArray(section['where']) ? section['where'] : []
  // An index serves one value at a time.
  const equal = where.flatMap((test: MappingValue) =>
    isSection(test) && 'equals' in test ? (toColumnName(test) ?? []) : [],
  )
  const paging: IndexNeed = {
    table,
    name: 'ix_vitrine_sync',
    equal: [...owner.columns, ...equal],
    sorted: [updatedAt, id],
    reason: 'every page of the list is read in this order',
  }
  return [
    paging,
    ...listParentNeeds(description, section['workspace']),
    ...listLinkNeeds(description, section['eventId']),
  ]
}

/** The column of the table itself that leads to the tenant; none for a product with one tenant. */
function toOwner(workspace: MappingValue | undefined): { readonly columns: readonly string[] } | undefined {
  if (isSection(workspace) && 'constant' in workspace) return { columns: [] }
  const column =
    isSection(workspace) && 'on' in workspace ? toDrivingColumn(workspace['on']) : toColumnName(workspace)
  return column === undefined ? undefined : { columns: [column] }
}

function toDrivingColumn(on: MappingValue | undefined): string | undefined {
  return isSection(on) && 'on' in on ? toDrivingColumn(on['on']) : toColumnName(on)
}

/** The parent rows of a tenant are found by an index too. */
function listParentNeeds(
  description: Description,
  workspace: MappingValue | undefined,
): readonly IndexNeed[] {
  if (!isSection(workspace) || !('on' in workspace)) return []
  const table = findTable(description, workspace['from'])
  const column = toColumnName(workspace)
  if (table === undefined || column === undefined) return []
  return [
    {
      table,
      name: 'ix_vitrine_workspace',
      equal: [column],
      sorted: [],
      reason: 'the rows of a workspace are found by it',
    },
  ]
}

function listLinkNeeds(description: Description, eventId: MappingValue | undefined): readonly IndexNeed[] {
  if (!isSection(eventId) || typeof eventId['table'] !== 'string') return []
  const table = description.get(eventId['table'])
  const [invoice, event] = [toColumnName(eventId['invoice']), toColumnName(eventId['event'])]
  if (table === undefined || invoice === undefined || event === undefined) return []
  return [
    {
      table,
      name: 'ix_vitrine_link',
      equal: [invoice],
      sorted: [event],
      reason: 'the events of an invoice are found by it',
    },
  ]
}

function listKeyNeeds(description: Description, keys: Section): readonly IndexNeed[] {
  const table = findTable(description, keys['table'])
  const hash = toColumnName(keys['hash'])
  if (table === undefined || hash === undefined) return []
  return [
    {
      table,
      name: 'ix_vitrine_hash',
      equal: [hash],
      sorted: [],
      reason: 'every request finds its key by it',
    },
  ]
}

function findTable(description: Description, name: MappingValue | undefined): DescribedTable | undefined {
  return typeof name === 'string' ? description.get(name) : undefined
}
