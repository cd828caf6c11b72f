import type { Description } from '../description.js'
import type { RunQuery } from '../../database/statement.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import type { Instant } from '../../values/instant.js'
import type { Finding } from '../../finding.js'
import { askCurrencies, askKeyValues, askLaterTimes, askUntested } from './ask-columns.js'
import { askChoices, askCodes, askRepeatedIds } from './ask-counts.js'
import { findKeyColumns, findOneWorkspace, findOpenSecrets } from './catalogue.js'
import { findShownSecrets, findWrongLookups } from './catalogue.js'
import { listContradictions } from './contradictions.js'
import { evaluateCounts } from './counts.js'
import type { Profiled } from './profile.js'
import { answer, createFailure } from './questions.js'
import type { Question } from './questions.js'
import { askOffsets, findWrongTimes } from './times.js'

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
  const findings: Finding[] = []
  for (const { sample, counts } of collections) {
    const { collection, failure } = sample
    findings.push(
      ...(await findOneWorkspace(collection, mapping, description, runQuery)),
      ...(failure === undefined ? [] : [createFailure(collection.name, failure)]),
      ...(typeof counts === 'string'
        ? [createFailure(collection.name, counts)]
        : evaluateCounts(collection.name, counts)),
      ...listContradictions(sample),
      ...findWrongTimes(sample, now),
      ...findWrongLookups(collection, description),
      ...findShownSecrets(collection),
    )
  }
  findings.push(...(await answer(listQuestions(input), runQuery)))
  findings.push(...findOpenSecrets(mapping, description), ...findKeyColumns(mapping, description))
  const unique = [...new Map(findings.map((one) => [`${one.object} ${one.problem}`, one])).values()]
  return unique.sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
}

function listQuestions({ mapping, collections, description }: ProofInput): readonly Question[] {
  const invoices = collections.find(({ sample: { collection } }) => collection.name === 'invoices')
  const currencies = invoices?.sample.rows.flatMap(({ record }) => String(record?.['currency'] ?? '') || [])
  const bound = collections.map(({ sample: { collection } }) => collection)
  return [
    ...bound.flatMap((one) => [
      ...askCodes(one),
      ...askRepeatedIds(one.table),
      ...askChoices(one.table),
      ...askUntested(mapping, one, description),
      ...askLaterTimes(one, description),
      ...askOffsets(one, description, mapping.timezone),
    ]),
    ...askCurrencies(new Set(currencies), description),
    ...askKeyValues(bound),
  ]
}
