import { toQuotedName, toQuotedPlace } from '../database/sql.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { isNeverRead } from '../mapping/mapped-columns.js'
import { createError } from '../tools/report/report.js'
import type { Finding } from './finding.js'
import { isReplicaPrivilege, renderSameName, toUserName } from './grants-sql.js'
import { covers, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { GrantObject } from './parse-grant.js'
import type { HeldGrant, Privileges } from './privileges.js'
import type { Histogram, Reach, ReachableColumn, VisibleObject } from './reach.js'

interface ReachInput {
  readonly privileges: Privileges
  readonly reach: Reach
}

/**
 * A finding for everything in reach that the mapping does not need. Grants and reach show the same privileges in two
 * ways, so that the audit does not depend on one of them.
 *
 * @param grantFindings what `evaluateGrants` found; their fixes take a column of `neverRead` out of reach.
 */
export function evaluateReach(
  mapping: Mapping,
  { privileges, reach }: ReachInput,
  grantFindings: readonly Finding[],
): readonly Finding[] {
  const { casedTables, database } = privileges
  const mapped = listMappedColumnsByTable(mapping, casedTables)
  const columns = reach.columns.flatMap((reached): readonly Finding[] => {
    const { table, column } = reached
    if (isNeverRead(mapping.neverRead, table, column) && reached.privileges.includes('select'))
      return [toNeverReadFinding(reached, privileges, grantFindings)]
    const isMapped = mapped.get(toTableKey(table, casedTables))?.has(column.toLowerCase()) === true
    const foreign = reached.privileges.filter(
      (name) => !(isMapped && name === 'select') && !isGranted(privileges, reached, name),
    )
    return foreign.length === 0
      ? []
      : [toForeignFinding(`${table}.${column}`, foreign.join(', ').toUpperCase(), privileges)]
  })
  const schemas = reach.schemas
    .filter(({ schema }) => !hasGrantThat(privileges, isOverSchema(schema)))
    .map(({ schema, privilege }) =>
      toForeignFinding(`${toQuotedName(schema)}.*`, privilege ?? null, privileges),
    )
  // An object of another schema is found with its schema, which can hold a hundred of them.
  const isOfSchema = (object: VisibleObject): boolean =>
    object.database !== database && reach.schemas.some(({ schema }) => schema === object.database)
  const objects = reach.objects
    .filter((object) => !hasGrantThat(privileges, isOver(object, casedTables)) && !isOfSchema(object))
    .map((object) => toForeignFinding(toObjectText(object), null, privileges))
  const histograms = reach.histograms
    .filter(({ table, column }) => isNeverRead(mapping.neverRead, table, column))
    .map(toHistogramFinding)
  return [...columns, ...histograms, ...schemas, ...objects]
}

function toHistogramFinding({ database, table, column }: Histogram): Finding {
  const problem =
    'neverRead forbids this column, and it has a histogram: information_schema.column_statistics shows its values to everyone who can see the table'
  const fix = `ANALYZE TABLE ${toQuotedPlace(database, table)} DROP HISTOGRAM ON ${toQuotedName(column)};`
  return { ...createError(`${table}.${column}`, problem, fix), privilege: 'SELECT' }
}

/** Whether a grant of the account gives the privilege. If so, it is evaluated with the grants. */
function isGranted(
  { grants, database, casedTables }: Privileges,
  { table, column }: ReachableColumn,
  privilege: string,
): boolean {
  const isOverTable = isOver({ database, name: table }, casedTables)
  return grants.some(
    ({ object, privileges }) =>
      isOverTable(object) &&
      privileges.some(
        ({ name, columns }) =>
          (name === privilege.toUpperCase() || name === 'ALL PRIVILEGES') &&
          (columns.length === 0 || columns.some((one) => one.toLowerCase() === column.toLowerCase())),
      ),
  )
}

/** Whether a grant of the account on such an object makes the object visible. */
function hasGrantThat({ grants }: Privileges, isOverIt: (object: GrantObject) => boolean): boolean {
  const isVisibleBy = ({ object, privileges, grantable }: HeldGrant): boolean =>
    grantable || privileges.some(({ name }) => name !== 'USAGE' && !isReplicaPrivilege(name, object))
  return grants.some((grant) => isOverIt(grant.object) && isVisibleBy(grant))
}

function isOverSchema(schema: string): (object: GrantObject) => boolean {
  return (object) => object.name === '*' && covers(object.database, schema)
}

/** Whether a grant is on an object, its schema or everything; any grant within a schema makes the schema visible. */
function isOver(
  { database, name }: Pick<VisibleObject, 'database' | 'name'>,
  casedTables: boolean,
): (object: GrantObject) => boolean {
  const isSame = (one: string, other: string): boolean =>
    toTableKey(one, casedTables) === toTableKey(other, casedTables)
  return (object) =>
    object.name === '*'
      ? covers(object.database, database)
      : isSame(object.database, database) && (name === '*' || isSame(object.name, name))
}

function toNeverReadFinding(
  { table, column }: ReachableColumn,
  privileges: Privileges,
  grantFindings: readonly Finding[],
): Finding {
  const causes = grantFindings.filter(({ problem }) => problem.includes('neverRead'))
  const problem = `${privileges.account} can read this column, which neverRead forbids`
  const fix =
    causes.length === 0 ? adviseForeign(privileges) : [...new Set(causes.map((cause) => cause.fix))].join(' ')
  return { ...createError(`${table}.${column}`, problem, fix), privilege: 'SELECT' }
}

function toForeignFinding(object: string, privilege: string | null, privileges: Privileges): Finding {
  const problem = 'allowed, but not by a grant of this account: a grant of another account applies to it too'
  return {
    ...createError(object, problem, adviseForeign(privileges)),
    privilege: privilege ?? 'some privilege',
  }
}

/** The servers add the grants of every account whose name and host match, and list only those of the first. */
function adviseForeign({ account }: Privileges): string {
  return `drop the other account, or revoke its privileges. This query lists it: ${renderSameName(toUserName(account))}`
}

function toObjectText({ database, name, type }: VisibleObject): string {
  const place = name === '*' ? `${toQuotedName(database)}.*` : toQuotedPlace(database, name)
  return type === 'procedure' || type === 'function' ? `${type.toUpperCase()} ${place}` : place
}
