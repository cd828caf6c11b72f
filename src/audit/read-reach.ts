import { isAccessDenied, isMissingObject } from '../database/driver-errors.js'
import type { Row, RunQuery } from '../database/statement.js'
import type { HeldRole, Reach, ReachableColumn, SchemaPrivilege, VisibleObject } from './privileges.js'
import {
  allRolesStatement,
  noRoleStatement,
  reachableColumnsStatement,
  renderTakeRole,
  schemaProbes,
  visibleStatement,
} from './privileges-sql.js'
import type { SchemaProbe } from './privileges-sql.js'

interface ReachInput {
  /** The current one. */
  readonly database: string
  readonly roles: readonly HeldRole[]
  readonly isMariaDb: boolean
}

/**
 * What the session's account can do and see, with no role and with each that it could take. Grants of another
 * account with the same name, or with none, count for the session and are in no SHOW GRANTS; they show here.
 */
export async function readReach(ask: RunQuery, { database, roles, isMariaDb }: ReachInput): Promise<Reach> {
  const columns = new Map<string, ReachableColumn>()
  const objects = new Map<string, VisibleObject>()
  const schemas = new Map<string, SchemaPrivilege>()
  const gather = async (): Promise<void> => {
    for (const row of await ask(reachableColumnsStatement)) addColumn(columns, toColumn(row))
    for (const object of (await ask(visibleStatement)).map(toObject))
      objects.set(JSON.stringify(object), object)
    for (const probe of schemaProbes) {
      const { schema, privilege } = probe
      if (await isAllowed(ask, probe)) schemas.set(JSON.stringify([schema, privilege]), { schema, privilege })
    }
  }
  await ask(noRoleStatement)
  await gather()
  for (const statement of isMariaDb ? roles.map(({ role }) => renderTakeRole(role)) : [allRolesStatement]) {
    if (roles.length === 0) break
    await ask(statement)
    await gather()
  }
  return {
    columns: [...columns.values()],
    objects: [...objects.values()],
    schemas: [...schemas.values()].map((one) => ({ ...one, schema: one.schema || database })),
  }
}

/** Whether the server gets beyond the privileges of a probe, which names nothing that exists. */
async function isAllowed(ask: RunQuery, { statement }: SchemaProbe): Promise<boolean> {
  try {
    await ask(statement)
    return true
  } catch (error) {
    if (isAccessDenied(error)) return false
    if (isMissingObject(error)) return true
    throw error
  }
}

function addColumn(columns: Map<string, ReachableColumn>, column: ReachableColumn): void {
  const key = JSON.stringify([column.table, column.column])
  const known = columns.get(key)?.privileges ?? []
  columns.set(key, { ...column, privileges: [...new Set([...known, ...column.privileges])] })
}

function toColumn(row: Row): ReachableColumn {
  return {
    table: String(row['table']),
    column: String(row['column']),
    privileges: String(row['privileges']).toLowerCase().split(','),
    expression: typeof row['expression'] === 'string' ? row['expression'] : '',
  }
}

function toObject(row: Row): VisibleObject {
  return { database: String(row['database']), name: String(row['name']), sort: String(row['sort']) }
}
