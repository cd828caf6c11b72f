import type { Row } from '../../src/database/statement.js'

/** The invoice `I<index>`, as the driver returns it for the plain mapping. */
export function buildInvoiceRow(index: number, changed: Row = {}): Row {
  return {
    id: `I${index}`,
    number: `INV-${index}`,
    status: 'PAID',
    total: '115.5000',
    currency: 'SAR',
    issueDate: '2026-03-01',
    dueDate: null,
    createdAt: '2026-03-01 08:00:00.000',
    updatedAt: `2026-03-01 09:00:0${index}.000`,
    ...changed,
  }
}
