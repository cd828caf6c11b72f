import { isPrimaryKey, isSameName } from '../description.js'
import type { DescribedTable, Description } from '../description.js'
import { matches, weighNoun } from '../facts/names.js'
import { listReferences } from '../facts/references.js'
import type { Reference, References } from '../facts/references.js'
import { toNoun, toSnake, toStem } from '../facts/words.js'
import { isNeverRead, listMappedColumns } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { listLookups } from '../../collections/lookup.js'
import { listEventColumns, listProjectedColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, Lookup } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { toCountText } from './findings.js'
import { listFoundColumns } from './rows-sql.js'

/* What the tables of the product say against the mapping, whatever their rows hold. */

/** What the tables say of each collection, and of the whole mapping. */
export function listStructural(
  mapping: Mapping,
  collections: readonly BoundCollection[],
  description: Description,
): readonly Finding[] {
  const references = listReferences(description)
  return [
    ...collections.flatMap((one) => {
      const own = description.get(one.table.name)
      const of = own && { own, description, references }
      return [
        ...findNeverShown(one),
        ...(of === undefined ? [] : [...findOwner(one, mapping, of), ...findWrongLookups(one, of)]),
      ]
    }),
    ...findOpenSecrets(mapping, description),
    ...findKeyColumns(mapping, description),
  ]
}

/** A table and where all tables lead. */
interface Structure {
  readonly own: DescribedTable
  readonly description: Description
  readonly references: References
}

/** What a field must not show, by the name of its only column. */
const neverShown: readonly (readonly [
  field: RegExp,
  pattern: string,
  what: string,
  create: typeof createError,
])[] = [
  [/./, 'credential', 'which looks like a secret', createError],
  [/^total$/, 'totalPart', 'which looks like a part of the total, or what is left of it', createWarning],
  [/^(?:due|issue)Date$/, 'otherDay', 'which looks like another day', createWarning],
]

function findNeverShown({ name, table, fields }: BoundCollection): readonly Finding[] {
  return Object.entries(fields).flatMap(([field, { projection }]) =>
    listProjectedColumns(projection).flatMap(({ column, lookup }, _, { length }) =>
      neverShown.flatMap(([form, pattern, what, create]) => {
        const isShown = form.test(field) && matches(pattern, toSnake(column.name))
        // A sum of parts is right, and a day of creation can be that of issue.
        const isRight =
          pattern !== 'credential' && (length > 1 || (field === 'issueDate' && /creat/i.test(column.name)))
        const problem = `shows ${lookup?.table ?? table.name}.${column.name}, ${what}`
        const fix = 'map another column, and write this one into neverRead'
        return isShown && !isRight ? [create(`${name}.fields.${field}`, problem, fix)] : []
      }),
    ),
  )
}

/** Columns that look like a secret, and that `neverRead` does not forbid. */
function findOpenSecrets(mapping: Mapping, description: Description): readonly Finding[] {
  const mapped = listMappedColumns(mapping)
  const open = [...description.values()].flatMap(({ name: table, isView, columns }) =>
    columns.flatMap(({ name, kind }) => {
      const snake = toSnake(name)
      const isSecret = matches('secret', snake) && !matches('aboutSecret', snake)
      const isOpen =
        !isNeverRead(mapping.neverRead, table, name) &&
        !mapped.some((one) => one.table === table && isSameName(one.column, name))
      const isNamed = !isView && ['text', 'binary', 'json'].includes(kind) && isSecret && isOpen
      return isNamed ? [`${table}.${name}`] : []
    }),
  )
  const some = `${open.slice(0, 6).join(', ')}${open.length > 6 ? ', …' : ''}`
  const problem = `leaves out ${toCountText(open.length, 'column')} with the name of a secret: ${some}`
  return open.length === 0 ? [] : [createWarning('neverRead', problem, `add ${open.join(', ')}`)]
}

/** Columns of the key table that can say that a key is not valid, and that nothing reads. */
function findKeyColumns(mapping: Mapping, description: Description): readonly Finding[] {
  const { table } = mapping.apiKeys
  const mapped = listMappedColumns(mapping).filter(({ path }) => path.startsWith('apiKeys'))
  const open = (description.get(table)?.columns ?? [])
    .map(({ name }) => name)
    .filter((name) => matches('keyValidity', toSnake(name)))
    .filter((name) => !mapped.some(({ column }) => isSameName(column, name)))
  const problem = `${table} has columns that can make a key invalid, and nothing reads them: ${open.join(', ')}`
  const fix = 'ask what they mean; read them with expiresAt, revokedAt or where'
  return open.length === 0 ? [] : [createWarning('apiKeys', problem, fix)]
}

/** Lookups whose column leads to another table than the one that they read. */
function findWrongLookups({ name, table }: BoundCollection, of: Structure): readonly Finding[] {
  return listLookups(listFoundColumns(table)).flatMap((lookup) => {
    const problem = findWrongTarget(lookup, of)
    const fix = 'write the other table in from, or another column in on'
    return problem === undefined ? [] : [createError(name, problem, fix)]
  })
}

/** Where the column of a lookup leads, in words; undefined where it leads to the table that is read, or to none. */
function findWrongTarget({ on, key, table: read }: Lookup, of: Structure): string | undefined {
  const { description, own } = of
  const by = on.lookup === undefined ? own : description.get(on.lookup.table)
  const target = description.get(read)
  const found = findReference(of, by, on.column.name)
  if (found === undefined || target === undefined || found.parent === target) return undefined
  // A row of another table that has the same key as one of this is a right lookup too.
  const isRight = findReference(of, target, key.name)?.parent === found.parent
  if (isRight || !isPrimaryKey(target, key.name)) return undefined
  const leads = found.isDeclared ? 'refers to' : 'has the name of a key of'
  return `${by?.name ?? ''}.${found.column.name} ${leads} ${found.parent.name}, and is looked up in ${read}`
}

function findReference(
  { references }: Structure,
  table: DescribedTable | undefined,
  column: string,
): Reference | undefined {
  return table && references.get(table)?.find((one) => isSameName(one.column.name, column))
}

/** The workspace and the event: one workspace for everyone unless the file confirms it, and columns that are called otherwise. */
function findOwner(
  { name, table: { workspace, eventId } }: BoundCollection,
  mapping: Mapping,
  of: Structure,
): readonly Finding[] {
  const place = `${name}.workspace`
  const ofEvent = name === 'invoices' ? 'invoices.eventId' : 'registrations.fields.eventId'
  const [event] = listEventColumns(eventId)
  const events = event === undefined ? [] : findBetter(ofEvent, 'event', event, of)
  if (!('constant' in workspace)) return [...findBetter(place, 'tenant', workspace, of), ...events]
  const option = mapping[name]?.workspace
  if (typeof option === 'object' && 'constant' in option && option.confirmed === true) return events
  const known = listCandidates(of).map(({ text }) => text)
  const problem = `every key reads every record; tables that could be the tenant: ${known.slice(0, 4).join(', ') || 'none found'}`
  const fix =
    'map the tenant; where one customer owns the whole database, write confirmed: true beside constant'
  return [createError(place, problem, fix), ...events]
}

/** A column that has no name of a tenant or of an event, beside tables that have one. */
function findBetter(
  place: string,
  noun: 'event' | 'tenant',
  { column, lookup }: FoundColumn,
  of: Structure,
): readonly Finding[] {
  const table = lookup === undefined ? of.own : of.description.get(lookup.table)
  const self = table !== undefined && isPrimaryKey(table, column.name) ? table : undefined
  const parent = self ?? findReference(of, table, column.name)?.parent
  const words = [toStem(column.name).stem.at(-1) ?? '', parent === undefined ? '' : toNoun(parent.name)]
  const others = listCandidates(of).filter((one) => weighNoun(noun, toNoun(one.table.name)) > 0)
  if (others.length === 0 || words.some((word) => weighNoun(noun, word) > 0)) return []
  const known = others.map(({ text }) => text).slice(0, 4)
  const problem = `${column.name} is not called like the ${noun}; tables that could be it: ${known.join(', ')}`
  const fix = 'map the event, which owns the record, and the tenant, which owns the event and holds the key'
  return [createWarning(place, problem, fix)]
}

/** The tables that are one or two steps away; those to which most tables lead first. */
function listCandidates({ own, references }: Structure) {
  const listSteps = (table: DescribedTable, by: string) =>
    (references.get(table) ?? []).map(({ column, parent }) => ({ table: parent, by: `${by}${column.name}` }))
  const near = listSteps(own, '')
  const far = near.flatMap(({ table, by }) => listSteps(table, `${by} → ${table.name}.`))
  const all = new Map([...far, ...near].map((one) => [one.table, one]))
  const count = (target: DescribedTable): number =>
    [...references.values()].filter((list) => list.some(({ parent }) => parent === target)).length
  return [...all.values()]
    .filter(({ table }) => table !== own)
    .map(({ table, by }) => ({ table, text: `${table.name} (by ${by})`, count: count(table) }))
    .sort((one, other) => other.count - one.count)
}
