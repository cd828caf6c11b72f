import type { Collection } from './product.js'

/** What a list is filtered by. */
export interface Filters {
  readonly updatedSince?: string
  readonly eventId?: string
  readonly status?: string
}

/** What is asked of the service, with the key of that place in the product's list. */
export type Question = { readonly key: number; readonly collection: Collection } & (
  | {
      /** Every page, with these limits in turn. */
      readonly kind: 'crawl'
      readonly filters: Filters
      readonly limits: readonly number[]
    }
  | { readonly kind: 'record'; readonly id: string }
  | {
      /** HEAD, 304, and an entity tag that stays. */
      readonly kind: 'conditional'
      readonly id?: string
    }
  | {
      /** The cursor of a first page where it does not belong. */
      readonly kind: 'cursor'
      readonly otherKey: number
    }
)
