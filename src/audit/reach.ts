import { isAccessDenied, isMissingObject } from '../database/errors.js'
import type { Row, RunQuery } from '../database/statement.js'
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
import type { Privileges } from './privileges.js'

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
