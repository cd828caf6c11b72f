/** One person's registration for one event. */
export interface Registration {
  /** Opaque: compare it, do not take it apart. */
  readonly id: string
  readonly eventId: string
  /** In the words of the product; new ones may come. */
  readonly status: string
  readonly name: string
  readonly email: string
  readonly checkedIn: boolean
  /** Null whenever `checkedIn` is false, or the time was not kept. */
  readonly checkedInAt: string | null
  /** UTC, `2026-03-01T09:30:00.123Z`. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** One invoice that the workspace issued. */
export interface Invoice {
  /** Opaque: compare it, do not take it apart. */
  readonly id: string
  readonly number: string
  /** In the words of the product; new ones may come. */
  readonly status: string
  /** An exact decimal: parse it with a decimal type, never as a float. */
  readonly total: string
  /** ISO 4217 code. */
  readonly currency: string
  /** A date such as `2026-03-01`, or a UTC timestamp where the product keeps the time of day too. */
  readonly issueDate: string
  /** Null where the product leaves it empty. */
  readonly dueDate: string | null
  /** UTC, `2026-03-01T09:30:00.123Z`. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** What each collection holds. */
export interface Collections {
  readonly registrations: Registration
  readonly invoices: Invoice
}

/** The name of a collection. */
export type CollectionName = keyof Collections
