import type { Choice } from './candidate.js'
import { formatBytes } from './indexes.js'
import type { Proposal } from './propose.js'

/** What to do after `init`, as commands. */
export function listNextCommands(file: string): readonly string[] {
  const mapping = `MAPPING_FILE=${quoteArgument(file)}`
  return [
    `${mapping} vitrine grants --user vitrine --host '%'`,
    `${mapping} vitrine check`,
    `${mapping} vitrine serve`,
  ]
}

/** A choice that a person must make or verify. */
export function isUndecided({ undecided }: Choice): boolean {
  return undecided !== undefined
}

/**
 * What a person does next: points to decide, the table of keys, missing indexes, and commands.
 *
 * @param file the name of the mapping file.
 */
export function renderSummary(proposal: Proposal, file: string): string {
  const { choices, newKeyTable, missingIndexes } = proposal
  const open = choices.filter(isUndecided)
  const steps = [
    ...(newKeyTable === undefined ? [] : ['the table of keys']),
    ...(missingIndexes.length === 0 ? [] : ['the indexes']),
  ]
  return [
    ...renderPart('To decide (TODO) and to verify:', open.map(renderPoint)),
    ...(newKeyTable === undefined ? [] : ['A new table of API keys:', '', newKeyTable.ddl]),
    ...renderPart(
      'Indexes that are missing:',
      missingIndexes.map(
        ({ ddl, reason, estimatedBytes }) => `${ddl} -- about ${formatBytes(estimatedBytes)}; ${reason}`,
      ),
    ),
    ...renderPart(
      `Next${steps.length === 0 ? '' : `, after an administrator has created ${steps.join(' and ')}`}:`,
      listNextCommands(file),
    ),
  ].join('\n')
}

function renderPoint({ path, value, undecided }: Choice): string {
  return `${value === 'TODO' ? 'TODO  ' : 'verify'} ${path}: ${undecided ?? ''}`
}

function renderPart(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), '']
}

/** As one word of a POSIX shell. */
function quoteArgument(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
