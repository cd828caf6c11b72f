import { createRandom } from './random.js'
import type { Random } from './random.js'

/** Whole microseconds since 1970-01-01 UTC. */
export type Micros = number

/** What is true of a record, however a product stores it; each product writes the same truth into its tables. */
interface RecordTruth {
  readonly key: number
  /** Index of the workspace. */
  readonly workspace: number
  readonly createdAt: Micros
  readonly updatedAt: Micros
  /** Shown, or archived by the product's first or second means. */
  readonly archived: 'no' | 'flag' | 'time'
  /** Some rows cannot be shown truthfully; each product breaks them in ways of its own. */
  readonly broken: boolean
}

/** A person registered for an event. */
export interface RegistrationTruth extends RecordTruth {
  readonly event: number
  readonly status: RegistrationStatus
  readonly first: string
  readonly last: string
  readonly email: string
  readonly checkedInAt: Micros | null
}

/** An invoice of a workspace. */
export interface InvoiceTruth extends RecordTruth {
  /** Null for an invoice that belongs to no event. */
  readonly event: number | null
  readonly number: number
  readonly status: InvoiceStatus
  /** The smallest coins of the currency. */
  readonly minor: bigint
  readonly currency: Currency
  readonly issuedAt: Micros
  readonly dueAt: Micros | null
}

/** Everything that the seeds hold. */
export interface Truth {
  readonly workspaces: readonly string[]
  readonly registrations: readonly RegistrationTruth[]
  readonly invoices: readonly InvoiceTruth[]
}

/** The states of a registration. */
export const registrationStatuses = ['CONFIRMED', 'PENDING', 'CANCELLED', 'WAITLISTED'] as const
export type RegistrationStatus = (typeof registrationStatuses)[number]
/** The states of an invoice. */
export const invoiceStatuses = ['DRAFT', 'ISSUED', 'PAID', 'VOID'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]
/** With their minor digits in ISO 4217. */
export const minorDigits = { SAR: 2, KWD: 3, JPY: 0, EUR: 2 } as const
export type Currency = keyof typeof minorDigits

/** The third workspace has keys and no records. */
const workspaces = ['Qimam Conferences', 'Salon Méditerranée', 'Empty Halls', 'Nordlys Arrangement']
/** Of a hundred records, how many each workspace has. */
const shares = [55, 25, 0, 20]
/** Events of workspace w are numbered from w * 10. */
const eventsPerWorkspace = 4

/** Given names, in Arabic and Latin script. */
export const firstNames = [
  ...['نورة', 'عبد الله', 'فاطمة', 'محمد', 'Sara', 'Noël', 'Zoë', 'Jürgen', 'Aino', 'Lucía'],
  ...['Ødger', 'Ana María'],
]
/** Family names. */
export const lastNames = [
  ...['القحطاني', 'الحربي', 'العتيبي', "O'Neill", 'Müller', 'Nguyễn', 'García', 'Lindström'],
  ...['بن سعود', 'Dupont-Żak'],
]
const hour = 3_600_000_000
const start = Date.UTC(2026, 0, 5, 6) * 1000

/**
 * The truth of a seed: the same each time, for the same numbers.
 *
 * @param registrations how many there are over all workspaces; invoices are two fifths of it.
 */
export function createTruth(registrations = 400, seed = 20_260_301): Truth {
  const random = createRandom(seed)
  const clock = createClock(random)
  return {
    workspaces,
    registrations: Array.from({ length: registrations }, (_, key) => createRegistration(key, random, clock)),
    invoices: Array.from({ length: Math.floor(registrations * 0.4) }, (_, key) =>
      createInvoice(key, random, clock),
    ),
  }
}

/** Goes on by uneven steps and often stands still, so that many records share an `updatedAt`. */
function createClock(random: Random): () => Micros {
  let now = start
  return () => {
    if (random.whole(10) >= 4) now += random.whole(3) === 0 ? random.whole(2000) : random.whole(hour)
    return now
  }
}

function createRegistration(key: number, random: Random, clock: () => Micros): RegistrationTruth {
  const workspace = pickWorkspace(key)
  const first = random.pick(firstNames)
  const updatedAt = clock()
  const createdAt = updatedAt - random.whole(30 * 24) * hour
  const status = random.pick(registrationStatuses)
  return {
    key,
    workspace,
    event: workspace * 10 + random.whole(eventsPerWorkspace),
    status,
    first,
    last: random.pick(lastNames),
    email: `guest${key}@example.${random.pick(['com', 'org', 'net'])}`,
    checkedInAt: status === 'CONFIRMED' && random.whole(2) === 0 ? updatedAt - random.whole(5000) : null,
    createdAt,
    updatedAt,
    archived: pickArchived(random),
    broken: key % 89 === 88,
  }
}

function createInvoice(key: number, random: Random, clock: () => Micros): InvoiceTruth {
  const workspace = pickWorkspace(key)
  const updatedAt = clock()
  const issuedAt = updatedAt - random.whole(20 * 24) * hour
  const size = random.pick([1, 99, 10_000, 1_000_000, 123_456_789_012])
  return {
    key,
    workspace,
    event: random.whole(5) === 0 ? null : workspace * 10 + random.whole(eventsPerWorkspace),
    number: 10_000 + key,
    status: random.pick(invoiceStatuses),
    minor: BigInt(random.whole(size + 1)) * (random.whole(12) === 0 ? -1n : 1n),
    currency: random.pick(['SAR', 'SAR', 'SAR', 'KWD', 'JPY', 'EUR'] as const),
    issuedAt,
    dueAt: random.whole(6) === 0 ? null : issuedAt + 30 * 24 * hour,
    createdAt: issuedAt,
    updatedAt,
    archived: pickArchived(random),
    broken: key % 89 === 88,
  }
}

function pickWorkspace(key: number): number {
  let rest = (key * 37) % 100
  return shares.findIndex((share) => (rest -= share) < 0)
}

function pickArchived(random: Random): 'no' | 'flag' | 'time' {
  return (['flag', 'time'] as const)[random.whole(14)] ?? 'no'
}
