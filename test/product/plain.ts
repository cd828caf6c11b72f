import { createHash } from 'node:crypto'
import { keySeeds } from './key-seeds.js'
import {
  canary,
  canaryDay,
  canaryNumber,
  canaryPair,
  inRepository,
  toDatabaseTime,
  toDecimal,
  toPublicTime,
} from './product.js'
import type { Cell, Product, View } from './product.js'
import { minorDigits } from './truth.js'
import type { InvoiceTruth, RegistrationTruth, Truth } from './truth.js'

/** The product as its own team hands over its schema. */
export const plain: Product = {
  name: 'plain',
  toInvoiceEvent: ({ event }) => event,
  schemaFile: inRepository('test/product/plain.sql'),
  mappingFile: inRepository('config/mapping.yaml'),
  workspaceId: (workspace) => toUlid(`workspace ${workspace}`, 0),
  eventId: (event) => toUlid(`event ${event}`, Date.UTC(2025, 8, 1 + event)),
  fractionDigits: { registrations: 3, invoices: 3 },
  toSortKey: { registrations: (id) => id, invoices: (id) => id },
  toRows: (truth) => [
    {
      table: 'workspaces',
      columns: ['id', 'name'],
      values: truth.workspaces.map((name, at) => [plain.workspaceId(at), name]),
    },
    { table: 'workspace_api_keys', columns: keyColumns, values: toKeyRows() },
    {
      table: 'event_registrations',
      columns: registrationColumns,
      values: truth.registrations.map(toRegistrationRow),
    },
    { table: 'invoices', columns: invoiceColumns, values: toInvoiceRows(truth) },
  ],
  toRegistration: (truth) => (truth.archived === 'no' ? toRegistrationView(truth) : undefined),
  toInvoice: (truth) => (truth.archived === 'no' && !truth.broken ? toInvoiceView(truth) : undefined),
}

const keyColumns = ['workspace_id', 'label', 'key_hash', 'scopes', 'expires_at', 'revoked_at']
const registrationColumns = [
  'id',
  'workspace_id',
  'event_id',
  'reg_status',
  'attendee_name',
  'attendee_email',
  'attendee_phone',
  'attendee_company',
  'attendee_job_title',
  'attendee_country',
  'attendee_city',
  'badge_qr_token',
  'checked_in_at',
  'archived_at',
  'created_at',
  'updated_at',
]
const invoiceColumns = [
  'id',
  'workspace_id',
  'event_id',
  'invoice_no',
  'invoice_status',
  'currency_code',
  'subtotal',
  'discount_total',
  'vat_total',
  'grand_total',
  'amount_paid',
  'balance_due',
  'issue_date',
  'due_date',
  'einv_submission_id',
  'einv_signed_xml',
  'einv_hash',
  'einv_cleared_at',
  'archived_at',
  'created_at',
  'updated_at',
]

function toKeyRows(): readonly (readonly Cell[])[] {
  return keySeeds.map((key) => [
    plain.workspaceId(key.workspace),
    `${canary} label ${key.label}`,
    key.hash.toString('hex'),
    key.scopes.join(' '),
    key.expired ? '2026-01-31 23:59:59.999' : null,
    key.revoked ? '2026-02-01 00:00:00.000' : null,
  ])
}

function toRegistrationRow(truth: RegistrationTruth): readonly Cell[] {
  const { key } = truth
  return [
    toUlid(`registration ${key}`, truth.createdAt / 1000),
    plain.workspaceId(truth.workspace),
    plain.eventId(truth.event),
    toStatus(truth),
    `${truth.first} ${truth.last}`,
    truth.email,
    `${canary} phone ${key}`,
    `${canary} company ${key}`,
    `${canary} job ${key}`,
    canaryPair,
    `${canary} city ${key}`,
    `${canary}badge${key}`.padEnd(43, 'x'),
    truth.checkedInAt === null ? null : toDatabaseTime(truth.checkedInAt, 3),
    truth.archived === 'no' ? null : toDatabaseTime(truth.updatedAt, 3),
    toDatabaseTime(truth.createdAt, 3),
    toDatabaseTime(truth.updatedAt, 3),
  ]
}

/** An older release wrote some in small letters, which the column's collation takes for the same. */
function toStatus({ key, status }: RegistrationTruth): string {
  return key % 23 === 7 ? status.toLowerCase() : status
}

function toRegistrationView(truth: RegistrationTruth): View {
  return {
    id: toUlid(`registration ${truth.key}`, truth.createdAt / 1000),
    eventId: plain.eventId(truth.event),
    status: toStatus(truth),
    name: `${truth.first} ${truth.last}`,
    email: truth.email,
    checkedIn: truth.checkedInAt !== null,
    checkedInAt: truth.checkedInAt === null ? null : toPublicTime(truth.checkedInAt),
    createdAt: toPublicTime(truth.createdAt),
    updatedAt: toPublicTime(truth.updatedAt),
  }
}

function toInvoiceRows({ invoices }: Truth): readonly (readonly Cell[])[] {
  return invoices.map((truth) => {
    const { key } = truth
    return [
      toUlid(`invoice ${key}`, truth.createdAt / 1000),
      plain.workspaceId(truth.workspace),
      truth.event === null ? null : plain.eventId(truth.event),
      `INV-2026-${truth.number}`,
      truth.status,
      truth.broken ? 'ZZZ' : truth.currency,
      `${canaryNumber}.0001`,
      `${canaryNumber}.0002`,
      `${canaryNumber}.0003`,
      toStoredTotal(truth),
      `${canaryNumber}.0004`,
      `${canaryNumber}.0005`,
      toPublicTime(truth.issuedAt).slice(0, 10),
      toDueDate(truth),
      `${canary} submission ${key}`,
      `<Invoice>${canary} xml ${key}</Invoice>`,
      `${canary} hash ${key}`,
      `${canaryDay} 23:59:59.999`,
      truth.archived === 'no' ? null : toDatabaseTime(truth.updatedAt, 3),
      toDatabaseTime(truth.createdAt, 3),
      toDatabaseTime(truth.updatedAt, 3),
    ]
  })
}

/** Every seventh amount has a fraction of the smallest coin, where the column's four decimals leave room. */
function toExtra(truth: InvoiceTruth): string {
  return truth.key % 7 === 3 && minorDigits[truth.currency] === 2 ? '34' : ''
}

function toStoredTotal(truth: InvoiceTruth): string {
  return `${toDecimal(truth.minor, truth.currency)}${toExtra(truth)}`
}

/** This product always has a due date; where the truth has none, it is the day of issue. */
function toDueDate(truth: InvoiceTruth): string {
  return toPublicTime(truth.dueAt ?? truth.issuedAt).slice(0, 10)
}

function toInvoiceView(truth: InvoiceTruth): View {
  return {
    id: toUlid(`invoice ${truth.key}`, truth.createdAt / 1000),
    number: `INV-2026-${truth.number}`,
    status: truth.status,
    total: toStoredTotal(truth),
    currency: truth.currency,
    issueDate: toPublicTime(truth.issuedAt).slice(0, 10),
    dueDate: toDueDate(truth),
    createdAt: toPublicTime(truth.createdAt),
    updatedAt: toPublicTime(truth.updatedAt),
  }
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID: ten letters of time, and sixteen that here follow from a name instead of chance. */
function toUlid(name: string, ms: number): string {
  const digest = createHash('sha256').update(name).digest()
  const letters = [...digest.subarray(0, 16)].map((byte) => crockford[byte % 32])
  let rest = Math.floor(ms)
  for (let at = 0; at < 10; at += 1) {
    letters.unshift(crockford[rest % 32])
    rest = Math.floor(rest / 32)
  }
  return letters.join('')
}
