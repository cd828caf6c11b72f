import { defineCollection } from './define-collection.js'
import { currency, money } from './money-fields.js'
import { status } from './status-field.js'
import { reference } from './text-fields.js'
import { changeTimestamp, day, nullableDay, timestamp } from './time-fields.js'
import { identifier } from './identifier-fields.js'

/** One invoice that the workspace issued. Source: `docs/contract.md`, "Records". */
export const invoices = defineCollection({
  name: 'invoices',
  typeName: 'Invoice',
  scope: 'invoices.read',
  description: 'One invoice that the workspace issued.',
  fields: {
    id: identifier({
      description: 'Unique among the invoices of all workspaces.',
      example: '01JNCA0M3R5T7V9X1Z3B5D7F9H',
    }),
    number: reference({ description: 'The number printed on the invoice.', example: 'INV-2026-00042' }),
    status: status({ example: 'ISSUED' }),
    total: money({
      description:
        'The grand total as an exact decimal: at least as many decimals as the currency has minor digits, more only where the stored amount has them. Parse it with a decimal type, never as a float.',
      example: '115.50',
      currency: 'currency',
    }),
    currency: currency({ example: 'SAR' }),
    issueDate: day({ description: 'The day of issue.', example: '2026-03-01' }),
    dueDate: nullableDay({
      description: 'The day by which it is to be paid; null where the product leaves it empty.',
      example: '2026-03-31',
    }),
    createdAt: timestamp({ description: 'When the invoice was made.', example: '2026-03-01T08:00:00.000Z' }),
    updatedAt: changeTimestamp({
      description: 'When the invoice last changed.',
      example: '2026-03-01T09:30:00.123Z',
    }),
  },
})
