import type {
  CollectionName,
  InvoiceTruth,
  ProductDatabase,
  RegistrationTruth,
  View,
} from '../product/index.js'
import { collections } from '../product/product.js'

/** A record that must be shown, beside the truth that it comes from. */
export interface Expected {
  readonly truth: RegistrationTruth | InvoiceTruth
  readonly view: View
  /** Index of the event that the filter finds it by; null where it has none. */
  readonly event: number | null
}

export { collections }
export type { CollectionName }

/** What a full crawl of a workspace must show, in its order. */
export function listExpected(
  { product, truth }: ProductDatabase,
  collection: CollectionName,
  workspace = 0,
): readonly Expected[] {
  const shown: readonly Expected[] =
    collection === 'registrations'
      ? truth.registrations.flatMap((one) => toExpected(one, product.toRegistration(one), one.event))
      : truth.invoices.flatMap((one) => toExpected(one, product.toInvoice(one), one.event))
  const toSortKey = product.toSortKey[collection]
  const step = 10 ** (6 - product.fractionDigits[collection])
  return shown
    .filter((one) => one.truth.workspace === workspace)
    .map((one) => ({
      one,
      time: Math.floor(one.truth.updatedAt / step),
      id: toSortKey(String(one.view['id'])),
    }))
    .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
    .map(({ one }) => one)
}

function toExpected(
  truth: RegistrationTruth | InvoiceTruth,
  view: View | undefined,
  event: number | null,
): Expected[] {
  return view === undefined ? [] : [{ truth, view, event }]
}
