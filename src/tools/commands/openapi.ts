import { buildOpenApi, toOpenApi30 } from '../../api/openapi.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { describeCollections } from '../../mapping/resolve-mapping.js'

/** The OpenAPI document of a mapping, as `/openapi.json` answers it in 3.1; it needs no database. */
export function renderOpenApi(mapping: Mapping, publicUrl: string, edition: '3.1' | '3.0' = '3.1'): string {
  const document = buildOpenApi(describeCollections(mapping), publicUrl)
  return `${JSON.stringify(edition === '3.0' ? toOpenApi30(document) : document, null, 2)}\n`
}
