import type { Choice } from './answers.js'
import { describeBytes } from '../planned-index.js'
import type { Proposal } from './propose.js'

/** How the commands of this program are typed where it was started. */
export interface Surroundings {
  /** The name of the mapping file. */
  readonly file: string
  /** Such as `npm run -s vitrine --`. */
  readonly program: string
  /** Such as `npm start`. */
  readonly serve: string
  /** The URL of the database for the service, without its password. */
  readonly url: string
  /** The same for the user of `init`. */
  readonly adminUrl: string
}

/** What to do after `init`, as commands. */
export function listNextCommands({ file, program, serve, url, adminUrl }: Surroundings): readonly string[] {
  const mapping = `MAPPING_FILE=${quoteArgument(file)}`
  const environment = `${mapping} DATABASE_URL=${quoteArgument(url)}`
  return [
    // It reads the primary keys that the mapping file does not name.
    `${mapping} DATABASE_URL=${quoteArgument(adminUrl)} ${program} grants --user vitrine --host '%'`,
    `${environment} ${program} check`,
    `${environment} ${serve}`,
  ]
}

/** A choice that a person must make or verify. */
export function isUndecided({ undecided }: Choice): boolean {
  return undecided !== undefined
}

/** What a person does next: points to decide, the table of keys, missing indexes, and commands. */
export function renderSummary(proposal: Proposal, surroundings: Surroundings): string {
  const { choices, newKeyTable, missingIndexes, warning } = proposal
  const open = choices.filter(isUndecided)
  const steps = [
    ...(newKeyTable === undefined ? [] : ['the table of keys']),
    ...(missingIndexes.length === 0 ? [] : ['the indexes']),
  ]
  const conditions = [
    ...(choices.some(({ value }) => value === 'TODO') ? ['each TODO has a value'] : []),
    ...(steps.length === 0 ? [] : [`an administrator has created ${steps.join(' and ')}`]),
  ]
  return [
    ...renderPart('WARNING:', warning === undefined ? [] : [warning]),
    ...renderPart('Tables:', choices.filter(({ path }) => path.endsWith('.table')).map(renderTable)),
    ...renderPart('To decide (TODO) and to verify:', open.map(renderPoint)),
    ...(newKeyTable === undefined ? [] : ['A new table of API keys:', '', newKeyTable.ddl]),
    ...renderPart(
      'Indexes that are missing:',
      missingIndexes.map(
        ({ ddl, reason, estimatedBytes }) => `${ddl} -- ${describeBytes(estimatedBytes)}; ${reason}`,
      ),
    ),
    ...renderPart(
      `Next${conditions.length === 0 ? '' : `, after ${conditions.join(' and ')}`}:`,
      listNextCommands(surroundings),
    ),
  ].join('\n')
}

/** The table of a collection, how sure it is, and how another one is taken. */
function renderTable({ path, value, confidence, runnersUp }: Choice): string {
  const [name = ''] = path.split('.')
  const others = runnersUp.map(({ label }) => `--${name} ${quoteArgument(label)}`).join(', ')
  const instead = others === '' ? '' : `; instead: ${others}`
  return value === undefined
    ? `${name}: not found, left out${instead}`
    : `${name}: ${JSON.stringify(value)}${confidence === undefined ? '' : ` (${confidence})`}${instead}`
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
