// Written by .ci/generate-records.mjs from the declarations in src/collections. Do not edit it.

/** One person's registration for one event. */
export interface Registration {
  /** Unique among the registrations of all workspaces. Opaque: compare it, do not take it apart. */
  readonly id: string
  /** The event that the person registered for. Opaque: compare it, do not take it apart. */
  readonly eventId: string
  /** The state of the record, in the words of the product; new ones may come. */
  readonly status: string
  /** The attendee's name, in any script. */
  readonly name: string
  /** The attendee's e-mail address, as it was entered. */
  readonly email: string
  /** Whether the attendee was checked in at the event. */
  readonly checkedIn: boolean
  /** The time of the check-in; null if `checkedIn` is false or the product did not store the time. */
  readonly checkedInAt: string | null
  /** When the registration was made. */
  readonly createdAt: string
  /** When the registration last changed. */
  readonly updatedAt: string
}

/** One invoice that the workspace issued. */
export interface Invoice {
  /** Unique among the invoices of all workspaces. Opaque: compare it, do not take it apart. */
  readonly id: string
  /** The number printed on the invoice. */
  readonly number: string
  /** The state of the record, in the words of the product; new ones may come. */
  readonly status: string
  /** The grand total as an exact decimal: at least as many decimals as the currency has minor digits, more only where the stored amount has them. Parse it with a decimal type, never as a float. */
  readonly total: string
  /** ISO 4217 code. */
  readonly currency: string
  /** The day of issue. ISO 8601: a date such as `2026-03-01`, or a UTC timestamp where the product keeps the time of day too. */
  readonly issueDate: string
  /** The day by which it is to be paid; null where the product leaves it empty. ISO 8601: a date such as `2026-03-01`, or a UTC timestamp where the product keeps the time of day too. */
  readonly dueDate: string | null
  /** When the invoice was made. */
  readonly createdAt: string
  /** When the invoice last changed. */
  readonly updatedAt: string
}

/** The record type of each collection. */
export interface Collections {
  readonly registrations: Registration
  readonly invoices: Invoice
}

/** The names of the collections. */
export const collectionNames = ['registrations', 'invoices'] as const

/** The name of a collection. */
export type CollectionName = (typeof collectionNames)[number]

/** The fields of each collection, in the order of the contract. */
export const fieldNames: Readonly<Record<CollectionName, readonly string[]>> = {
  registrations: 'id eventId status name email checkedIn checkedInAt createdAt updatedAt'.split(' '),
  invoices: 'id number status total currency issueDate dueDate createdAt updatedAt'.split(' '),
}

/** The fields that are true or false; all others are text, or null. */
export const booleanFields: readonly string[] = ['checkedIn']
