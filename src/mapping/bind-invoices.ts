import type { Schema } from '../database/schema.js'
import { toBound } from './bound.js'
import type { Bound, InvoiceColumns } from './bound.js'
import type { ColumnFinder } from './find-columns.js'
import { nameOf } from './mapped-columns.js'
import type { Mapping } from './mapping-schema.js'
import type { EventLink, IdentifierColumn, TimeColumn } from './source.js'

/** The columns of invoices, and what their statements select. */
export function bindInvoices(
  section: Mapping['invoices'],
  schema: Schema,
  finderOf: (table: string, path: string) => ColumnFinder,
): Bound<InvoiceColumns> {
  const { fields } = section
  const finder = finderOf(section.table, 'invoices')
  const columns: InvoiceColumns = {
    id: finder.findIdentifier(fields.id, 'fields.id'),
    number: finder.findStatus(fields.number, 'fields.number'),
    status: finder.findStatus(fields.status, 'fields.status'),
    total: finder.find(nameOf(fields.total), ['decimal', 'integer'], 'fields.total'),
    totalUnit: typeof fields.total === 'string' ? 'major' : fields.total.unit,
    currency:
      typeof fields.currency === 'string'
        ? finder.find(fields.currency, ['text'], 'fields.currency')
        : fields.currency,
    issueDate: findDay(finder, fields.issueDate, 'fields.issueDate'),
    dueDate: findDay(finder, fields.dueDate, 'fields.dueDate'),
    createdAt: finder.findTime(fields.createdAt, 'fields.createdAt'),
    updatedAt: finder.findTime(fields.updatedAt, 'fields.updatedAt'),
  }
  const selected = [
    { as: 'id', column: columns.id.column },
    { as: 'number', column: columns.number.column },
    { as: 'status', column: columns.status.column },
    { as: 'total', column: columns.total },
    ...('constant' in columns.currency ? [] : [{ as: 'currency', column: columns.currency }]),
    { as: 'issueDate', column: columns.issueDate.column },
    { as: 'dueDate', column: columns.dueDate.column },
    { as: 'createdAt', column: columns.createdAt.column },
    { as: 'updatedAt', column: columns.updatedAt.column },
  ]
  return toBound(section, schema, finder, {
    columns,
    eventId: bindInvoiceEvent(section.eventId, finder, finderOf),
    selected,
  })
}

function findDay(finder: ColumnFinder, name: string, path: string): TimeColumn {
  const column = finder.find(name, ['date', 'datetime', 'timestamp'], path)
  return column.kind === 'datetime' ? finder.findTime(name, path) : { column, offsetMinutes: 0 }
}

function bindInvoiceEvent(
  option: Mapping['invoices']['eventId'],
  finder: ColumnFinder,
  finderOf: (table: string, path: string) => ColumnFinder,
): IdentifierColumn | EventLink {
  if (typeof option === 'string' || 'column' in option) return finder.findIdentifier(option, 'eventId')
  const link = finderOf(option.table, 'invoices.eventId')
  return {
    table: option.table,
    invoice: link.findIdentifier(option.invoice, 'invoice'),
    event: link.findIdentifier(option.event, 'event'),
  }
}
