import { runStatements } from '../product/index.js'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { awkwardTables } from './awkward-tables.js'
import { createPlainTables } from './plain-tables.js'
import type { ProductTables } from './table.js'

/** The products that are tortured: whole seconds make ties of everything that is written at once. */
export const productNames = ['plain', 'plain with whole seconds', 'awkward'] as const
export type ProductName = (typeof productNames)[number]

/** A product's database and how to write into it. */
export interface TorturedProduct {
  readonly database: ProductDatabase
  readonly tables: ProductTables
}

/** Makes a product's database. */
export async function createTortured(throwaway: Throwaway, name: ProductName): Promise<TorturedProduct> {
  if (name === 'awkward') return { database: await throwaway.createProduct('awkward'), tables: awkwardTables }
  const database = await throwaway.createProduct('plain')
  if (name === 'plain') return { database, tables: createPlainTables(3) }
  await runStatements(
    database.adminUrl,
    ['event_registrations', 'invoices'].map(
      (table) => `ALTER TABLE ${table} MODIFY updated_at DATETIME NOT NULL`,
    ),
  )
  return { database, tables: createPlainTables(0) }
}
