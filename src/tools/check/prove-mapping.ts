import type { Database } from '../../database/database.js'
import type { Schema } from '../../database/schema.js'
import { resolveSections } from '../../mapping/resolve-mapping.js'
import type { BoundCollection } from '../../collections/collection.js'
import type { Instant } from '../../values/instant.js'
import { readDescription } from '../description.js'
import type { DescribedColumn } from '../description.js'
import { isMoment } from '../facts/columns.js'
import { toSnake } from '../facts/words.js'
import { createWarning } from '../../finding.js'
import { createSection } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Section } from '../report/report.js'
import { listContradictions, listInvalid } from './contradictions.js'
import { checkCost, costHead } from './cost.js'
import { countRows, evaluateCounts } from './counts.js'
import { createFailure, describeFailure, sortFindings } from './findings.js'
import { isWithinOpen, withoutOpen } from './open-places.js'
import type { OpenMapping, OpenPlace } from './open-places.js'
import { profileHead, showProfile } from './profile.js'
import type { Profiled } from './profile.js'
import { askQuestions } from './questions.js'
import { readSample } from './sample.js'
import { listStructural } from './structure.js'
import { timeRules } from './times.js'

interface MappingInput extends OpenMapping {
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
  const { apiKeys, registrations, invoices } = resolveSections(mapping, schema)
  const fitting = [registrations, invoices].flatMap(
    ({ resolved, issues: own }): readonly BoundCollection[] => {
      // A view that cannot be read is an issue of its table.
      const isUnfit =
        own.some(({ path }) => !isWithinOpen(open, path)) ||
        issues.some(({ object }) => object === resolved?.table.name)
      return resolved === undefined || isUnfit ? [] : [withoutOpen(resolved, open)]
    },
  )
  const { profiled, findings } = await proveMapping(input, fitting)
  const contradictions = createSection({
    id: 'contradictions',
    title: 'What contradicts the mapping',
    intro:
      'Columns that are missing or of another type, and what the tables and rows say against what the mapping file says.',
    findings: [...issues, ...open.map(toOpenFinding), ...findings],
  })
  if (fitting.length === 0) return [toSkipped(profileHead), contradictions, toSkipped(costHead)]
  const keys = apiKeys.issues.length === 0 ? apiKeys.resolved : undefined
  const isProved = contradictions.status !== 'error' && open.length === 0
  const samples = profiled.map(({ sample }) => sample)
  const cost = await checkCost({ keys, samples, schema, database, isProved })
  return [showProfile(profiled), contradictions, cost]
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

/** What the collections show, and everything that contradicts their mapping. */
async function proveMapping(
  { mapping, database, now }: MappingInput,
  collections: readonly BoundCollection[],
): Promise<{ readonly profiled: readonly Profiled[]; readonly findings: readonly Finding[] }> {
  const run = database.runCheckQuery
  const description = await readDescription(run)
  const findings = [...listStructural(mapping, collections, description)]
  const profiled: Profiled[] = []
  for (const collection of collections) {
    const { name, table } = collection
    const described = description.get(table.name)
    const sample = await readSample(collection, described?.columns.filter(isTelling) ?? [], run)
    const counts = await countRows(collection, mapping, described, run).catch(describeFailure)
    profiled.push({ sample, counts })
    findings.push(
      ...(sample.failure === undefined ? [] : [createFailure(name, sample.failure)]),
      ...(typeof counts === 'string' ? [createFailure(name, counts)] : evaluateCounts(collection, counts)),
      ...listInvalid(sample),
      ...listContradictions({ sample, now, timezone: mapping.timezone }, timeRules),
    )
  }
  const samples = profiled.map(({ sample }) => sample)
  findings.push(...(await askQuestions(samples, description, run)))
  return { profiled, findings: sortFindings(findings, ({ object, problem }) => `${object} ${problem}`) }
}

/** Whether the values of a column are compared with what is shown: times, and types of rows. */
function isTelling(column: DescribedColumn): boolean {
  const isType = /(?:^|_)(?:type|kind)$/.test(toSnake(column.name))
  return isMoment(column) || (column.kind === 'text' && column.length <= 255 && isType)
}
