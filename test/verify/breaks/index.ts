import { answerBreaks, documentBreaks } from './answers.js'
import type { Break } from './break.js'
import { filterBreaks } from './filters.js'
import { keyBreaks } from './keys.js'
import { pageBreaks } from './pages.js'
import { recordBreaks, workspaceBreaks } from './records.js'
import { errorBreaks, parameterBreaks } from './requests.js'

/** Every way in which a deployment can be wrong that `verify` finds. */
export const breaks: readonly Break[] = [
  ...pageBreaks,
  ...filterBreaks,
  ...recordBreaks,
  ...workspaceBreaks,
  ...keyBreaks,
  ...parameterBreaks,
  ...errorBreaks,
  ...answerBreaks,
  ...documentBreaks,
]
