/** One person's registration for one event. */
export interface Registration {
  /** Opaque: compare it, do not parse it. */
  readonly id: string
  readonly eventId: string
  /** As the product stores it; new values can be added at any time. */
  readonly status: string
  readonly name: string
  readonly email: string
  readonly checkedIn: boolean
  /** Null if `checkedIn` is false, or the product has no time. */
  readonly checkedInAt: string | null
  /** UTC, `2026-03-01T09:30:00.123Z`. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** One invoice that the workspace issued. */
export interface Invoice {
  /** Opaque: compare it, do not parse it. */
  readonly id: string
  readonly number: string
  /** As the product stores it; new values can be added at any time. */
  readonly status: string
  /** An exact decimal: parse it with a decimal type, not as a float. */
  readonly total: string
  /** ISO 4217 code. */
  readonly currency: string
  /** A date such as `2026-03-01`, or a UTC timestamp if the product stores the time of day too. */
  readonly issueDate: string
  /** Null if the product has none. */
  readonly dueDate: string | null
  /** UTC, `2026-03-01T09:30:00.123Z`. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** The record type of each collection. */
export interface Collections {
  readonly registrations: Registration
  readonly invoices: Invoice
}

/** The name of a collection. */
export type CollectionName = keyof Collections
