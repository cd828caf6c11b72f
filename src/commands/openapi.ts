import { listStatuses } from '../resources/collection.js'
import { InvoiceSchema } from '../resources/invoices.js'
import { RegistrationSchema } from '../resources/registrations.js'
import { buildOpenApi } from '../http/openapi.js'
import type { Mapping, StatusMapping } from '../mapping/mapping-schema.js'
import { readVersion } from '../service/load-configuration.js'

/** The OpenAPI document of a mapping, as `/openapi.json` answers it; it needs no database. */
export function renderOpenApi({ registrations, invoices }: Mapping, publicUrl: string): string {
  const documented = [
    {
      name: 'registrations' as const,
      scope: 'registration.read' as const,
      statuses: listMapped(registrations.fields.status),
      schema: RegistrationSchema,
    },
    {
      name: 'invoices' as const,
      scope: 'invoices.read' as const,
      statuses: listMapped(invoices.fields.status),
      schema: InvoiceSchema,
    },
  ]
  return `${JSON.stringify(buildOpenApi(documented, publicUrl, readVersion()), null, 2)}\n`
}

function listMapped(status: StatusMapping): readonly string[] | undefined {
  return listStatuses(typeof status === 'string' ? undefined : Object.values(status.values))
}
