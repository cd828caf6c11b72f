// What QA uses: `import { startThrowaway, keys } from 'vitrine/testing'`.
export { keys } from './keys.js'
export { canary, canaryDay, canaryNumber, canaryPair } from './product.js'
export type { Product, View } from './product.js'
export type { Server } from './server.js'
export { startThrowaway, useServer } from './throwaway.js'
export type { ProductDatabase, Throwaway } from './throwaway.js'
export { createTruth, invoiceStatuses, registrationStatuses } from './truth.js'
export type { InvoiceTruth, RegistrationTruth, Truth } from './truth.js'
