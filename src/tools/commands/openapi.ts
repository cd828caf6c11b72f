import { toOpenApi30 } from '../../api/openapi-3-0.js'
import { buildOpenApi } from '../../api/openapi.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { describeCollections } from '../../mapping/resolve-mapping.js'

const editions = {
  '3.1': (document: ReturnType<typeof buildOpenApi>) => document,
  '3.0': toOpenApi30,
} as const

/** A version of OpenAPI in which the document can be printed. */
export type Edition = keyof typeof editions

/** The OpenAPI document of a mapping, as `/openapi.json` answers it in 3.1; it needs no database. */
export function renderOpenApi(mapping: Mapping, publicUrl: string, edition: Edition = '3.1'): string {
  const document = buildOpenApi(describeCollections(mapping), publicUrl)
  return `${JSON.stringify(editions[edition](document), null, 2)}\n`
}
