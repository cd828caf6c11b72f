import { isSecretName, isCredentialName, toSnake } from '../sensitive-names.js'
import { isPrimaryKey, isSameName } from '../description.js'
import type { DescribedTable, Description } from '../description.js'
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
import type { Lookup } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { orNone } from './questions.js'
import { listReferences, listTenants } from './references.js'

/* What the tables of the product say against the mapping, whatever their rows hold. */

/** A field that shows a column that looks like a credential. */
export function findShownSecrets({ name, table, fields }: BoundCollection): readonly Finding[] {
  return Object.entries(fields).flatMap(([field, { projection }]) =>
    listProjectedColumns(projection).flatMap(({ column, lookup }) => {
      const problem = `shows ${lookup?.table ?? table.name}.${column.name}, which looks like a secret`
      const fix = 'map another column, and write this one into neverRead'
      return isCredentialName(column.name) ? [createError(`${name}.fields.${field}`, problem, fix)] : []
    }),
  )
}

/** Columns that look like a secret, and that `neverRead` does not forbid. */
export function findOpenSecrets(mapping: Mapping, description: Description): readonly Finding[] {
  const mapped = listMappedColumns(mapping)
  const open = [...description.values()].flatMap(({ name: table, isView, columns }) =>
    columns
      .filter(({ name, kind }) => !isView && ['text', 'binary', 'json'].includes(kind) && isSecretName(name))
      .filter(({ name }) => !isNeverRead(mapping.neverRead, table, name))
      .filter(({ name }) => !mapped.some((one) => one.table === table && isSameName(one.column, name)))
      .map(({ name }) => `${table}.${name}`),
  )
  const some = `${open.slice(0, 6).join(', ')}${open.length > 6 ? ', …' : ''}`
  const problem = `${open.length} columns that look like secrets are outside it: ${some}`
  return open.length === 0 ? [] : [createWarning('neverRead', problem, `add ${open.join(', ')}`)]
}

const keyColumn =
  /(^|_)(active|inactive|enabled?|disabled?|status|state|blocked|suspended|locked|banned|type|kind|owner|deleted|archived|trashed|uses?|usages?|used|remaining|quota|max|limit|revoked|expires?|valid)($|_)/
const noKeyColumn = /last_used|(^|_)(created|updated)/

/** Columns of the key table that can say that a key is not valid, and that nothing reads. */
export function findKeyColumns(mapping: Mapping, description: Description): readonly Finding[] {
  const { table } = mapping.apiKeys
  const mapped = listMappedColumns(mapping).filter(({ path }) => path.startsWith('apiKeys'))
  const open = (description.get(table)?.columns ?? [])
    .map(({ name }) => name)
    .filter((name) => keyColumn.test(toSnake(name)) && !noKeyColumn.test(toSnake(name)))
    .filter((name) => !mapped.some(({ column }) => isSameName(column, name)))
  const problem = `${table} has columns that can make a key invalid, and nothing reads them: ${open.join(', ')}`
  const fix = 'ask what they mean; read them with expiresAt, revokedAt or where'
  return open.length === 0 ? [] : [createWarning('apiKeys', problem, fix)]
}

/** Lookups whose column leads to another table than the one that they read. */
export function findWrongLookups(
  { name, table }: BoundCollection,
  description: Description,
): readonly Finding[] {
  const { workspace, eventId } = table
  const columns = [
    ...listRecordColumns(table),
    ...('constant' in workspace ? [] : [workspace]),
    ...listEventColumns(eventId),
  ]
  return listLookups(columns).flatMap((lookup) => {
    const problem = findWrongTarget(lookup, table.name, description)
    return problem === undefined
      ? []
      : [createError(name, problem, 'write the other table in from, or another column in on')]
  })
}

/** Where the column of a lookup leads, in words; undefined where it leads to the table that is read, or to none. */
function findWrongTarget(
  { on, key, table: read }: Lookup,
  table: string,
  description: Description,
): string | undefined {
  const own = on.lookup?.table ?? table
  const target = description.get(read)
  const found = findReference(description.get(own), on.column.name, description)
  if (target === undefined || found === undefined || found.target === read) return undefined
  // A row of another table that has the same key as one of this is a right lookup too.
  const ofKey = findReference(target, key.name, description)
  if (!isPrimaryKey(target, key.name) || ofKey?.target === found.target) return undefined
  const leads = found.isDeclared ? 'refers to' : 'has the name of a key of'
  return `${own}.${found.column} ${leads} ${found.target}, and is looked up in ${read}`
}

function findReference(table: DescribedTable | undefined, column: string, description: Description) {
  if (table === undefined) return undefined
  return listReferences(table, description).find((one) => isSameName(one.column, column))
}

/** One workspace for everyone, unless the file confirms it. */
export async function findOneWorkspace(
  { name, table }: BoundCollection,
  mapping: Mapping,
  description: Description,
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  const option = mapping[name]?.workspace
  if (typeof option !== 'object' || !('constant' in option) || option.confirmed === true) return []
  const tenants: string[] = []
  for (const [tenant, by] of listTenants(table.name, description)) {
    const rows = await orNone(runQuery(toStatement(sql`select 1 from ${quote(tenant)} limit ${'2'}`)))
    if (rows?.length === 2) tenants.push(`${tenant} (by ${by})`)
  }
  const known = tenants.slice(0, 4).join(', ') || 'none found'
  const problem = `every key reads every record; tables that could be the tenant: ${known}`
  const fix =
    'map the tenant; where one customer owns the whole database, write confirmed: true beside constant'
  return [createError(`${name}.workspace`, problem, fix)]
}
