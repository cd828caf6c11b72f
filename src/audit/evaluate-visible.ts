import { toQuotedName, toQuotedPlace } from '../database/sql.js'
import { createError } from '../finding.js'
import type { Finding } from '../finding.js'
import { isNeverRead } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Account } from './account.js'
import { adviseComparison, isAdministrator } from './evaluate-account.js'
import { toGrantObject } from './grant-lines.js'
import { renderSameName, toUserName } from './grants-sql.js'
import { covers, isSameTable, listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { Visible, VisibleObject } from './visible.js'

/**
 * A finding for everything that the server shows and the mapping does not need. SHOW GRANTS and the server show the same
 * privileges in two ways, so that the audit does not depend on one of them.
 *
 * @param isInLines whether `evaluateAccount` found errors, which can be why a column of `neverRead` can be read.
 */
export function evaluateVisible(
  mapping: Mapping,
  account: Account,
  { columns, objects, schemas, histograms }: Visible,
  isInLines: boolean,
): readonly Finding[] {
  if (isAdministrator(account)) return []
  const { casedTables, database } = account
  const isForbidden = ({ table, column }: Record<'table' | 'column', string>): boolean =>
    isNeverRead(mapping.neverRead, table, column)
  const mapped = listMappedColumnsByTable(mapping, casedTables)
  const read = columns.filter((one) => one.privilege === 'SELECT' && isForbidden(one))
  const found = [
    ...read.map((one) => toNeverReadFinding(one, account, isInLines)),
    ...histograms.filter(isForbidden).map(toHistogramFinding),
  ]
  // What the lines give is visible too. It is revoked first.
  if (isInLines) return found
  const foreign = columns.filter(({ table, column, privilege }) => {
    const names = mapped.get(toTableKey(table, casedTables))
    return privilege !== 'SELECT' || names?.has(column.toLowerCase()) !== true
  })
  return [
    ...found,
    ...foreign
      .filter((one) => !read.includes(one))
      .map(({ table, column, privilege }) => toForeignFinding(`${table}.${column}`, privilege, account)),
    ...schemas.map(({ schema, privilege }) =>
      toForeignFinding(`${toQuotedName(schema)}.*`, privilege, account),
    ),
    // An object of another schema is found with its schema, which can hold a hundred of them.
    ...objects
      .filter((one) => one.database === database || !schemas.some(({ schema }) => schema === one.database))
      .filter((one) => !isNamed(account, one))
      .map((one) => toForeignFinding(toObjectText(one), undefined, account)),
  ]
}

/** Whether a line of the account names an object, which makes it visible; `*` is a schema, of which a line names any part. */
function isNamed({ held, casedTables }: Account, { database, name }: VisibleObject): boolean {
  return held.some(({ object }) => {
    const place = toGrantObject(object)
    if (place === undefined || place.database === '*') return false
    if (place.name === '*') return covers(place.database, database)
    return isSameTable(place, { database, name: name === '*' ? place.name : name }, casedTables)
  })
}

function toNeverReadFinding(
  { table, column }: Visible['columns'][number],
  account: Account,
  isInLines: boolean,
): Finding {
  const fix = isInLines ? adviseComparison(account) : adviseForeign(account)
  const problem = `${account.account} can read this column, which neverRead forbids`
  return createError(`${table}.${column}`, problem, fix, 'SELECT')
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
