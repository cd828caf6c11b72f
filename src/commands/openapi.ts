import { buildOpenApi } from '../http/openapi.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { invoices } from '../resources/invoices.js'
import { registrations } from '../resources/registrations.js'
import { readVersion } from '../service/load-configuration.js'

/** The OpenAPI document of a mapping, as `/openapi.json` answers it; it needs no database. */
export function renderOpenApi(mapping: Mapping, publicUrl: string): string {
  const documented = [registrations.describe(mapping.registrations), invoices.describe(mapping.invoices)]
  return `${JSON.stringify(buildOpenApi(documented, publicUrl, readVersion()), null, 2)}\n`
}
