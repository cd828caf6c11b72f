import { access, writeFile } from 'node:fs/promises'
import { parseConfig, readDatabaseUrl } from '../../config.js'
import { UsageError, toErrorText } from '../../errors.js'
import { takeBestAnswers } from '../init/answers.js'
import { createAsk } from '../init/ask.js'
import type { NamedTables } from '../init/choose-tables.js'
import { proposeMapping } from '../init/propose.js'
import type { Proposal } from '../init/propose.js'
import { renderMapping } from '../init/render-mapping.js'
import { isUndecided, listNextCommands, renderSummary } from '../init/render-summary.js'
import type { Surroundings } from '../init/render-summary.js'
import { openDatabase } from '../../mapping/load-configuration.js'
import type { Variables } from './run-command.js'

interface InitInput extends NamedTables {
  /** The file for the mapping; undefined for stdout. */
  readonly out: string | undefined
  /** Whether to take the best proposal without questions. */
  readonly yes: boolean
  /** Whether to print the proposal as JSON. */
  readonly json: boolean
}

/** The name that the next commands use where the mapping goes to stdout. */
const usualFile = 'mapping.yaml'

/**
 * Proposes a mapping file for the database of `DATABASE_URL`, writes it where `--out` says so, and prints what there is to do.
 *
 * @throws UsageError where there is no terminal to ask at, or the file exists; ConfigError for the environment; Problem when the
 * database does not answer; NoProposal when no table fits; Cancelled when the person ends the dialogue.
 */
export async function init(variables: Variables, { out, yes, json, ...tables }: InitInput): Promise<void> {
  if (!yes) requireTerminal()
  const config = parseConfig({ ...variables, MAPPING_FILE: '' })
  // First: a file that exists is an error before any question is asked.
  if (out !== undefined) await requireNoFile(out)
  const database = await openDatabase(config)
  try {
    const answers = yes ? takeBestAnswers : await createAsk()
    const proposal = await proposeMapping(database.runQuery, answers, tables)
    const surroundings = findSurroundings(variables, out ?? usualFile)
    const text = renderMapping(proposal)
    if (out !== undefined) await writeNewFile(out, text)
    if (json) {
      process.stdout.write(`${JSON.stringify(toReport(proposal, surroundings), null, 2)}\n`)
      return
    }
    if (out === undefined) process.stdout.write(text)
    const written = out === undefined ? '' : `Written: ${out}\n\n`
    process.stderr.write(`${written}${renderSummary(proposal, surroundings)}`)
  } finally {
    await database.close()
  }
}

function requireTerminal(): void {
  if (process.stdin.isTTY && process.stderr.isTTY) return
  throw new UsageError(
    'init asks questions, and this is no terminal: --yes takes the best proposal without them',
  )
}

/** How the next commands are typed: by npm in a checkout, or by the name of the program. */
function findSurroundings(variables: Variables, file: string): Surroundings {
  // The first host, without the password.
  const toUrl = (user: string): string =>
    readDatabaseUrl(variables).text.replace(/\/\/([^:@/]*).*@([^/,]+)[^/]*\//, `//${user}:PASSWORD@$2/`)
  const isByNpm = variables['npm_lifecycle_event'] === 'vitrine'
  return {
    file,
    program: isByNpm ? 'npm run -s vitrine --' : 'vitrine',
    serve: isByNpm ? 'npm start' : 'vitrine serve',
    url: toUrl('vitrine'),
    adminUrl: toUrl('$1'),
  }
}

async function requireNoFile(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw toExistsError(file)
}

async function writeNewFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw toExistsError(file)
    throw new UsageError(`--out ${JSON.stringify(file)} cannot be written: ${toErrorText(error)}`)
  }
}

function toExistsError(file: string): UsageError {
  return new UsageError(`--out ${JSON.stringify(file)} exists; init overwrites no file`)
}

/** For programs: every choice with its reasons, and what is to be done next. */
function toReport(proposal: Proposal, surroundings: Surroundings): object {
  const { warning, mapping, choices, forbidden, newKeyTable, missingIndexes } = proposal
  return {
    warning: warning ?? null,
    mapping,
    choices,
    undecided: choices.filter(isUndecided).map(({ path, value, undecided }) => ({ path, value, undecided })),
    neverRead: forbidden,
    newKeyTable: newKeyTable ?? null,
    missingIndexes,
    next: listNextCommands(surroundings),
  }
}
