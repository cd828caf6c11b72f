import { toQuotedName, toQuotedPlace } from '../database/quote.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { isNeverRead } from '../mapping/never-read.js'
import type { Finding } from './finding.js'
import type { GrantObject } from './grant.js'
import { covers, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { Privileges, ReachableColumn, VisibleObject } from './privileges.js'
import { isReplicaPrivilege } from './replica-privileges.js'
import { renderSameName, toUserName } from './same-name.js'

/**
 * Findings of what the server itself says the account can reach. It is the same wall as the grants, seen from the
 * other side, so that neither reading of it is trusted alone.
 *
 * @param known findings of the grants, which say how such a thing is reached.
 */
export function judgeReach(
  mapping: Mapping,
  privileges: Privileges,
  known: readonly Finding[],
): readonly Finding[] {
  const tables = listMappedColumnsByTable(mapping, privileges.casedTables)
  const toKey = (table: string): string => toTableKey(table, privileges.casedTables)
  const isMapped = (table: string, column: string): boolean =>
    tables.get(toKey(table))?.has(column.toLowerCase()) === true
  return [
    ...privileges.reach.columns.flatMap((reached) => {
      const { table, column } = reached
      if (isNeverRead(mapping.neverRead, table, column) && reached.privileges.includes('select'))
        return [toForbiddenFinding(reached, privileges, known)]
      const mapped = isMapped(table, column)
      const foreign = reached.privileges.filter(
        (name) => !(mapped && name === 'select') && !isGranted(privileges, reached, name),
      )
      return foreign.length === 0
        ? []
        : [toForeignFinding(`${table}.${column}`, foreign.join(', ').toUpperCase(), privileges)]
    }),
    ...judgeSchemas(privileges),
    ...privileges.reach.objects
      .filter((object) => !isExplained(privileges, object) && !isOfSchema(privileges, object))
      .map((object) => toForeignFinding(toObjectText(object), null, privileges)),
  ]
}

/** Privileges on whole schemas that no grant on a schema, or on everything, gives. */
function judgeSchemas(privileges: Privileges): readonly Finding[] {
  return privileges.reach.schemas
    .filter(({ schema }) => !isSchemaExplained(privileges, schema))
    .map(({ schema, privilege }) =>
      toForeignFinding(`${toQuotedName(schema)}.*`, privilege ?? null, privileges),
    )
}

function isSchemaExplained({ grants }: Privileges, schema: string): boolean {
  return grants.some(
    ({ object, privileges, grantable }) =>
      object.name === '*' &&
      covers(object.database, schema) &&
      (grantable || privileges.some(({ name }) => name !== 'USAGE' && !isReplicaPrivilege(name, object))),
  )
}

/** Whether an object of another schema is found with its schema, which may hold a hundred of them. */
function isOfSchema({ reach, database }: Privileges, object: VisibleObject): boolean {
  return object.database !== database && reach.schemas.some(({ schema }) => schema === object.database)
}

/** Whether one of the grants that SHOW GRANTS told gives the privilege; then it is judged there. */
function isGranted(
  { grants, database, casedTables }: Privileges,
  { table, column }: ReachableColumn,
  privilege: string,
): boolean {
  return grants.some(
    ({ object, privileges }) =>
      isOver(object, { database, name: table }, casedTables) &&
      privileges.some(
        ({ name, columns }) =>
          (name === privilege.toUpperCase() || name === 'ALL PRIVILEGES') &&
          (columns.length === 0 || columns.some((one) => one.toLowerCase() === column.toLowerCase())),
      ),
  )
}

/** Whether one of those grants lets the object be seen. */
function isExplained({ grants, casedTables }: Privileges, seen: VisibleObject): boolean {
  return grants.some(
    ({ object, privileges, grantable }) =>
      isOver(object, seen, casedTables) &&
      (grantable || privileges.some(({ name }) => name !== 'USAGE' && !isReplicaPrivilege(name, object))),
  )
}

/** Whether a grant is on an object, on its schema or on everything; a schema is seen by any grant within it. */
function isOver(
  object: GrantObject,
  { database, name }: Pick<VisibleObject, 'database' | 'name'>,
  casedTables: boolean,
): boolean {
  const toKey = (one: string): string => toTableKey(one, casedTables)
  if (object.name === '*') return covers(object.database, database)
  if (toKey(object.database) !== toKey(database)) return false
  return name === '*' || toKey(object.name) === toKey(name)
}

function toForbiddenFinding(
  { table, column }: ReachableColumn,
  privileges: Privileges,
  known: readonly Finding[],
): Finding {
  const ways = known.filter(({ problem }) => problem.includes('neverRead'))
  return {
    severity: 'error',
    object: `${table}.${column}`,
    privilege: 'SELECT',
    problem: `${privileges.account} can read this column, which neverRead forbids`,
    fix: ways.length === 0 ? adviseForeign(privileges) : [...new Set(ways.map(({ fix }) => fix))].join(' '),
  }
}

function toForeignFinding(object: string, privilege: string | null, privileges: Privileges): Finding {
  return {
    severity: 'error',
    object,
    privilege: privilege ?? 'some privilege',
    problem:
      'within reach, though no grant of this account says so: one of another account counts for it too',
    fix: adviseForeign(privileges),
  }
}

/** The servers add the grants of every account whose name and host fit, and show only those of the first. */
function adviseForeign({ account }: Privileges): string {
  return `drop the other account, or revoke there what it has: ${renderSameName(toUserName(account))}`
}

function toObjectText({ database, name, sort }: VisibleObject): string {
  const place = name === '*' ? `${toQuotedName(database)}.*` : toQuotedPlace(database, name)
  return sort === 'procedure' || sort === 'function' ? `${sort.toUpperCase()} ${place}` : place
}
