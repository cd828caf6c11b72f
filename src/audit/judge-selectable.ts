import { toQuotedName } from '../db/quote.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { isNeverRead } from '../mapping/never-read.js'
import type { Finding } from './finding.js'
import { listMappedColumnsByTable, toTableKey } from './mapped-tables.js'
import type { Privileges, SelectableColumn } from './privileges.js'

/**
 * A finding for each column that the server itself says can be selected, and that the mapping forbids or does
 * not ask for. It is the same wall as the grants, seen from the other side, so that neither reading of it is
 * trusted alone.
 *
 * @param known findings of the grants, which say how such a column is reached.
 */
export function judgeSelectable(
  mapping: Mapping,
  privileges: Privileges,
  known: readonly Finding[],
): readonly Finding[] {
  const tables = listMappedColumnsByTable(mapping, privileges.casedTables)
  return privileges.selectable.flatMap(({ table, column, expression }) => {
    const mapped = tables.get(toTableKey(table, privileges.casedTables))?.has(column.toLowerCase()) === true
    const forbidden = isNeverRead(mapping.neverRead, table, column)
    if (forbidden) return [toForbiddenFinding({ table, column, expression }, privileges, known)]
    if (mapped) return judgeExpression({ table, column, expression }, mapping)
    return known.length === 0 ? [toUnmappedFinding({ table, column, expression }, privileges)] : []
  })
}

function toForbiddenFinding(
  { table, column }: SelectableColumn,
  privileges: Privileges,
  known: readonly Finding[],
): Finding {
  const ways = known.filter(({ problem }) => problem.includes('neverRead'))
  return {
    severity: 'error',
    object: `${table}.${column}`,
    privilege: 'SELECT',
    problem: `${privileges.account} can read this column, which neverRead forbids`,
    mend:
      ways.length === 0
        ? renderRevokeColumn({ table, column }, privileges)
        : [...new Set(ways.map(({ mend }) => mend))].join(' '),
  }
}

function toUnmappedFinding({ table, column }: SelectableColumn, privileges: Privileges): Finding {
  return {
    severity: 'error',
    object: `${table}.${column}`,
    privilege: 'SELECT',
    problem: `${privileges.account} can read this column, which the mapping does not name`,
    mend: renderRevokeColumn({ table, column }, privileges),
  }
}

function renderRevokeColumn(
  { table, column }: Pick<SelectableColumn, 'table' | 'column'>,
  { database, account }: Privileges,
): string {
  return `REVOKE SELECT (${toQuotedName(column)}) ON ${toQuotedName(database)}.${toQuotedName(table)} FROM ${account};`
}

/** A generated column may show what another column holds. */
function judgeExpression(
  { table, column, expression }: SelectableColumn,
  { neverRead }: Mapping,
): readonly Finding[] {
  const names = [...expression.matchAll(/`((?:[^`]|``)*)`|([\p{L}\p{N}_$]+)/gu)].map(([, quoted, bare]) =>
    (quoted ?? bare ?? '').replaceAll('``', '`'),
  )
  const forbidden = names.find((name) => isNeverRead(neverRead, table, name))
  if (forbidden === undefined) return []
  return [
    {
      severity: 'error',
      object: `${table}.${column}`,
      privilege: 'SELECT',
      problem: `a generated column made of ${forbidden}, which neverRead forbids`,
      mend: 'map another column, or leave that one out of the expression',
    },
  ]
}
