import { createHash } from 'node:crypto'
import { keySeeds } from './key-seeds.js'
import {
  canary,
  canaryDay,
  canaryNumber,
  inRepository,
  toDatabaseTime,
  toDecimal,
  toPublicTime,
  toTable,
} from './product.js'
import type { Cell, Product, View } from './product.js'
import type { InvoiceTruth, RegistrationStatus, RegistrationTruth } from './truth.js'

const offsetMinutes = 180

/** A product that stores everything differently. */
export const awkward: Product = {
  name: 'awkward',
  schemaFile: inRepository('test/product/awkward.sql'),
  mappingFile: inRepository('test/product/awkward.yaml'),
  workspaceId: (workspace) => String(9_007_199_254_740_993n + BigInt(workspace)),
  eventId: (event) => toUuid(`event ${event}`),
  fractionDigits: { registrations: 6, invoices: 6 },
  toSortKey: { registrations: (id) => id.padStart(20, '0'), invoices: (id) => id },
  toRows: (truth) => [
    toTable('tokens', keySeeds.map(toKeyRow)),
    toTable('attendees?', truth.registrations.map(toAttendeeRow)),
    toTable('bills', truth.invoices.map(toBillRow)),
    toTable('bill_gatherings', truth.invoices.flatMap(toLinkRows)),
  ],
  toRegistration: (truth) =>
    truth.archived === 'no' && !truth.broken ? toRegistrationView(truth) : undefined,
  toInvoice: (truth) => (truth.archived === 'no' && !truth.broken ? toInvoiceView(truth) : undefined),
}

function toKeyRow(key: (typeof keySeeds)[number]): Record<string, Cell> {
  return {
    digest: key.hash,
    tenant: awkward.workspaceId(key.workspace),
    perms: JSON.stringify(key.scopes),
    perms_csv: key.scopes.join(', '),
    valid_until: key.expired ? '2026-01-31 23:59:59.999999' : null,
    killed_at: key.revoked ? '2026-02-01 00:00:00' : null,
    note: `${canary} note ${key.label}`,
  }
}

const states: Readonly<Record<RegistrationStatus, number>> = {
  CONFIRMED: 1,
  PENDING: 2,
  CANCELLED: 3,
  WAITLISTED: 4,
}

/** Ways in which a row cannot be shown: an unknown state, no address, a zero date, no time of change at all. */
type Breakage = 'state' | 'mail' | 'zero' | 'touched' | 'none'

function toBreakage(truth: RegistrationTruth): Breakage {
  return truth.broken
    ? (['state', 'mail', 'zero', 'touched'] as const)[Math.floor(truth.key / 89) % 4]!
    : 'none'
}

function toAttendeeRow(truth: RegistrationTruth): Record<string, Cell> {
  const broken = toBreakage(truth)
  // Two codes mean the same to callers.
  const state = truth.status === 'CONFIRMED' && truth.key % 2 === 0 ? 7 : states[truth.status]
  return {
    'attendee no': toAttendeeNo(truth.key),
    tenant: awkward.workspaceId(truth.workspace),
    gathering: toSwapped(awkward.eventId(truth.event)),
    state: broken === 'state' ? 99 : state,
    'first`name': toFirstName(truth),
    last_name: truth.last,
    mail: broken === 'mail' ? null : truth.email,
    entered: truth.checkedInAt === null ? 0 : 1,
    entered_at: toEnteredAt(truth),
    is_deleted: truth.archived === 'flag' ? 1 : 0,
    hidden_at: truth.archived === 'time' ? `${canaryDay} 00:00:00` : null,
    gate_token: `${canary}gate${truth.key}`.padEnd(43, 'x'),
    badge_pin: Number(canaryNumber),
    made: toDatabaseTime(truth.createdAt, 0, offsetMinutes),
    touched: toTouched(truth, broken),
  }
}

/** A time without a check-in, and a check-in without a time: neither may show a time. */
function toEnteredAt(truth: RegistrationTruth): string | null {
  if (truth.checkedInAt === null) return `${canaryDay} 00:00:00.000000`
  return hasEntryTime(truth) ? toLocal(truth.checkedInAt) : null
}

function toTouched({ updatedAt }: RegistrationTruth, broken: Breakage): string | null {
  if (broken === 'touched') return null
  return broken === 'zero' ? '0000-00-00 00:00:00.000000' : toLocal(updatedAt)
}

function hasEntryTime({ key }: RegistrationTruth): boolean {
  return key % 5 !== 0
}

/** latin1 has no Arabic, and some people have one name. */
function toFirstName({ first, key }: RegistrationTruth): string | null {
  if (key % 13 === 0) return null
  return /^[\u0000-\u00ff]*$/.test(first) ? first : 'Amal'
}

function toAttendeeNo(key: number): string {
  return String((key % 2 === 0 ? 9_007_199_254_740_993n : 18_446_744_073_709_000_001n) + BigInt(key))
}

function toRegistrationView(truth: RegistrationTruth): View {
  const first = toFirstName(truth)
  return {
    id: toAttendeeNo(truth.key),
    eventId: awkward.eventId(truth.event),
    status: truth.status,
    name: first === null ? truth.last : `${first} ${truth.last}`,
    email: truth.email,
    checkedIn: truth.checkedInAt !== null,
    checkedInAt: truth.checkedInAt === null || !hasEntryTime(truth) ? null : toPublicTime(truth.checkedInAt),
    createdAt: toPublicTime(Math.floor(truth.createdAt / 1_000_000) * 1_000_000),
    updatedAt: toPublicTime(truth.updatedAt),
  }
}

function toLinkRows({ key, event }: InvoiceTruth): readonly Record<string, Cell>[] {
  if (event === null) return []
  return [{ bill: toBytes(toUuid(`bill ${key}`)), gathering: toSwapped(awkward.eventId(event)) }]
}

function toBillRow(truth: InvoiceTruth): Record<string, Cell> {
  return {
    uid: toBytes(toUuid(`bill ${truth.key}`)),
    tenant: awkward.workspaceId(truth.workspace),
    bill_no: truth.number,
    phase: toPhase(truth),
    amount_minor: truth.minor,
    // Small letters, as some do.
    cur: truth.broken ? 'zzz' : truth.currency.toLowerCase(),
    issued: toDatabaseTime(truth.issuedAt, 0, offsetMinutes),
    due: truth.dueAt === null ? null : toDatabaseTime(truth.dueAt, 0),
    is_deleted: truth.archived === 'flag' ? 1 : 0,
    hidden_at: truth.archived === 'time' ? `${canaryDay} 00:00:00` : null,
    cleared_xml: `<xml>${canary} ${truth.key}</xml>`,
    cleared_at: `${canaryDay} 23:59:59`,
    notes: `${canary} notes ${truth.key}`,
    made: toDatabaseTime(truth.createdAt, 6),
    touched: toDatabaseTime(truth.updatedAt, 6),
  }
}

/** Words that the collation takes for the same: `Bezahlt` and `bezahlt`, `Zurück` and `Zuruck`. */
function toPhase({ status, key }: InvoiceTruth): string {
  const [usual, variant] = (
    {
      DRAFT: ['Entwurf', 'Entwurf'],
      ISSUED: ['Gestellt', 'GESTELLT'],
      PAID: ['Bezahlt', 'bezahlt'],
      VOID: ['Zurück', 'Zuruck'],
    } as const
  )[status]
  return key % 3 === 0 ? variant : usual
}

function toInvoiceView(truth: InvoiceTruth): View {
  return {
    id: toUuid(`bill ${truth.key}`),
    number: String(truth.number),
    status: toPhase(truth),
    total: toDecimal(truth.minor, truth.currency),
    currency: truth.currency,
    issueDate: toPublicTime(Math.floor(truth.issuedAt / 1_000_000) * 1_000_000),
    dueDate: truth.dueAt === null ? null : toPublicTime(Math.floor(truth.dueAt / 1_000_000) * 1_000_000),
    createdAt: toPublicTime(truth.createdAt),
    updatedAt: toPublicTime(truth.updatedAt),
  }
}

function toLocal(micros: number): string {
  return toDatabaseTime(micros, 6, offsetMinutes)
}

function toUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `1${hex.slice(13, 16)}`,
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-')
}

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** As MySQL's UUID_TO_BIN(uuid, 1) stores it: the third and second group before the first. */
function toSwapped(uuid: string): Buffer {
  const [low, middle, high, ...rest] = uuid.split('-')
  return Buffer.from([high, middle, low, ...rest].join(''), 'hex')
}
