import { minorDigits } from './truth.js'
import type { InvoiceTruth, Micros, RegistrationTruth, Truth } from './truth.js'

/** Rows for one table, as the product stores them. */
export interface Rows {
  readonly table: string
  readonly columns: readonly string[]
  readonly values: readonly (readonly Cell[])[]
}

/** The value of a cell. */
export type Cell = string | number | bigint | Uint8Array | null

/** A public record, by the contract's fields in their order. */
export type View = Readonly<Record<string, string | boolean | null>>

/** The product itself, and one with unusual data. */
export const productNames = ['plain', 'awkward'] as const
export type ProductName = (typeof productNames)[number]
/** The collections of the API, which every product has. */
export const collections = ['registrations', 'invoices'] as const
export type CollectionName = (typeof collections)[number]

/** A product: where its schema and mapping are, and how it stores and shows the truth. */
export interface Product {
  readonly name: ProductName
  /** Files in this repository. */
  readonly schemaFile: URL
  readonly mappingFile: URL
  /** What reaches the tables, keys included. */
  readonly toRows: (truth: Truth) => readonly Rows[]
  /** What the API must show of it; undefined for a row that it must not show. */
  readonly toRegistration: (truth: RegistrationTruth) => View | undefined
  readonly toInvoice: (truth: InvoiceTruth) => View | undefined
  readonly workspaceId: (workspace: number) => string
  readonly eventId: (event: number) => string
  /** Fractional digits of `updatedAt`. */
  readonly fractionDigits: { readonly registrations: number; readonly invoices: number }
  /** Text that compares as the database orders the ids. */
  readonly toSortKey: {
    readonly registrations: (id: string) => string
    readonly invoices: (id: string) => string
  }
}

/** Rows for one table from records that all have the same columns, in the same order. */
export function toTable(table: string, records: readonly Readonly<Record<string, Cell>>[]): Rows {
  return { table, columns: Object.keys(records[0] ?? {}), values: records.map((one) => Object.values(one)) }
}

/** In every column that no one outside may see, so that a search for it finds a leak. */
export const canary = 'CANARY'
/** The same for columns that hold numbers. */
export const canaryNumber = '8675309'
/** The same for columns that hold dates and times. */
export const canaryDay = '1999-12-31'

/** The same for a column of two characters. */
export const canaryPair = 'ʘʘ'

/** A file of the repository, from these sources and from the built ones alike: both lie two folders deep. */
export function inRepository(path: string): URL {
  return new URL(`../../${path}`, import.meta.url)
}

/** `2026-03-01T09:30:00.123Z`, cut. */
export function toPublicTime(micros: Micros): string {
  return new Date(Math.floor(micros / 1000)).toISOString()
}

/** `2026-03-01 09:30:00.123456` in a fixed offset, cut to the digits of the column. */
export function toDatabaseTime(micros: Micros, digits: number, offsetMinutes = 0): string {
  const ms = Math.floor(micros / 1000)
  const local = new Date(ms + offsetMinutes * 60_000).toISOString()
  const fraction = `${local.slice(20, 23)}${String(micros - ms * 1000).padStart(3, '0')}`
  return `${local.slice(0, 10)} ${local.slice(11, 19)}${digits === 0 ? '' : `.${fraction.slice(0, digits)}`}`
}

/** An amount of smallest coins as a decimal with the digits of its currency. */
export function toDecimal(minor: bigint, currency: keyof typeof minorDigits): string {
  const scale = minorDigits[currency]
  const text = (minor < 0n ? -minor : minor).toString().padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  return `${minor < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${text.slice(-scale)}`}`
}
