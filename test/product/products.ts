import { accounting } from './accounting.js'
import { awkward } from './awkward.js'
import { invoicing } from './invoicing.js'
import { membership } from './membership.js'
import { plain } from './plain.js'
import type { Product, ProductName } from './product.js'
import { ticketing } from './ticketing.js'

/** Every product that a throwaway database can hold. */
export const products: Readonly<Record<ProductName, Product>> = {
  plain,
  awkward,
  ticketing,
  accounting,
  membership,
  invoicing,
}
