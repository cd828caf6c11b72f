import type { Description } from '../description.js'
import type { RunQuery } from '../../database/statement.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import type { Instant } from '../../values/instant.js'
import type { Finding } from '../../finding.js'
import { answer, createFailure, listQuestions } from './ask.js'
import { listStructural } from './catalogue.js'
import { listContradictions } from './contradictions.js'
import { evaluateCounts, listInvalid } from './counts.js'
import type { Profiled } from './profile.js'
import { listWrongTimes } from './times.js'

interface ProofInput {
  readonly mapping: Mapping
  readonly collections: readonly Profiled[]
  readonly description: Description
  /** The clock of the database. */
  readonly now: Instant
  readonly runQuery: RunQuery
}

/** Everything that contradicts a mapping whose names fit the schema, errors first. */
export async function proveMapping(input: ProofInput): Promise<readonly Finding[]> {
  const { mapping, collections, description, now, runQuery } = input
  const bound = collections.map(({ sample }) => sample.collection)
  const seen = collections.flatMap(({ sample, counts }) => {
    const { collection, failure } = sample
    return [
      ...(failure === undefined ? [] : [createFailure(collection.name, failure)]),
      ...(typeof counts === 'string'
        ? [createFailure(collection.name, counts)]
        : evaluateCounts(collection, counts)),
      ...listInvalid(sample),
      ...listContradictions(sample),
      ...listWrongTimes(sample, now, mapping.timezone),
    ]
  })
  const invoices = collections.find(({ sample: { collection } }) => collection.name === 'invoices')
  const currencies = new Set(
    invoices?.sample.rows.flatMap(({ record }) => String(record?.['currency'] ?? '') || []),
  )
  const findings = [
    ...(await listStructural(mapping, bound, description, runQuery)),
    ...seen,
    ...(await answer(listQuestions(bound, currencies, description), runQuery)),
  ]
  const unique = [...new Map(findings.map((one) => [`${one.object} ${one.problem}`, one])).values()]
  return unique.sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
}
