import { isPrimaryKey, isSameName } from '../description.js'
import type { DescribedTable, Description } from '../description.js'
import { matches } from '../facts/names.js'
import { listReferences } from '../facts/references.js'
import type { Reference, References } from '../facts/references.js'
import { toSnake } from '../facts/words.js'
import { isNeverRead, listMappedColumns } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { listLookups } from '../../collections/lookup.js'
import { listProjectedColumns } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { toCountText } from './findings.js'
import { listFoundColumns } from './sample.js'

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
        ...(of === undefined ? [] : [...findTenant(one, mapping, of), ...findWrongLookups(one, of)]),
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
const neverShown = [
  { form: /./, pattern: 'credential', what: 'a secret', create: createError },
  {
    form: /^total$/,
    pattern: 'totalPart',
    what: 'a part of the total, or what is left of it',
    create: createWarning,
  },
  { form: /^(?:due|issue)Date$/, pattern: 'otherDay', what: 'another day', create: createWarning },
] as const

function findNeverShown({ name, table, fields }: BoundCollection): readonly Finding[] {
  return Object.entries(fields).flatMap(([field, { projection }]) =>
    listProjectedColumns(projection).flatMap(({ column, lookup }, _, { length }) => {
      const snake = toSnake(column.name)
      const found = neverShown.find(({ form, pattern }) => form.test(field) && matches(pattern, snake))
      // A sum of parts is right, and a day of creation can be that of issue.
      const isRight = length > 1 || (field === 'issueDate' && snake.includes('creat'))
      if (found === undefined || (found.pattern !== 'credential' && isRight)) return []
      const problem = `shows ${lookup?.table ?? table.name}.${column.name}, which looks like ${found.what}`
      const fix = 'map another column, and write this one into neverRead'
      return [found.create(`${name}.fields.${field}`, problem, fix)]
    }),
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
  return listLookups(listFoundColumns(table)).flatMap(({ on, key, table: read }) => {
    const by = of.description.get(on.lookup?.table ?? table.name)
    const target = of.description.get(read)
    const found = findReference(of, by, on.column.name)
    if (found === undefined || target === undefined || found.parent === target) return []
    // A row of another table that has the same key as one of this is a right lookup too.
    const isRight = findReference(of, target, key.name)?.parent === found.parent
    if (isRight || !isPrimaryKey(target, key.name)) return []
    const leads = found.isDeclared ? 'refers to' : 'has the name of a key of'
    const problem = `${by?.name ?? ''}.${found.column.name} ${leads} ${found.parent.name}, and is looked up in ${read}`
    return [createError(name, problem, 'write the other table in from, or another column in on')]
  })
}

function findReference(
  { references }: Structure,
  table: DescribedTable | undefined,
  column: string,
): Reference | undefined {
  return table && references.get(table)?.find((one) => isSameName(one.column.name, column))
}

/** One workspace for everyone, unless the file confirms it, with the tables that could be the tenant. */
function findTenant({ name, table }: BoundCollection, mapping: Mapping, of: Structure): readonly Finding[] {
  const option = mapping[name]?.workspace
  const isConfirmed = typeof option === 'object' && 'constant' in option && option.confirmed === true
  if (!('constant' in table.workspace) || isConfirmed) return []
  const known = listCandidates(of).slice(0, 4).join(', ')
  const problem = `every key reads every record; tables that could be the tenant: ${known || 'none found'}`
  const fix =
    'map the tenant; where one customer owns the whole database, write confirmed: true beside constant'
  return [createError(`${name}.workspace`, problem, fix)]
}

/** The tables that are one or two steps away; those to which most tables lead first. */
function listCandidates({ own, references }: Structure): readonly string[] {
  const listSteps = (table: DescribedTable, by: string) =>
    (references.get(table) ?? []).map(({ column, parent }) => [parent, `${by}${column.name}`] as const)
  const near = listSteps(own, '')
  const far = near.flatMap(([table, by]) => listSteps(table, `${by} → ${table.name}.`))
  const count = (target: DescribedTable): number =>
    [...references.values()].filter((list) => list.some(({ parent }) => parent === target)).length
  return [...new Map([...far, ...near])]
    .filter(([table]) => table !== own)
    .sort(([one], [other]) => count(other) - count(one))
    .map(([table, by]) => `${table.name} (by ${by})`)
}
