// Writes src/client/records.ts, which the integrators' package, `pull` and `verify` share, from the declarations in
// src/collections. It changes the file only if a declaration changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { createJiti } from 'jiti'

const file = 'src/client/records.ts'
const jiti = createJiti(import.meta.url)
const { registrations } = await jiti.import('../src/collections/registrations.ts')
const { invoices } = await jiti.import('../src/collections/invoices.ts')
const collections = [registrations, invoices]

const listFields = ({ schema }) => Object.entries(schema.properties)
/** The types of a field: one, a list, or a union with null. */
const toTypes = (name, { type, anyOf = [] }) => {
  const types = [type ?? anyOf.map((part) => part.type)].flat()
  if (types.every((one) => ['string', 'boolean', 'null'].includes(one))) return types
  throw new Error(`${name}: a field is a string, a boolean, or one of them or null; not ${types.join(' | ')}`)
}

const renderInterface = ({ schema }) => `/** ${schema.description} */
export interface ${schema.$id} {
${listFields({ schema })
  .map(([name, field]) => {
    return `  /** ${field.description} */\n  readonly ${name}: ${toTypes(name, field).join(' | ')}\n`
  })
  .join('')}}
`

const renderNames = ({ name, schema }) =>
  `  ${name}: '${Object.keys(schema.properties).join(' ')}'.split(' '),\n`
const booleans = collections
  .flatMap(listFields)
  .flatMap(([name, field]) => (toTypes(name, field).includes('boolean') ? [`'${name}'`] : []))

const text = `// Written by .ci/generate-records.mjs from the declarations in src/collections. Do not edit it.

${collections.map(renderInterface).join('\n')}
/** The record type of each collection. */
export interface Collections {
${collections.map(({ name, schema }) => `  readonly ${name}: ${schema.$id}\n`).join('')}}

/** The names of the collections. */
export const collectionNames = [${collections.map(({ name }) => `'${name}'`).join(', ')}] as const

/** The name of a collection. */
export type CollectionName = (typeof collectionNames)[number]

/** The fields of each collection, in the order of the contract. */
export const fieldNames: Readonly<Record<CollectionName, readonly string[]>> = {
${collections.map(renderNames).join('')}}

/** The fields that are true or false; all others are text, or null. */
export const booleanFields: readonly string[] = [${booleans.join(', ')}]
`
if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
