import { answerGuarantees } from './guarantees/answers.js'
import { conditionalGuarantees } from './guarantees/conditional.js'
import { crawlGuarantees } from './guarantees/crawls.js'
import { filterGuarantees } from './guarantees/filters.js'
import { isolationGuarantees } from './guarantees/isolation.js'
import { listGuarantees } from './guarantees/lists.js'
import { openapiGuarantees } from './guarantees/openapi.js'
import { problemGuarantees } from './guarantees/problems.js'
import { recordGuarantees } from './guarantees/records.js'
import { refusalGuarantees } from './guarantees/refusals.js'
import { syncGuarantees } from './guarantees/updated-since.js'
import type { Guarantee } from './run.js'

const all = [
  ...crawlGuarantees,
  ...listGuarantees,
  ...syncGuarantees,
  ...filterGuarantees,
  ...recordGuarantees,
  ...isolationGuarantees,
  ...refusalGuarantees,
  ...conditionalGuarantees,
  ...openapiGuarantees,
  ...problemGuarantees,
  ...answerGuarantees,
]

/** Every guarantee, in the order of the report: those with requests of their own, then those that look at all answers. */
export const guarantees: readonly Guarantee[] = [
  ...all.filter(({ isWatching }) => !isWatching),
  ...all.filter(({ isWatching }) => isWatching),
]
