import { answerBreaks } from './answers.js'
import type { Break } from './break.js'
import { cachingBreaks } from './caching.js'
import { documentBreaks } from './document.js'
import { errorBreaks } from './errors.js'
import { filterBreaks } from './filters.js'
import { keyBreaks, scopeBreaks } from './keys.js'
import { pageBreaks } from './pages.js'
import { parameterBreaks } from './parameters.js'
import { recordBreaks } from './records.js'
import { workspaceBreaks } from './workspaces.js'

/** Every break that a key with both scopes finds, with a key of another workspace beside it. */
export const breaks: readonly Break[] = [
  ...pageBreaks,
  ...filterBreaks,
  ...recordBreaks,
  ...workspaceBreaks,
  ...keyBreaks,
  ...cachingBreaks,
  ...answerBreaks,
  ...errorBreaks,
  ...parameterBreaks,
  ...documentBreaks,
]

/** Those that take a key without the scope of invoices. */
export { scopeBreaks }
