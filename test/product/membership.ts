import { keySeeds } from './key-seeds.js'
import {
  canary,
  canaryDay,
  canaryNumber,
  inRepository,
  toBreakage,
  toPublicAmount,
  toPublicTime,
  toScaled,
  toSecond,
  toTable,
} from './product.js'
import type { Cell, Product, Rows, View } from './product.js'
import type {
  InvoiceStatus,
  InvoiceTruth,
  Micros,
  RegistrationStatus,
  RegistrationTruth,
  Truth,
} from './truth.js'

/** A product like TYPO3's extensions: times as integers, flags, and one club that owns everything. */
export const membership: Product = {
  name: 'membership',
  collections: ['registrations', 'invoices'],
  listsStatuses: ['registrations', 'invoices'],
  singleTenant: true,
  schemaFile: inRepository('test/product/membership.sql'),
  mappingFile: inRepository('test/product/membership.yaml'),
  workspaceId: () => '1',
  // Two of them in turn differ by case alone, which the collation ignores.
  eventId: (event) => (event % 2 === 0 ? `gala-${event}x` : `GALA-${event - 1}X`),
  fractionDigits: { registrations: 0, invoices: 3 },
  toSortKey: { registrations: (id) => id.padStart(20, '0'), invoices: (id) => id.padStart(20, '0') },
  toRows: (truth) => [
    toTable('tx_club_api_key', keySeeds.map(toKey)),
    toTable('fe_users', truth.registrations.map(toMember)),
    toTable('tx_club_participation', toParticipations(truth)),
    toFees(truth),
  ],
  toRegistration: (truth) =>
    truth.archived === 'no' && !truth.broken ? toRegistrationView(truth) : undefined,
  toInvoice: (truth) => (truth.archived === 'no' && !truth.broken ? toInvoiceView(truth) : undefined),
  toInvoiceEvent: ({ event }) => event,
}

/** Two codes that the mapping does not list. */
const states: Readonly<Record<RegistrationStatus, readonly number[]>> = {
  CONFIRMED: [1],
  PENDING: [0],
  CANCELLED: [-1],
  WAITLISTED: [2, 10],
}
const feeStates: Readonly<Record<InvoiceStatus, string>> = {
  DRAFT: 'draft',
  ISSUED: 'open',
  PAID: 'paid',
  VOID: 'void',
}

/** Ways in which a row cannot be shown: no such member, no address, no time of either kind. */
const participationBreakages = ['member', 'email', 'created', 'changed'] as const
/** No state, no number, no time of change. */
const feeBreakages = ['state', 'number', 'changed'] as const

function toKey(key: (typeof keySeeds)[number]): Record<string, Cell> {
  return {
    label: `${canary} label ${key.label}`,
    key_hash: key.hash,
    scopes: key.scopes.join(' '),
    expires_at: key.expired ? '2026-01-31 23:59:59' : null,
    revoked_at: key.revoked ? '2026-02-01 00:00:00' : null,
  }
}

function toMember(truth: RegistrationTruth): Record<string, Cell> {
  const broken = toBreakage(truth, participationBreakages)
  return {
    pid: canaryNumber,
    tstamp: canaryNumber,
    crdate: canaryNumber,
    username: `${canary}${truth.key}`,
    password: `$2y$${canary}`,
    first_name: truth.key % 13 === 0 ? null : truth.first,
    middle_name: `${canary} middle`,
    last_name: truth.last,
    email: broken === 'email' ? null : truth.email,
    telephone: `${canary} phone`,
    company: `${canary} company`,
    title: `${canary} title`,
    city: `${canary} city`,
    country: `${canary} country`,
    lastlogin: canaryNumber,
    date_of_birth: canaryDay,
    member_no: broken === 'member' ? `gone${truth.key}` : toMemberNo(truth),
    iban: `${canary} iban`,
  }
}

/** Numbers of which two in turn differ by case alone. */
function toMemberNo({ key }: RegistrationTruth): string {
  return key % 2 === 0 ? `m${key}a` : `M${key - 1}A`
}

/** Participations, and some that are hidden or of another type, which no one may see. */
function toParticipations(truth: Truth): readonly Record<string, Cell>[] {
  const others = truth.registrations.slice(0, 40).map((one) => ({
    ...toParticipation(one),
    uid: 3_000_000_000 + one.key,
    hidden: one.key % 2,
    record_type: 9,
  }))
  return [...truth.registrations.map(toParticipation), ...others]
}

function toParticipation(truth: RegistrationTruth): Record<string, Cell> {
  const broken = toBreakage(truth, participationBreakages)
  return {
    uid: toParticipationId(truth),
    pid: canaryNumber,
    tstamp: broken === 'changed' ? null : toUnix(truth.updatedAt, 1_000_000),
    crdate: broken === 'created' ? 0 : toUnix(truth.createdAt, 1_000_000),
    cruser_id: canaryNumber,
    deleted: truth.archived === 'no' ? 0 : 1,
    hidden: 0,
    record_type: truth.key % 2 === 0 ? 0 : 3,
    event_code: membership.eventId(truth.event),
    member_no: toMemberNo(truth),
    state: states[truth.status][truth.key % states[truth.status].length] ?? 0,
    seats: canaryNumber,
    ticket_hash: `${canary}ticket${truth.key}`,
    food: `${canary} food`,
    notes: `${canary} notes`,
  }
}

function toParticipationId({ key }: RegistrationTruth): number {
  return 1 + ((key * 7919) % 1_000_003)
}

function toUnix(micros: Micros, unit: number): string {
  return String(Math.floor(micros / unit))
}

function toRegistrationView(truth: RegistrationTruth): View {
  return {
    id: String(toParticipationId(truth)),
    eventId: membership.eventId(truth.event),
    status: truth.status === 'WAITLISTED' ? 'OTHER' : truth.status,
    name: truth.key % 13 === 0 ? truth.last : `${truth.first} ${truth.last}`,
    email: truth.email,
    checkedIn: false,
    checkedInAt: null,
    createdAt: toPublicTime(toSecond(truth.createdAt)),
    updatedAt: toPublicTime(toSecond(truth.updatedAt)),
  }
}

/** Fees, and some that another replaced or that lie in another folder, which no one may see. */
function toFees(truth: Truth): Rows {
  const others = truth.invoices.slice(0, 40).map((one) => ({
    ...toFee(one),
    uid: 5_000_000_000 + one.key,
    invoice_no: canary,
    ...(one.key % 2 === 0 ? { replaced_by: 1 } : { pid: 8 }),
  }))
  return toTable('tx_club_fee', [...truth.invoices.map(toFee), ...others])
}

function toFee(truth: InvoiceTruth): Record<string, Cell> {
  const broken = toBreakage(truth, feeBreakages)
  return {
    uid: toFeeId(truth),
    pid: 7,
    deleted: truth.archived === 'no' ? 0 : 1,
    event_code: truth.event === null ? null : membership.eventId(truth.event),
    member_no: canary,
    invoice_no: broken === 'number' ? null : toNumber(truth),
    fee_state: broken === 'state' ? null : feeStates[truth.status],
    amount: toScaled(truth.minor, 2),
    amount_paid: canaryNumber,
    issued_ms: toUnix(truth.issuedAt, 1000),
    created_us: toUnix(truth.createdAt, 1),
    changed_ms: broken === 'changed' ? null : toUnix(truth.updatedAt, 1000),
    replaced_by: null,
    mandate_reference: `${canary} mandate`,
    einvoice_xml: `<xml>${canary}</xml>`,
    einvoice_hash: `${canary} hash`,
  }
}

/** Some beyond 2^53. */
function toFeeId({ key }: InvoiceTruth): string {
  return String((key % 2 === 0 ? 9_007_199_254_740_993n : 100n) + BigInt(key))
}

function toNumber({ number }: InvoiceTruth): string {
  return `${number}/26`
}

function toInvoiceView(truth: InvoiceTruth): View {
  return {
    id: toFeeId(truth),
    number: toNumber(truth),
    status: truth.status,
    total: toPublicAmount(truth.minor, 2, 'EUR'),
    currency: 'EUR',
    issueDate: toPublicTime(truth.issuedAt),
    dueDate: null,
    createdAt: toPublicTime(truth.createdAt),
    updatedAt: toPublicTime(truth.updatedAt),
  }
}
