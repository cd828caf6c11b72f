import { keySeeds } from './key-seeds.js'
import {
  canary,
  canaryDay,
  canaryNumber,
  inRepository,
  toBreakage,
  toDatabaseTime,
  toPublicAmount,
  toPublicTime,
  toScaled,
  toSecond,
  toTable,
} from './product.js'
import type { Cell, Product, View } from './product.js'
import type { Currency, InvoiceStatus, InvoiceTruth, RegistrationTruth, Truth } from './truth.js'

/** A product like Attendize: only events belong to an account, and the buyer of a ticket stands on the order. */
export const ticketing: Product = {
  name: 'ticketing',
  schemaFile: inRepository('test/product/ticketing.sql'),
  mappingFile: inRepository('test/product/ticketing.yaml'),
  workspaceId: (workspace) => String(41 + workspace * 2),
  // The events of the accounts lie among each other.
  eventId: (event) => String(100 + ((event * 37) % 101)),
  fractionDigits: { registrations: 0, invoices: 0 },
  toSortKey: { registrations: (id) => id.padStart(20, '0'), invoices: (id) => id.padStart(20, '0') },
  toRows: (truth) => [
    toTable('accounts', truth.workspaces.map(toAccount)),
    toTable('account_api_tokens', keySeeds.map(toToken)),
    toTable('currencies', currencies.map(toCurrency)),
    toTable('order_statuses', Object.entries(statusNames).map(toOrderStatus)),
    toTable('events', truth.workspaces.flatMap(toEvents)),
    toTable('orders', toOrders(truth)),
    toTable('attendees', truth.registrations.map(toAttendee)),
  ],
  toRegistration: (truth) =>
    truth.archived === 'no' && !truth.broken ? toRegistrationView(truth) : undefined,
  toInvoice: (truth) => (truth.archived === 'no' && !truth.broken ? toInvoiceView(truth) : undefined),
  toInvoiceEvent: toEventOf,
}

const currencies: readonly Currency[] = ['SAR', 'KWD', 'JPY', 'EUR']
const statusIds: Readonly<Record<InvoiceStatus, number>> = { DRAFT: 5, ISSUED: 1, PAID: 6, VOID: 4 }
/** Two names that the collation takes for the same. */
const statusNames: Readonly<Record<number, string>> = {
  1: 'Completed',
  4: 'Cancelled',
  5: 'Awaiting Payment',
  6: 'completed',
}

/** Ways in which a row cannot be shown: no such order, no address, a zero date, no time of change. */
const attendeeBreakages = ['order', 'email', 'created', 'updated'] as const
/** No such status, no number, no time of change. */
const orderBreakages = ['status', 'number', 'updated'] as const

function toAccount(name: string, workspace: number): Record<string, Cell> {
  return {
    id: ticketing.workspaceId(workspace),
    first_name: `${canary} first`,
    last_name: name,
    email: `${canary}@example.com`,
    stripe_secret_key: `${canary} stripe`,
    currency_id: 1,
    last_ip: canary,
    created_at: `${canaryDay} 00:00:00`,
    updated_at: `${canaryDay} 00:00:00`,
  }
}

function toToken(key: (typeof keySeeds)[number]): Record<string, Cell> {
  return {
    account_id: ticketing.workspaceId(key.workspace),
    name: `${canary} token ${key.label}`,
    token_digest: key.hash.toString('base64'),
    abilities: JSON.stringify(key.scopes),
    last_used_at: `${canaryDay} 00:00:00`,
    expires_at: key.expired ? '2026-01-31 23:59:59' : null,
    deleted_at: key.revoked ? '2026-02-01 00:00:00' : null,
  }
}

function toCurrency(code: Currency, at: number): Record<string, Cell> {
  return {
    id: at + 1,
    title: `${canary} title`,
    symbol_left: canary,
    code,
    decimal_place: canaryNumber,
    value: canaryNumber,
  }
}

function toOrderStatus([id, name]: [string, string]): Record<string, Cell> {
  return { id, name }
}

/** Also one without a registration. */
function toEvents(_name: string, workspace: number): readonly Record<string, Cell>[] {
  return [0, 1, 2, 3, 4].map((at) => ({
    id: ticketing.eventId(workspace * 10 + at),
    title: `${canary} title`,
    location: `${canary} location`,
    start_date: `${canaryDay} 09:00:00`,
    account_id: ticketing.workspaceId(workspace),
    currency_id: currencies.indexOf(toEventCurrency(workspace * 10 + at)) + 1,
    organiser_fee_fixed: canaryNumber,
    event_access_code: `${canary} access`,
    deleted_at: at === 3 ? `${canaryDay} 00:00:00` : null,
  }))
}

function toEventCurrency(event: number): Currency {
  return currencies[event % currencies.length] ?? 'SAR'
}

/** Every order is of an event. */
function toEventOf(truth: InvoiceTruth): number {
  return truth.event ?? truth.workspace * 10
}

/** Those that attendees belong to, those with an invoice, and some of an event that is gone. */
function toOrders(truth: Truth): readonly Record<string, Cell>[] {
  const orphans = truth.invoices.slice(0, 5).map((one) => ({
    ...toInvoiceOrder(one),
    id: 3_000_000_000 + one.key,
    event_id: 4_000_000_000,
    order_reference: canary,
  }))
  return [...truth.registrations.map(toTicketOrder), ...truth.invoices.map(toInvoiceOrder), ...orphans]
}

const hiddenOrder = {
  business_name: `${canary} business`,
  business_tax_number: `${canary} tax`,
  business_address_line_one: `${canary} address`,
  transaction_id: `${canary} transaction`,
  payment_gateway_payload: `${canary} payload`,
  discount: `${canaryNumber.slice(0, 6)}.01`,
  amount_refunded: canaryNumber,
  ticket_pdf_path: `${canary} pdf`,
  invoice_xml: `<xml>${canary}</xml>`,
  notes: `${canary} notes`,
  ip_address: canary,
}

/** Without an invoice: a free ticket. */
function toTicketOrder(truth: RegistrationTruth): Record<string, Cell> {
  const broken = toBreakage(truth, attendeeBreakages)
  return {
    id: broken === 'order' ? 2_000_000_000 + truth.key : toOrderId(truth),
    event_id: ticketing.eventId(truth.event),
    order_status_id: statusIds.ISSUED,
    first_name: truth.key % 13 === 0 ? null : truth.first,
    last_name: truth.last,
    email: broken === 'email' ? null : truth.email,
    order_reference: `${canary}${truth.key}`,
    amount: canaryNumber,
    booking_fee: null,
    organiser_booking_fee: null,
    taxamt: 0,
    is_invoiced: 0,
    created_at: `${canaryDay} 00:00:00`,
    updated_at: toDatabaseTime(truth.updatedAt, 0),
    deleted_at: null,
    ...hiddenOrder,
  }
}

function toOrderId({ key }: RegistrationTruth): number {
  return key * 2 + 1
}

function toInvoiceOrder(truth: InvoiceTruth): Record<string, Cell> {
  const broken = toBreakage(truth, orderBreakages)
  return {
    id: toInvoiceId(truth),
    event_id: ticketing.eventId(toEventOf(truth)),
    order_status_id: broken === 'status' ? 99 : statusIds[truth.status],
    first_name: `${canary} first`,
    last_name: `${canary} last`,
    email: `${canary}@example.com`,
    order_reference: broken === 'number' ? null : `T-${truth.number}`,
    ...toAmounts(truth),
    is_invoiced: 1,
    created_at: toDatabaseTime(truth.createdAt, 0),
    updated_at: broken === 'updated' ? null : toDatabaseTime(truth.updatedAt, 0),
    deleted_at: truth.archived === 'no' ? null : `${canaryDay} 00:00:00`,
    ...hiddenOrder,
  }
}

/** The total in four parts, two of which may be missing. */
function toAmounts({ key, minor }: InvoiceTruth): Record<string, Cell> {
  const booking = key % 6 === 0 ? null : minor % 97n
  const organiser = key % 4 === 0 ? null : 5n
  const tax = minor % 1000n
  return {
    amount: toScaled(minor - (booking ?? 0n) - (organiser ?? 0n) - tax, 2),
    booking_fee: booking === null ? null : toScaled(booking, 2),
    organiser_booking_fee: organiser === null ? null : toScaled(organiser, 2),
    taxamt: toScaled(tax, 2),
  }
}

function toInvoiceId({ key }: InvoiceTruth): number {
  return key * 2 + 2
}

function toInvoiceView(truth: InvoiceTruth): View {
  const currency = toEventCurrency(toEventOf(truth))
  return {
    id: String(toInvoiceId(truth)),
    number: `T-${truth.number}`,
    status: statusNames[statusIds[truth.status]] ?? '',
    total: toPublicAmount(truth.minor, 2, currency),
    currency,
    issueDate: toPublicTime(toSecond(truth.createdAt)),
    dueDate: null,
    createdAt: toPublicTime(toSecond(truth.createdAt)),
    updatedAt: toPublicTime(toSecond(truth.updatedAt)),
  }
}

function toAttendee(truth: RegistrationTruth): Record<string, Cell> {
  const broken = toBreakage(truth, attendeeBreakages)
  return {
    id: toAttendeeId(truth),
    order_id: toOrderId(truth),
    event_id: ticketing.eventId(truth.event),
    ticket_id: canaryNumber,
    reference_index: canaryNumber,
    private_reference_number: `${canary}badge${truth.key}`,
    seat: `${canary} seat`,
    // A refund cancels most tickets as well.
    is_cancelled:
      truth.status === 'CANCELLED' || (truth.status === 'WAITLISTED' && truth.key % 3 > 0) ? 1 : 0,
    is_refunded: truth.status === 'WAITLISTED' ? 1 : 0,
    has_arrived: truth.checkedInAt === null ? 0 : 1,
    arrival_time: truth.checkedInAt === null ? `${canaryDay} 00:00:00` : toDatabaseTime(truth.checkedInAt, 0),
    created_at: broken === 'created' ? '0000-00-00 00:00:00' : toDatabaseTime(truth.createdAt, 0),
    updated_at: broken === 'updated' ? null : toDatabaseTime(truth.updatedAt, 0),
    deleted_at: truth.archived === 'no' ? null : `${canaryDay} 00:00:00`,
  }
}

/** In another order than that of the changes. */
function toAttendeeId({ key }: RegistrationTruth): number {
  return 1_000_000 + ((key * 7919) % 1_000_003)
}

function toRegistrationView(truth: RegistrationTruth): View {
  const { status, checkedInAt } = truth
  return {
    id: String(toAttendeeId(truth)),
    eventId: ticketing.eventId(truth.event),
    status: status === 'WAITLISTED' ? 'REFUNDED' : status === 'CANCELLED' ? 'CANCELLED' : 'ATTENDING',
    name: truth.key % 13 === 0 ? truth.last : `${truth.first} ${truth.last}`,
    email: truth.email,
    checkedIn: checkedInAt !== null,
    checkedInAt: checkedInAt === null ? null : toPublicTime(toSecond(checkedInAt)),
    createdAt: toPublicTime(toSecond(truth.createdAt)),
    updatedAt: toPublicTime(toSecond(truth.updatedAt)),
  }
}
