import { isPrimaryKey, isSameName } from '../description.js'
import { matches } from '../facts/names.js'
import type { Facts } from '../facts/read-facts.js'
import type { Reference } from '../facts/references.js'
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

type Tables = Facts['tables']

/** What the tables say of the whole mapping, and of each collection. */
export function listStructural(
  mapping: Mapping,
  collections: readonly BoundCollection[],
  tables: Tables,
): readonly Finding[] {
  return [
    ...collections.flatMap((one) => [
      ...findNeverShown(one),
      ...findTenant(one, mapping, tables),
      ...findWrongLookups(one, tables),
    ]),
    ...findUnread(mapping, tables),
  ]
}

/** What a field must not show: by its own name, a pattern of the name of its only column, what that is, and whether it is an error. */
const neverShown = [
  [/./, 'credential', 'a secret', true],
  [/^total$/, 'totalPart', 'a part of the total, or what is left of it', false],
  [/^(?:due|issue)Date$/, 'otherDay', 'another day', false],
] as const

function findNeverShown({ name, table, fields }: BoundCollection): readonly Finding[] {
  return Object.entries(fields).flatMap(([field, { projection }]) =>
    listProjectedColumns(projection).flatMap(({ column, lookup }, _, { length }) => {
      const snake = toSnake(column.name)
      const found = neverShown.find(([form, pattern]) => form.test(field) && matches(pattern, snake))
      const [, , what, isError] = found ?? []
      // A sum of parts is right, and a day of creation can be that of issue.
      const isRight = length > 1 || (field === 'issueDate' && snake.includes('creat'))
      if (what === undefined || (!isError && isRight)) return []
      const problem = `shows ${lookup?.table ?? table.name}.${column.name}, which looks like ${what}`
      const fix = 'map another column, and write this one into neverRead'
      return [(isError ? createError : createWarning)(`${name}.fields.${field}`, problem, fix)]
    }),
  )
}

/** The columns of all tables that nothing reads: secrets outside `neverRead`, and what can say that a key is not valid. */
function findUnread(mapping: Mapping, tables: Tables): readonly Finding[] {
  const mapped = listMappedColumns(mapping)
  const unread = [...tables.values()].flatMap(({ name: table, isView, columns }) =>
    columns
      .filter(({ name }) => !mapped.some((one) => one.table === table && isSameName(one.column, name)))
      .map(({ name, kind }) => ({ table, isView, name, kind, snake: toSnake(name) })),
  )
  const isSecret = ({ isView, kind, snake }: (typeof unread)[number]): boolean =>
    !isView && /text|binary|json/.test(kind) && matches('secret', snake) && !matches('aboutSecret', snake)
  const secrets = unread
    .filter((one) => isSecret(one) && !isNeverRead(mapping.neverRead, one.table, one.name))
    .map(({ table, name }) => `${table}.${name}`)
  const some = `${secrets.slice(0, 6).join(', ')}${secrets.length > 6 ? ', …' : ''}`
  const open = `leaves out ${toCountText(secrets.length, 'column')} with the name of a secret: ${some}`
  const { table: keys } = mapping.apiKeys
  const flags = unread.filter(({ table, snake }) => table === keys && matches('keyValidity', snake))
  const names = flags.map(({ name }) => name).join(', ')
  const invalid = `${keys} has columns that can make a key invalid, and nothing reads them: ${names}`
  const fix = 'ask what they mean; read them with expiresAt, revokedAt or where'
  return [
    ...(secrets.length === 0 ? [] : [createWarning('neverRead', open, `add ${secrets.join(', ')}`)]),
    ...(flags.length === 0 ? [] : [createWarning('apiKeys', invalid, fix)]),
  ]
}

/** Lookups whose column leads to another table than the one that they read. */
function findWrongLookups({ name, table }: BoundCollection, tables: Tables): readonly Finding[] {
  const find = (of: string, column: string): Reference | undefined =>
    tables.get(of)?.columns.find((one) => isSameName(one.name, column))?.reference
  return listLookups(listFoundColumns(table)).flatMap(({ on, key, table: read }) => {
    const by = on.lookup?.table ?? table.name
    const [found, target] = [find(by, on.column.name), tables.get(read)]
    if (found === undefined || target === undefined || found.parent.name === read) return []
    // A row of another table that has the same key as one of this is a right lookup too.
    const isRight = find(read, key.name)?.parent === found.parent || !isPrimaryKey(target, key.name)
    const leads = found.isDeclared ? 'refers to' : 'has the name of a key of'
    const problem = `${by}.${found.column.name} ${leads} ${found.parent.name}, and is looked up in ${read}`
    const fix = 'write the other table in from, or another column in on'
    return isRight ? [] : [createError(name, problem, fix)]
  })
}

/** One workspace for everyone, unless the file confirms it, with the tables that could be the tenant. */
function findTenant({ name, table }: BoundCollection, mapping: Mapping, tables: Tables): readonly Finding[] {
  const option = mapping[name]?.workspace
  const isConfirmed = typeof option === 'object' && 'constant' in option && option.confirmed === true
  if (!('constant' in table.workspace) || isConfirmed) return []
  const known = listCandidates(table.name, tables).slice(0, 4).join(', ')
  const problem = `every key reads every record; tables that could be the tenant: ${known || 'none found'}`
  const fix =
    'map the tenant; where one customer owns the whole database, write confirmed: true beside constant'
  return [createError(`${name}.workspace`, problem, fix)]
}

/** The tables that are one or two steps away; those to which most tables lead first. */
function listCandidates(own: string, tables: Tables): readonly string[] {
  const listSteps = (table: string, by: string) =>
    (tables.get(table)?.columns ?? []).flatMap(({ name, reference }) =>
      reference === undefined ? [] : [[reference.parent.name, `${by}${name}`] as const],
    )
  const near = listSteps(own, '')
  const far = near.flatMap(([table, by]) => listSteps(table, `${by} → ${table}.`))
  const count = (target: string): number =>
    [...tables.keys()].filter((one) => listSteps(one, '').some(([table]) => table === target)).length
  return [...new Map([...far, ...near])]
    .filter(([table]) => table !== own)
    .sort(([one], [other]) => count(other) - count(one))
    .map(([table, by]) => `${table} (by ${by})`)
}
