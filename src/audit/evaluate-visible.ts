import { toQuotedName, toQuotedPlace } from '../database/sql.js'
import { createError } from '../finding.js'
import type { Finding } from '../finding.js'
import { isNeverRead } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Account } from './account.js'
import { isAdministrator } from './evaluate-account.js'
import { toGrantObject } from './grant-lines.js'
import { renderSameName, toUserName } from './grants-sql.js'
import { covers, isSameTable, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { Visible, VisibleObject } from './visible.js'

/**
 * A finding for everything that the server shows and the mapping does not need. SHOW GRANTS and the server show the same
 * privileges in two ways, so that the audit does not depend on one of them.
 *
 * @param fromLines what `evaluateAccount` found; its fixes take a column of `neverRead` away.
 */
export function evaluateVisible(
  mapping: Mapping,
  account: Account,
  { columns, objects, schemas, histograms }: Visible,
  fromLines: readonly Finding[],
): readonly Finding[] {
  if (isAdministrator(account)) return []
  const { casedTables, database } = account
  const isForbidden = ({ table, column }: { table: string; column: string }): boolean =>
    isNeverRead(mapping.neverRead, table, column)
  const mapped = listMappedColumnsByTable(mapping, casedTables)
  const isMapped = ({ table, column }: { table: string; column: string }): boolean =>
    mapped.get(toTableKey(table, casedTables))?.has(column.toLowerCase()) === true
  const read = columns.filter((one) => one.privilege === 'SELECT' && isForbidden(one))
  const foreign = columns
    .filter((one) => !read.includes(one) && !(one.privilege === 'SELECT' && isMapped(one)))
    .filter(
      ({ table, column, privilege }) => !isGranted(account, { database, name: table, privilege, column }),
    )
  return [
    ...read.map((one) => toNeverReadFinding(one, account, fromLines)),
    ...foreign.map(({ table, column, privilege }) =>
      toForeignFinding(`${table}.${column}`, privilege, account),
    ),
    ...histograms.filter(isForbidden).map(toHistogramFinding),
    ...schemas
      .filter(({ schema }) => !isGranted(account, { database: schema, name: '' }))
      .map(({ schema, privilege }) => toForeignFinding(`${toQuotedName(schema)}.*`, privilege, account)),
    // An object of another schema is found with its schema, which can hold a hundred of them.
    ...objects
      .filter((one) => one.database === database || !schemas.some(({ schema }) => schema === one.database))
      .filter((one) => !isGranted(account, one))
      .map((one) => toForeignFinding(toObjectText(one), undefined, account)),
  ]
}

interface Use extends Pick<VisibleObject, 'database' | 'name'> {
  readonly privilege?: string
  readonly column?: string
}

/**
 * Whether a line of the account allows a use, which is then evaluated with the lines. Without a privilege, any makes the
 * object visible. The name is empty for what only a grant on the whole schema allows, and `*` for what any within it does.
 */
function isGranted({ held, casedTables }: Account, { database, name, privilege, column }: Use): boolean {
  return held.some((one) => {
    const place = toGrantObject(one.object)
    if (place === undefined || one.privilege === 'USAGE') return false
    const isOver =
      place.name === '*'
        ? covers(place.database, database)
        : isSameTable(place, { database, name: name === '*' ? place.name : name }, casedTables)
    const gives = privilege === undefined || [privilege, 'ALL PRIVILEGES'].includes(one.privilege)
    const isColumn =
      one.column === undefined || column === undefined || one.column.toLowerCase() === column.toLowerCase()
    return isOver && gives && isColumn
  })
}

function toNeverReadFinding(
  { table, column }: Visible['columns'][number],
  account: Account,
  fromLines: readonly Finding[],
): Finding {
  const causes = fromLines.filter(({ problem }) => problem.includes('neverRead'))
  const fixes = causes.length === 0 ? [adviseForeign(account)] : causes.map(({ fix }) => fix)
  const problem = `${account.account} can read this column, which neverRead forbids`
  return createError(`${table}.${column}`, problem, [...new Set(fixes)].join(' '), 'SELECT')
}

function toHistogramFinding({ database, table, column }: Visible['histograms'][number]): Finding {
  const problem =
    'neverRead forbids this column, and it has a histogram: information_schema.column_statistics shows its values to everyone who can see the table'
  const fix = `ANALYZE TABLE ${toQuotedPlace(database, table)} DROP HISTOGRAM ON ${toQuotedName(column)};`
  return createError(`${table}.${column}`, problem, fix, 'SELECT')
}

function toForeignFinding(object: string, privilege: string | undefined, account: Account): Finding {
  const problem = 'allowed, but not by a grant of this account: a grant of another account applies to it too'
  return createError(object, problem, adviseForeign(account), privilege ?? 'some privilege')
}

/** The servers add the grants of every account whose name and host match, and list only those of the first. */
function adviseForeign({ account }: Account): string {
  return `drop the other account, or revoke its privileges. This query lists it: ${renderSameName(toUserName(account))}`
}

function toObjectText({ database, name, type }: VisibleObject): string {
  const place = name === '*' ? `${toQuotedName(database)}.*` : toQuotedPlace(database, name)
  return type === 'procedure' || type === 'function' ? `${type.toUpperCase()} ${place}` : place
}
