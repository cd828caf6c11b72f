import type { Column } from '../../database/column.js'
import type { Database } from '../../database/database.js'
import type { Schema } from '../../database/schema.js'
import { resolveSections } from '../../mapping/resolve-mapping.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import type { BoundCollection } from '../../collections/collection.js'
import type { Instant } from '../../values/instant.js'
import { readDescription } from '../description.js'
import type { Description } from '../description.js'
import { toSnake } from '../facts/words.js'
import { createWarning } from '../../finding.js'
import { createSection } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Section } from '../report/report.js'
import { answer, createFailure, listQuestions } from './ask.js'
import { listStructural } from './catalogue.js'
import { listContradictions } from './contradictions.js'
import { checkCost, costHead } from './cost.js'
import { countRows, evaluateCounts, listInvalid } from './counts.js'
import { isWithinOpen, withoutOpen } from './open-places.js'
import type { OpenPlace } from './open-places.js'
import { profileHead, showProfile } from './profile.js'
import type { Profiled } from './profile.js'
import { readSample } from './sample.js'
import { listWrongTimes } from './times.js'

interface MappingInput {
  readonly mapping: Mapping
  /** The places of the mapping file that are still to be decided. */
  readonly open: readonly OpenPlace[]
  readonly database: Database
  readonly schema: Schema
  /** The clock of the database. */
  readonly now: Instant
  /** Where the mapping does not fit the schema. */
  readonly issues: readonly Finding[]
}

/** The profile, what contradicts the mapping, and what its requests cost: of each collection that fits the schema. */
export async function checkMapping(input: MappingInput): Promise<readonly Section[]> {
  const { mapping, open, database, schema, issues } = input
  const { apiKeys, ...sections } = resolveSections(mapping, schema)
  const fitting = [sections.registrations, sections.invoices].flatMap(
    ({ resolved, issues: own }): readonly BoundCollection[] => {
      if (resolved === undefined || own.some(({ path }) => !isWithinOpen(open, path))) return []
      // A view that cannot be read.
      const isUnreadable = issues.some(({ object }) => object === resolved.table.name)
      return isUnreadable ? [] : [withoutOpen(resolved, open)]
    },
  )
  const description = await readDescription(database.runCheckQuery)
  const collections: Profiled[] = []
  for (const one of fitting) {
    const described = description.get(one.table.name)
    collections.push({
      sample: await readSample(one, described?.columns.filter(isTelling) ?? [], database.runCheckQuery),
      counts: await countRows(one, mapping, described, database.runCheckQuery),
    })
  }
  const contradictions = createSection({
    id: 'contradictions',
    title: 'What contradicts the mapping',
    intro:
      'Columns that are missing or of another type, and what the tables and rows say against what the mapping file says.',
    findings: [
      ...issues,
      ...open.map(toOpenFinding),
      ...(await proveMapping(input, collections, description)),
    ],
  })
  if (fitting.length === 0) return [toSkipped(profileHead), contradictions, toSkipped(costHead)]
  const keys = apiKeys.issues.length === 0 ? apiKeys.resolved : undefined
  const isProved = contradictions.status !== 'error' && open.length === 0
  const cost = await checkCost({ keys, collections: fitting, schema, database, isProved })
  return [showProfile(collections), contradictions, cost]
}

/** Whether the values of a column are compared with what is shown: times, and types of rows. */
function isTelling({ kind, name, length }: Column): boolean {
  if (kind === 'text') return length <= 255 && /(?:^|_)(?:type|kind)$/.test(toSnake(name))
  return kind === 'datetime' || kind === 'timestamp'
}

function toOpenFinding({ path, candidates }: OpenPlace): Finding {
  const problem = `is TODO, and was left out of the check${candidates === '' ? '' : `; candidates: ${candidates}`}`
  return createWarning(path, problem, 'decide it with the facts, or ask the product team')
}

/** A section that needs a mapping that fits the schema, without one. */
function toSkipped(head: Pick<Section, 'id' | 'title'>): Section {
  const note =
    'Not examined: no collection of the mapping fits the tables. Correct the errors, and check again.'
  return { ...head, status: 'skipped', notes: [note], findings: [] }
}

/** Everything that contradicts a mapping whose names fit the schema, errors first. */
async function proveMapping(
  { mapping, database: { runCheckQuery }, now }: MappingInput,
  collections: readonly Profiled[],
  description: Description,
): Promise<readonly Finding[]> {
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
  const findings = [
    ...(await listStructural(mapping, bound, description, runCheckQuery)),
    ...seen,
    ...(await answer(listQuestions(collections, description), runCheckQuery)),
  ]
  const unique = [...new Map(findings.map((one) => [`${one.object} ${one.problem}`, one])).values()]
  return unique.sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))
}
