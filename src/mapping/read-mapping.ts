import { Ajv } from 'ajv'
import { LineCounter, parseDocument } from 'yaml'
import { ConfigError } from '../errors.js'
import type { Fault } from '../errors.js'
import { findMinorDigits } from '../values/currency.js'
import { MappingSchema } from './mapping-schema.js'
import type { Mapping } from './mapping-schema.js'
import { findForbidden } from './never-read.js'
import { toSchemaFaults } from './schema-faults.js'

const ajv = new Ajv({ allErrors: true, verbose: true, useDefaults: true })
const validate = ajv.compile<Mapping>(MappingSchema)

/**
 * The mapping that a YAML text holds: its shape first, then its meaning.
 *
 * @throws ConfigError with every fault of the first of these that has any.
 */
export function readMapping(text: string): Mapping {
  const content = parseYaml(text)
  if (!validate(content)) throw new ConfigError(toSchemaFaults(validate.errors ?? []))
  const faults = [...findForbidden(content), ...findContradictions(content)]
  if (faults.length > 0) throw new ConfigError(faults)
  return content
}

function parseYaml(text: string): unknown {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  if (document.errors.length === 0) return document.toJS()
  throw new ConfigError(
    document.errors.map((error) => ({
      path: `line ${lineCounter.linePos(error.pos[0]).line}`,
      found: error.message,
      allowed: 'YAML with each name once',
    })),
  )
}

function findContradictions(mapping: Mapping): readonly Fault[] {
  const { checkedIn, checkedInAt } = mapping.registrations.fields
  const { currency } = mapping.invoices.fields
  const faults: Fault[] = []
  if (typeof checkedIn === 'object' && checkedInAt === undefined) {
    faults.push({
      path: 'registrations.fields.checkedIn',
      found: 'from: checkedInAt, which is not mapped',
      allowed: 'a boolean column, or a mapped checkedInAt',
    })
  }
  if (typeof currency === 'object' && findMinorDigits(currency.constant) === undefined) {
    faults.push({
      path: 'invoices.fields.currency.constant',
      found: currency.constant,
      allowed: 'a currency of ISO 4217',
    })
  }
  return faults
}
