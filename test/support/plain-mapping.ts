import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import type { Schema } from '../../src/database/schema.js'
import { readMapping } from '../../src/mapping/load-configuration.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { buildColumn, parseSchema } from './schema.js'
import { requireWholeResolved } from './whole-mapping.js'
import type { WholeResolved } from './whole-mapping.js'

/*
 * The sample products, and the one of docs/product-team.md whose records are spread over tables, without a server: their mapping files
 * over their own CREATE TABLE statements.
 */

type ProductName = 'plain' | 'awkward' | 'ticketing'

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const schemaOf = (name: ProductName): Schema => parseSchema(read(`test/product/${name}.sql`))

/** The mapping file of each product. */
export const yamls: Readonly<Record<ProductName, string>> = {
  plain: read('config/mapping.yaml'),
  awkward: read('test/product/awkward.yaml'),
  ticketing: read('test/product/ticketing.yaml'),
}
export const plainYaml = yamls.plain

/** The tables of each product as the server describes them. */
export const schemas: Readonly<Record<ProductName, Schema>> = {
  plain: schemaOf('plain'),
  awkward: schemaOf('awkward'),
  ticketing: schemaOf('ticketing'),
}
export const plainSchema = schemas.plain

/** The mapping of a product, with its columns found. */
export function resolveProduct(name: ProductName, yaml = yamls[name], schema = schemas[name]): WholeResolved {
  return requireWholeResolved(resolveMapping(readMapping(yaml), schema))
}

/** A column in another definition, or undefined for one that is not there. */
export type ColumnChange = readonly [table: string, column: string, definition: string | undefined]

/** The plain product's schema with columns in another definition, or without them. */
export function changeSchema(changes: readonly ColumnChange[], schema = plainSchema): Schema {
  const tables = new Map(schema)
  for (const [name, column, definition] of changes) {
    const table = tables.get(name)!
    const columns = new Map(table.columns)
    if (definition === undefined) columns.delete(column)
    else columns.set(column, buildColumn(column, definition))
    tables.set(name, { ...table, columns })
  }
  return tables
}

/** A mapping file with another option at a place such as `invoices.fields.total`, or without one. */
export function setOption(yaml: string, place: string, option: string | undefined): string {
  const document = parseDocument(yaml)
  if (option === undefined) document.deleteIn(place.split('.'))
  else document.setIn(place.split('.'), parseDocument(option).contents)
  return document.toString()
}

/** A text with one part replaced, which must be in it. */
export function replacePart(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`Not in the text: ${part}`)
  return text.replace(part, () => by)
}
