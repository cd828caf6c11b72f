import { answerGuarantees } from './guarantees/answers.js'
import { conditionalGuarantees } from './guarantees/conditional.js'
import { crawlGuarantees, pageGuarantees } from './guarantees/crawls.js'
import { filterGuarantees } from './guarantees/filters.js'
import { isolationGuarantees } from './guarantees/isolation.js'
import { openapiGuarantees } from './guarantees/openapi.js'
import { problemGuarantees } from './guarantees/problems.js'
import { recordGuarantees } from './guarantees/records.js'
import { refusalGuarantees } from './guarantees/refusals.js'
import type { Guarantee } from './run.js'

/** Every guarantee, in the order of the report: those with requests of their own, then those that look at all answers. */
export const guarantees: readonly Guarantee[] = [
  ...crawlGuarantees,
  ...filterGuarantees,
  ...recordGuarantees,
  ...isolationGuarantees,
  ...refusalGuarantees,
  ...conditionalGuarantees,
  ...pageGuarantees,
  ...openapiGuarantees,
  ...problemGuarantees,
  ...answerGuarantees,
]
