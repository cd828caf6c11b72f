import { isPrimaryKey, isSameName } from '../description.js'
import type { DescribedTable, Description } from '../description.js'
import { matches, weighNoun } from '../facts/names.js'
import { listReferences } from '../facts/references.js'
import type { Reference, References } from '../facts/references.js'
import { toNoun, toSnake, toStem } from '../facts/words.js'
import { quote, sql, toStatement } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import { isNeverRead, listMappedColumns } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { listLookups } from '../../collections/lookup.js'
import {
  listEventColumns,
  listProjectedColumns,
  listRecordColumns,
} from '../../collections/resolved-table.js'
import type { FoundColumn, Lookup, ResolvedTable } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { orNone } from './sample.js'

/* What the tables of the product say against the mapping, whatever their rows hold. */

/** What the tables say of each collection, and of the whole mapping. */
export async function listStructural(
  mapping: Mapping,
  collections: readonly BoundCollection[],
  description: Description,
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  const references = listReferences(description)
  const findings: Finding[] = []
  for (const one of collections) {
    const own = description.get(one.table.name)
    const of = own === undefined ? undefined : { own, description, references }
    findings.push(...findNeverShown(one))
    if (of !== undefined)
      findings.push(
        ...(await findTenant(one, mapping, of, runQuery)),
        ...findOtherEvent(one, of),
        ...findWrongLookups(one, of),
      )
  }
  return [...findings, ...findOpenSecrets(mapping, description), ...findKeyColumns(mapping, description)]
}

/** A table and where all tables lead. */
interface Structure {
  readonly own: DescribedTable
  readonly description: Description
  readonly references: References
}

/** Every column by which the records of a collection are found and read. */
export function listFoundColumns(table: ResolvedTable): readonly FoundColumn[] {
  const { workspace, eventId } = table
  return [
    ...listRecordColumns(table),
    ...('constant' in workspace ? [] : [workspace]),
    ...listEventColumns(eventId),
  ]
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
    columns
      .filter(({ name, kind }) => {
        const snake = toSnake(name)
        const isSecret = matches('secret', snake) && !matches('aboutSecret', snake)
        return !isView && ['text', 'binary', 'json'].includes(kind) && isSecret
      })
      .filter(({ name }) => !isNeverRead(mapping.neverRead, table, name))
      .filter(({ name }) => !mapped.some((one) => one.table === table && isSameName(one.column, name)))
      .map(({ name }) => `${table}.${name}`),
  )
  const some = `${open.slice(0, 6).join(', ')}${open.length > 6 ? ', …' : ''}`
  const problem = `${open.length} columns that look like secrets are outside it: ${some}`
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
    const problem = findWrongTarget(lookup, table.name, of)
    const fix = 'write the other table in from, or another column in on'
    return problem === undefined ? [] : [createError(name, problem, fix)]
  })
}

/** Where the column of a lookup leads, in words; undefined where it leads to the table that is read, or to none. */
function findWrongTarget(
  { on, key, table: read }: Lookup,
  table: string,
  { description, references }: Structure,
): string | undefined {
  const by = on.lookup?.table ?? table
  const [own, target] = [by, read].map((name) => description.get(name))
  const found = findReference(references, own, on.column.name)
  if (found === undefined || target === undefined || found.parent === target) return undefined
  // A row of another table that has the same key as one of this is a right lookup too.
  const isRight = findReference(references, target, key.name)?.parent === found.parent
  if (isRight || !isPrimaryKey(target, key.name)) return undefined
  const leads = found.isDeclared ? 'refers to' : 'has the name of a key of'
  return `${by}.${found.column.name} ${leads} ${found.parent.name}, and is looked up in ${read}`
}

function findReference(
  references: References,
  table: DescribedTable | undefined,
  column: string,
): Reference | undefined {
  return table && references.get(table)?.find((one) => isSameName(one.column.name, column))
}

/** Fewer tables lead to most tables that are no tenant. */
const referencesMin = 3

/** Tables that could be the tenant, one or two steps away; those to which most tables lead first. */
function listTenants({ own, references }: Structure): readonly (readonly [DescribedTable, by: string])[] {
  const listSteps = (table: DescribedTable): readonly Reference[] => references.get(table) ?? []
  const count = (target: DescribedTable): number =>
    [...references.values()].filter((list) => list.some(({ parent }) => parent === target)).length
  const near = listSteps(own).map(({ column, parent }) => [parent, column.name] as const)
  const far = near.flatMap(([table, by]) =>
    listSteps(table).map(({ column, parent }) => [parent, `${by} → ${table.name}.${column.name}`] as const),
  )
  const found = [...new Map([...far, ...near])].filter(
    ([table]) => table !== own && count(table) >= referencesMin,
  )
  return found.sort(([a], [b]) => count(b) - count(a))
}

/** What a column means, by the table that it leads to and by its own name: the more the surer. */
function weigh(noun: 'event' | 'tenant', { column, lookup }: FoundColumn, of: Structure): number {
  const table = lookup === undefined ? of.own : of.description.get(lookup.table)
  const parent = findReference(of.references, table, column.name)?.parent
  const self = table !== undefined && isPrimaryKey(table, column.name) ? table : parent
  const words = [toStem(column.name).stem.at(-1) ?? '', self === undefined ? '' : toNoun(self.name)]
  return Math.max(...words.map((word) => weighNoun(noun, word)))
}

/** One workspace for everyone, unless the file confirms it; or a workspace that is none, beside a table that could be. */
async function findTenant(
  { name, table: { workspace } }: BoundCollection,
  mapping: Mapping,
  of: Structure,
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  const isConstant = 'constant' in workspace
  if (isConstant ? isConfirmed(mapping[name]) : weigh('tenant', workspace, of) > 0) return []
  const tenants: string[] = []
  for (const [{ name: tenant }, by] of listTenants(of)) {
    if (!isConstant && weighNoun('tenant', toNoun(tenant)) === 0) continue
    const rows = await orNone(runQuery(toStatement(sql`select 1 from ${quote(tenant)} limit ${'2'}`)))
    if (rows?.length === 2) tenants.push(`${tenant} (by ${by})`)
  }
  return toTenantFinding(`${name}.workspace`, isConstant, tenants.slice(0, 4).join(', '))
}

function isConfirmed(section: Mapping['invoices'] | Mapping['registrations']): boolean {
  const option = section?.workspace
  return typeof option === 'object' && 'constant' in option && option.confirmed === true
}

function toTenantFinding(place: string, isConstant: boolean, known: string): readonly Finding[] {
  const fix =
    'map the tenant; where one customer owns the whole database, write confirmed: true beside constant'
  const all = `every key reads every record; tables that could be the tenant: ${known || 'none found'}`
  if (isConstant) return [createError(place, all, fix)]
  const problem = `its column has no name of a tenant; tables that could be it: ${known}`
  return known === '' ? [] : [createWarning(place, problem, 'map the tenant, which holds the key')]
}

/** An event that is none by its names, beside a column that leads to one. */
function findOtherEvent({ name, table }: BoundCollection, of: Structure): readonly Finding[] {
  const [event] = listEventColumns(table.eventId)
  if (event === undefined || weigh('event', event, of) > 0) return []
  const others = (of.references.get(of.own) ?? []).filter(
    ({ parent }) => weighNoun('event', toNoun(parent.name)) > 0,
  )
  const known = others.map(({ column, parent }) => `${column.name} leads to ${parent.name}`).join(', ')
  const place = name === 'invoices' ? `${name}.eventId` : `${name}.fields.eventId`
  const problem = `${event.column.name} has no name of an event, and ${known}`
  return known === '' ? [] : [createWarning(place, problem, 'map the event, which owns the registration')]
}
