import { toQuotedName, toQuotedPlace } from '../db/quote.js'
import type { Schema } from '../db/read-schema.js'
import type { Fault } from '../errors.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Finding } from './finding.js'
import type { Privileges } from './privileges.js'

/** Public fields that may be null, so that an empty cell is no fault of the row. */
const nullableFields = ['registrations.fields.checkedInAt', 'invoices.fields.dueDate']

/** A warning for each column that may be empty where the public field never is: such rows cannot be shown. */
export function judgeNullability(mapping: Mapping, schema: Schema): readonly Finding[] {
  return listMappedColumns(mapping).flatMap(({ table, column, path }): readonly Finding[] => {
    const found = schema.get(table)?.columns.get(column.toLowerCase())
    const isField = path.includes('.fields.') && !nullableFields.includes(path)
    if (found?.nullable !== true || !isField) return []
    return [
      {
        severity: 'warning',
        object: `${table}.${found.name}`,
        privilege: null,
        problem: `may be NULL, and ${path.replace('.fields.', '.')} may not: such a row cannot be shown`,
        mend: `make the column NOT NULL (it is ${found.type}), if the product always fills it`,
      },
    ]
  })
}

/** What is wrong between the mapping and the live schema, as findings. */
export function toSchemaFindings(
  faults: readonly Fault[],
  mapping: Mapping,
  { schema, privileges }: { readonly schema: Schema; readonly privileges: Privileges },
): readonly Finding[] {
  const mapped = listMappedColumns(mapping)
  return faults.map(({ path, found, allowed }) => {
    const unseen = mapped.find(
      (one) => one.path === path && schema.get(one.table)?.columns.has(one.column.toLowerCase()) !== true,
    )
    const { database, account } = privileges
    return {
      severity: 'error',
      object: path,
      privilege: null,
      problem: `found ${found}; allowed: ${allowed}`,
      mend:
        unseen === undefined
          ? 'correct the mapping, or map a column of such a type'
          : `GRANT SELECT (${toQuotedName(unseen.column)}) ON ${toQuotedPlace(database, unseen.table)} TO ${account}; or correct the mapping, if there is no such column`,
    }
  })
}
