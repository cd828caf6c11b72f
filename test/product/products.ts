import { awkward } from './awkward.js'
import { plain } from './plain.js'
import type { Product, ProductName } from './product.js'
import { ticketing } from './ticketing.js'

/** Every product that a throwaway database can hold. */
export const products: Readonly<Record<ProductName, Product>> = {
  plain,
  awkward,
  ticketing,
}
