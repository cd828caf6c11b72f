import { buildOpenApi } from '../http/openapi.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { describeResources } from '../mapping/resolve-mapping.js'
import { readVersion } from '../service/load-configuration.js'

/** The OpenAPI document of a mapping, as `/openapi.json` answers it; it needs no database. */
export function renderOpenApi(mapping: Mapping, publicUrl: string): string {
  return `${JSON.stringify(buildOpenApi(describeResources(mapping), publicUrl, readVersion()), null, 2)}\n`
}
