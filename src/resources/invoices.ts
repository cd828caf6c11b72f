import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { Bound, InvoiceColumns } from '../mapping/bound.js'
import type { Row } from '../database/statement.js'
import type { TimeColumn } from '../mapping/source.js'
import { readCurrency } from '../values/currency.js'
import { readDate } from '../values/date.js'
import { readMoney } from '../values/money.js'
import {
  createIdentifierReader,
  createStatusReader,
  createTimeReader,
  listStatuses,
  named,
} from './collection.js'
import type { ResolvedResource, ReadCell } from './collection.js'
import { DayField, IdentifierField, NullableDayField, StatusField, TimestampField } from './fields.js'

/** An invoice as callers see it. Source: `docs/contract.md`, "Records". */
export const InvoiceSchema = Type.Object(
  {
    id: IdentifierField('Unique among the invoices of all workspaces.', '01JNCA0M3R5T7V9X1Z3B5D7F9H'),
    number: Type.String({ description: 'The number printed on the invoice.', examples: ['INV-2026-00042'] }),
    status: StatusField('ISSUED'),
    total: Type.String({
      pattern: '^-?\\d+(\\.\\d+)?$',
      description:
        'The grand total as an exact decimal: at least as many decimals as the currency has minor digits, more only where the stored amount has them. Parse it with a decimal type, never as a float.',
      examples: ['115.50'],
    }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['SAR'] }),
    issueDate: DayField('The day of issue.'),
    dueDate: NullableDayField('The day by which it is to be paid; null where the product leaves it empty.'),
    createdAt: TimestampField('When the invoice was made.', '2026-03-01T08:00:00.000Z'),
    updatedAt: TimestampField('When the invoice last changed.', '2026-03-01T09:30:00.123Z'),
  },
  { $id: 'Invoice', additionalProperties: false, description: 'One invoice that the workspace issued.' },
)

/** An invoice as callers see it. */
export type InvoiceView = Static<typeof InvoiceSchema>

/** The invoices of a mapped table. */
export function createInvoices(bound: Bound<InvoiceColumns>): ResolvedResource<InvoiceView> {
  const { table: source, columns, invalidRows } = bound
  return {
    name: 'invoices',
    scope: 'invoices.read',
    table: source,
    invalidRows,
    statuses: listStatuses(columns.status.values?.values()),
    schema: InvoiceSchema,
    toView: createInvoiceMapper(columns),
  }
}

function createInvoiceMapper(columns: InvoiceColumns): (row: Row) => InvoiceView {
  const readId = createIdentifierReader('id', columns.id)
  const readNumber = createIdentifierReader('number', columns.number)
  const readStatus = createStatusReader(columns.status)
  const readCode = createCurrencyReader(columns)
  const readIssueDate = createDayReader('issueDate', columns.issueDate)
  const readDueDate = createDayReader('dueDate', columns.dueDate)
  const readCreatedAt = createTimeReader('createdAt', columns.createdAt)
  const readUpdatedAt = createTimeReader('updatedAt', columns.updatedAt)
  return (row) => {
    const currency = readCode(row['currency'])
    const readTotal = named('total', (cell) => readMoney(cell, currency, columns.totalUnit))
    return {
      id: readId(row['id']),
      number: readNumber(row['number']),
      status: readStatus(row['status']),
      total: readTotal(row['total']),
      currency,
      issueDate: readIssueDate(row['issueDate']),
      dueDate: row['dueDate'] === null ? null : readDueDate(row['dueDate']),
      createdAt: readCreatedAt(row['createdAt']),
      updatedAt: readUpdatedAt(row['updatedAt']),
    }
  }
}

function createCurrencyReader({ currency }: InvoiceColumns): ReadCell {
  return 'constant' in currency ? () => currency.constant : named('currency', readCurrency)
}

/** A DATE stays a date; what keeps the time of day becomes a timestamp. */
function createDayReader(field: string, time: TimeColumn): ReadCell {
  return time.column.kind === 'date' ? named(field, readDate) : createTimeReader(field, time)
}
