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
  toTable,
} from './product.js'
import type { Cell, Product, View } from './product.js'
import { minorDigits } from './truth.js'
import type { InvoiceTruth, RegistrationTruth } from './truth.js'

/** The product as its own team hands over its schema. */
export const plain: Product = {
  name: 'plain',
  schemaFile: inRepository('test/product/plain.sql'),
  mappingFile: inRepository('config/mapping.yaml'),
  workspaceId: (workspace) => toUlid(`workspace ${workspace}`, 0),
  eventId: (event) => toUlid(`event ${event}`, Date.UTC(2025, 8, 1 + event)),
  fractionDigits: { registrations: 3, invoices: 3 },
  toSortKey: { registrations: (id) => id, invoices: (id) => id },
  toRows: (truth) => [
    toTable(
      'workspaces',
      truth.workspaces.map((name, at) => ({ id: plain.workspaceId(at), name })),
    ),
    toTable('workspace_api_keys', keySeeds.map(toKeyRow)),
    toTable('event_registrations', truth.registrations.map(toRegistrationRow)),
    toTable('invoices', truth.invoices.map(toInvoiceRow)),
  ],
  toRegistration: (truth) => (truth.archived === 'no' ? toRegistrationView(truth) : undefined),
  toInvoice: (truth) => (truth.archived === 'no' && !truth.broken ? toInvoiceView(truth) : undefined),
}

function toKeyRow(key: (typeof keySeeds)[number]): Record<string, Cell> {
  return {
    workspace_id: plain.workspaceId(key.workspace),
    label: `${canary} label ${key.label}`,
    key_hash: key.hash.toString('hex'),
    scopes: key.scopes.join(' '),
    expires_at: key.expired ? '2026-01-31 23:59:59.999' : null,
    revoked_at: key.revoked ? '2026-02-01 00:00:00.000' : null,
  }
}

function toRegistrationRow(truth: RegistrationTruth): Record<string, Cell> {
  const { key } = truth
  return {
    id: toUlid(`registration ${key}`, truth.createdAt / 1000),
    workspace_id: plain.workspaceId(truth.workspace),
    event_id: plain.eventId(truth.event),
    reg_status: toStatus(truth),
    attendee_name: `${truth.first} ${truth.last}`,
    attendee_email: truth.email,
    attendee_phone: `${canary} phone ${key}`,
    attendee_company: `${canary} company ${key}`,
    attendee_job_title: `${canary} job ${key}`,
    attendee_country: canaryPair,
    attendee_city: `${canary} city ${key}`,
    badge_qr_token: `${canary}badge${key}`.padEnd(43, 'x'),
    checked_in_at: truth.checkedInAt === null ? null : toDatabaseTime(truth.checkedInAt, 3),
    archived_at: truth.archived === 'no' ? null : toDatabaseTime(truth.updatedAt, 3),
    created_at: toDatabaseTime(truth.createdAt, 3),
    updated_at: toDatabaseTime(truth.updatedAt, 3),
  }
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

function toInvoiceRow(truth: InvoiceTruth): Record<string, Cell> {
  const { key } = truth
  return {
    id: toUlid(`invoice ${key}`, truth.createdAt / 1000),
    workspace_id: plain.workspaceId(truth.workspace),
    event_id: truth.event === null ? null : plain.eventId(truth.event),
    invoice_no: `INV-2026-${truth.number}`,
    invoice_status: truth.status,
    currency_code: truth.broken ? 'ZZZ' : truth.currency,
    subtotal: `${canaryNumber}.0001`,
    discount_total: `${canaryNumber}.0002`,
    vat_total: `${canaryNumber}.0003`,
    grand_total: toStoredTotal(truth),
    amount_paid: `${canaryNumber}.0004`,
    balance_due: `${canaryNumber}.0005`,
    issue_date: toPublicTime(truth.issuedAt).slice(0, 10),
    due_date: toDueDate(truth),
    einv_submission_id: `${canary} submission ${key}`,
    einv_signed_xml: `<Invoice>${canary} xml ${key}</Invoice>`,
    einv_hash: `${canary} hash ${key}`,
    einv_cleared_at: `${canaryDay} 23:59:59.999`,
    archived_at: truth.archived === 'no' ? null : toDatabaseTime(truth.updatedAt, 3),
    created_at: toDatabaseTime(truth.createdAt, 3),
    updated_at: toDatabaseTime(truth.updatedAt, 3),
  }
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
