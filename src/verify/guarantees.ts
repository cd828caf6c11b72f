import { answerGuarantees } from './guarantees/answers.js'
import { conditionalGuarantees } from './guarantees/conditional.js'
import { crawlGuarantees } from './guarantees/crawls.js'
import { cursorGuarantees } from './guarantees/cursors.js'
import { fieldGuarantees } from './guarantees/fields.js'
import { filterGuarantees } from './guarantees/filters.js'
import { isolationGuarantees } from './guarantees/isolation.js'
import { listGuarantees } from './guarantees/lists.js'
import { openapiGuarantees } from './guarantees/openapi.js'
import { problemGuarantees } from './guarantees/problems.js'
import { rateGuarantees } from './guarantees/rate-limit.js'
import { recordGuarantees } from './guarantees/records.js'
import { refusalGuarantees } from './guarantees/refusals.js'
import { syncGuarantees } from './guarantees/updated-since.js'
import type { Guarantee } from './run.js'

/** Every guarantee, in the order of the report. Those of lists are verified for each collection that the key can read. */
export const guarantees: readonly Guarantee[] = [
  ...listGuarantees,
  ...crawlGuarantees,
  ...cursorGuarantees,
  ...syncGuarantees,
  ...filterGuarantees,
  ...recordGuarantees,
  ...fieldGuarantees,
  ...isolationGuarantees,
  ...refusalGuarantees,
  ...problemGuarantees,
  ...conditionalGuarantees,
  ...answerGuarantees,
  ...rateGuarantees,
  ...openapiGuarantees,
]
