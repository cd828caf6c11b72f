import { answerBreaks, documentBreaks, errorBreaks, parameterBreaks } from './answers.js'
import type { Change } from '../broken-service.js'
import { filterBreaks } from './filters.js'
import { keyBreaks } from './keys.js'
import { pageBreaks } from './pages.js'
import { recordBreaks, workspaceBreaks } from './records.js'

/** Every way in which a deployment can be wrong that `verify` finds. */
export const breaks: readonly (readonly [guarantee: string, name: string, change: Change])[] = [
  pageBreaks,
  filterBreaks,
  recordBreaks,
  workspaceBreaks,
  keyBreaks,
  parameterBreaks,
  errorBreaks,
  answerBreaks,
  documentBreaks,
].flatMap((table) =>
  Object.entries(table).flatMap(([guarantee, changes]) =>
    Object.entries(changes).map(([name, change]) => [guarantee, name, change] as const),
  ),
)
