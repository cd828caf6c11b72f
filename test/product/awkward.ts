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
} from './product.js'
import type { Cell, Product, Rows, View } from './product.js'
import type { InvoiceTruth, RegistrationStatus, RegistrationTruth, Truth } from './truth.js'

const offsetMinutes = 180

/** A product that stores everything differently. */
export const awkward: Product = {
  name: 'awkward',
  toInvoiceEvent: ({ event }) => event,
  schemaFile: inRepository('test/product/awkward.sql'),
  mappingFile: inRepository('test/product/awkward.yaml'),
  workspaceId: (workspace) => String(9_007_199_254_740_993n + BigInt(workspace)),
  eventId: (event) => toUuid(`event ${event}`),
  fractionDigits: { registrations: 6, invoices: 6 },
  toSortKey: { registrations: (id) => id.padStart(20, '0'), invoices: (id) => id },
  toRows: (truth) => [
    {
      table: 'tokens',
      columns: ['digest', 'tenant', 'perms', 'perms_csv', 'valid_until', 'killed_at', 'note'],
      values: toKeyRows(),
    },
    {
      table: 'attendees?',
      columns: [
        'attendee no',
        'tenant',
        'gathering',
        'state',
        'first`name',
        'last_name',
        'mail',
        'entered',
        'entered_at',
        'is_deleted',
        'hidden_at',
        'gate_token',
        'badge_pin',
        'made',
        'touched',
      ],
      values: truth.registrations.map(toAttendeeRow),
    },
    ...toBillRows(truth),
  ],
  toRegistration: (truth) =>
    truth.archived === 'no' && !truth.broken ? toRegistrationView(truth) : undefined,
  toInvoice: (truth) => (truth.archived === 'no' && !truth.broken ? toInvoiceView(truth) : undefined),
}

function toKeyRows(): readonly (readonly Cell[])[] {
  return keySeeds.map((key) => [
    key.hash,
    awkward.workspaceId(key.workspace),
    JSON.stringify(key.scopes),
    key.scopes.join(', '),
    key.expired ? '2026-01-31 23:59:59.999999' : null,
    key.revoked ? '2026-02-01 00:00:00' : null,
    `${canary} note ${key.label}`,
  ])
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

function toAttendeeRow(truth: RegistrationTruth): readonly Cell[] {
  const broken = toBreakage(truth)
  // Two codes mean the same to callers.
  const state = truth.status === 'CONFIRMED' && truth.key % 2 === 0 ? 7 : states[truth.status]
  return [
    toAttendeeNo(truth.key),
    awkward.workspaceId(truth.workspace),
    toSwapped(awkward.eventId(truth.event)),
    broken === 'state' ? 99 : state,
    toFirstName(truth),
    truth.last,
    broken === 'mail' ? null : truth.email,
    truth.checkedInAt === null ? 0 : 1,
    toEnteredAt(truth),
    truth.archived === 'flag' ? 1 : 0,
    truth.archived === 'time' ? `${canaryDay} 00:00:00` : null,
    `${canary}gate${truth.key}`.padEnd(43, 'x'),
    Number(canaryNumber),
    toDatabaseTime(truth.createdAt, 0, offsetMinutes),
    toTouched(truth, broken),
  ]
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

function toBillRows({ invoices }: Truth): readonly Rows[] {
  return [
    {
      table: 'bills',
      columns: [
        'uid',
        'tenant',
        'bill_no',
        'phase',
        'amount_minor',
        'cur',
        'issued',
        'due',
        'is_deleted',
        'hidden_at',
        'cleared_xml',
        'cleared_at',
        'notes',
        'made',
        'touched',
      ],
      values: invoices.map(toBillRow),
    },
    {
      table: 'bill_gatherings',
      columns: ['bill', 'gathering'],
      values: invoices.flatMap((truth) =>
        truth.event === null
          ? []
          : [[toBytes(toUuid(`bill ${truth.key}`)), toSwapped(awkward.eventId(truth.event))]],
      ),
    },
  ]
}

function toBillRow(truth: InvoiceTruth): readonly Cell[] {
  return [
    toBytes(toUuid(`bill ${truth.key}`)),
    awkward.workspaceId(truth.workspace),
    truth.number,
    toPhase(truth),
    truth.minor,
    // Small letters, as some do.
    truth.broken ? 'zzz' : truth.currency.toLowerCase(),
    toDatabaseTime(truth.issuedAt, 0, offsetMinutes),
    truth.dueAt === null ? null : toDatabaseTime(truth.dueAt, 0),
    truth.archived === 'flag' ? 1 : 0,
    truth.archived === 'time' ? `${canaryDay} 00:00:00` : null,
    `<xml>${canary} ${truth.key}</xml>`,
    `${canaryDay} 23:59:59`,
    `${canary} notes ${truth.key}`,
    toDatabaseTime(truth.createdAt, 6),
    toDatabaseTime(truth.updatedAt, 6),
  ]
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
