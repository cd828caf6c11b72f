import { isAccessDenied, isMissingObject } from '../database/errors.js'
import { toQuotedName, toQuotedPlace } from '../database/quote.js'
import type { Row, RunQuery } from '../database/statement.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { isNeverRead } from '../mapping/never-read.js'
import {
  allRolesStatement,
  histogramsStatement,
  noRoleStatement,
  reachableColumnsStatement,
  renderSetRole,
  schemaProbes,
  visibleObjectsStatement,
} from './audit-sql.js'
import type { SchemaProbe } from './audit-sql.js'
import { createError } from '../report/report.js'
import type { Finding } from './finding.js'
import { isReplicaPrivilege, renderSameName, toUserName } from './grants-sql.js'
import { covers, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { GrantObject } from './parse-grant.js'
import type { HeldGrant, Privileges } from './privileges.js'

/** A column on which the account has a privilege. */
export interface ReachableColumn {
  readonly table: string
  readonly column: string
  /** In lower case, as the server writes them: `select`, `insert`. */
  readonly privileges: readonly string[]
  /** Of a generated column, and of a default; empty for others. */
  readonly expression: string
}

/** A table, routine or schema that the account can see. */
export interface VisibleObject {
  readonly database: string
  /** `*` for a schema. */
  readonly name: string
  /** `table`, `procedure`, `function` or `schema`. */
  readonly type: string
}

/** A column with a histogram that the account can read. */
export interface Histogram {
  readonly database: string
  readonly table: string
  readonly column: string
}

/** What the server allows the account to do and see, whatever SHOW GRANTS lists. */
export interface Reach {
  readonly columns: readonly ReachableColumn[]
  readonly objects: readonly VisibleObject[]
  /** Columns whose values the server shows as a histogram. */
  readonly histograms: readonly Histogram[]
  /** Privileges on whole schemas, by statements that were not denied. */
  readonly schemas: readonly Pick<SchemaProbe, 'schema' | 'privilege'>[]
}

type RoleHolder = Pick<Privileges, 'database' | 'roles' | 'isMariaDb'>

/**
 * Reads what the account can see, with no role and with each that it can take. Grants of another account with the same
 * name, or with none, apply to the session and are in no SHOW GRANTS; their effect is visible here.
 *
 * @param account as `readPrivileges` read it on the same session.
 */
export async function readVisible(runQuery: RunQuery, account: RoleHolder): Promise<Omit<Reach, 'schemas'>> {
  const columns = new Map<string, ReachableColumn>()
  const objects = new Map<string, VisibleObject>()
  const histograms = new Map<string, Histogram>()
  await forEachRole(runQuery, account, async () => {
    for (const column of (await runQuery(reachableColumnsStatement)).map(toColumn)) {
      const key = JSON.stringify([column.table, column.column])
      const known = columns.get(key)?.privileges ?? []
      columns.set(key, { ...column, privileges: [...new Set([...known, ...column.privileges])] })
    }
    for (const object of (await runQuery(visibleObjectsStatement)).map(toVisibleObject))
      objects.set(JSON.stringify(object), object)
    if (account.isMariaDb) return
    for (const histogram of await readHistograms(runQuery))
      histograms.set(JSON.stringify(histogram), histogram)
  })
  return {
    columns: [...columns.values()],
    objects: [...objects.values()],
    histograms: [...histograms.values()],
  }
}

/** Reads what the account can do in whole schemas, as `readVisible` reads what it can see. */
export async function readSchemaPrivileges(
  runQuery: RunQuery,
  account: RoleHolder,
): Promise<Reach['schemas']> {
  const schemas = new Map<string, Reach['schemas'][number]>()
  await forEachRole(runQuery, account, async () => {
    for (const probe of schemaProbes) {
      const { schema, privilege } = probe
      if (await isAllowed(runQuery, probe))
        schemas.set(JSON.stringify([schema, privilege]), { schema: schema || account.database, privilege })
    }
  })
  return [...schemas.values()]
}

async function readHistograms(runQuery: RunQuery): Promise<readonly Histogram[]> {
  try {
    return (await runQuery(histogramsStatement)).map((row) => ({
      database: String(row['database']),
      table: String(row['table']),
      column: String(row['column']),
    }))
  } catch (error) {
    if (isMissingObject(error)) return []
    throw error
  }
}

/** MariaDB activates one role at a time, MySQL all at once. Where there is none, `readPrivileges` has left none active. */
async function forEachRole(
  runQuery: RunQuery,
  { roles, isMariaDb }: RoleHolder,
  task: () => Promise<void>,
): Promise<void> {
  if (roles.length === 0) return task()
  const others = isMariaDb ? roles.map(({ role }) => renderSetRole(role)) : [allRolesStatement]
  for (const statement of [noRoleStatement, ...others]) {
    await runQuery(statement)
    await task()
  }
}

/** The objects of a probe do not exist: any error but a denied privilege means that the privilege is held. */
async function isAllowed(runQuery: RunQuery, { statement }: SchemaProbe): Promise<boolean> {
  try {
    await runQuery(statement)
    return true
  } catch (error) {
    if (isAccessDenied(error)) return false
    if (isMissingObject(error)) return true
    throw error
  }
}

function toColumn(row: Row): ReachableColumn {
  return {
    table: String(row['table']),
    column: String(row['column']),
    privileges: String(row['privileges']).toLowerCase().split(','),
    expression: typeof row['expression'] === 'string' ? row['expression'] : '',
  }
}

function toVisibleObject(row: Row): VisibleObject {
  return { database: String(row['database']), name: String(row['name']), type: String(row['type']) }
}

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
