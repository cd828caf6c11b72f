// Writes src/client/records.ts, which the integrators' package, `pull` and `verify` share, from the declarations in
// src/resources. It changes the file only if a declaration changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { createJiti } from 'jiti'

const file = 'src/client/records.ts'
const jiti = createJiti(import.meta.url)
const { registrations } = await jiti.import('../src/resources/registrations.ts')
const { invoices } = await jiti.import('../src/resources/invoices.ts')
const resources = [registrations, invoices]

const listFields = ({ schema }) => Object.entries(schema.properties)
const toTypes = ({ type }) => [type].flat()

const renderType = (field) => toTypes(field).join(' | ')
const renderInterface = ({ schema, ...resource }) => `/** ${schema.description} */
export interface ${schema.$id} {
${listFields({ schema, ...resource })
  .map(([name, field]) => `  /** ${field.description} */\n  readonly ${name}: ${renderType(field)}\n`)
  .join('')}}
`

const renderFieldType = (field) =>
  `{ type: '${toTypes(field)[0]}', isNullable: ${String(toTypes(field).includes('null'))} }`
const renderFields = (resource) => `  ${resource.name}: {
${listFields(resource)
  .map(([name, field]) => `    ${name}: ${renderFieldType(field)},\n`)
  .join('')}  },
`

const text = `// Written by .ci/generate-records.mjs from the declarations in src/resources. Do not edit it.

${resources.map(renderInterface).join('\n')}
/** The record type of each collection. */
export interface Collections {
${resources.map(({ name, schema }) => `  readonly ${name}: ${schema.$id}\n`).join('')}}

/** The name of a collection. */
export type CollectionName = keyof Collections

/** The JSON type of a field. */
export interface FieldType {
  readonly type: 'string' | 'boolean'
  readonly isNullable: boolean
}

/** The fields of each collection, in the order of the contract. */
export const recordFields: Readonly<Record<CollectionName, Readonly<Record<string, FieldType>>>> = {
${resources.map(renderFields).join('')}}
`
if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
