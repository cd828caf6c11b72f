import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { escapeUnprintable } from '../../client/text.js'
import { parseConfig, readDatabaseUrl } from '../../config.js'
import { describeUnusable, UsageError } from '../../errors.js'
import { readFacts } from '../facts/read-facts.js'
import type { Facts } from '../facts/read-facts.js'
import { renderFacts, toReport } from '../facts/render-facts.js'
import { NoProposal, proposeMapping, todo } from '../init/propose.js'
import type { NamedTables, Proposal } from '../init/propose.js'
import { renderMapping } from '../init/render-mapping.js'
import { renderKeyTable } from './key.js'
import { toPrintableTexts } from '../../values/printable.js'
import type { Variables } from './command.js'
import { withDatabase } from './with-database.js'

/** The facts of the database of `DATABASE_URL`; there need be no mapping file yet. @throws ConfigError, Problem, NoProposal */
async function loadFacts(variables: Variables): Promise<Facts> {
  const config = parseConfig({ ...variables, MAPPING_FILE: '' })
  const facts = await withDatabase(config, (database) => readFacts(database.runCheckQuery))
  if (facts.tables.size > 0) return facts
  const { user, name } = config.database
  throw new NoProposal(
    `The user ${user} sees no table of ${name}: correct the database in DATABASE_URL, or grant SELECT on its tables.`,
  )
}

/** What an assistant does with the facts; it ships with the package. */
const instructionsFile = new URL('../../../docs/mapping-with-an-assistant.md', import.meta.url)

/** What `vitrine facts` prints: the facts, and behind them the instructions for an assistant. @throws ConfigError, Problem */
export async function printFacts(variables: Variables, isJson: boolean): Promise<string> {
  const instructions = await readFile(instructionsFile, 'utf8')
  const facts = await loadFacts(variables)
  if (isJson) return `${JSON.stringify({ ...toPrintableTexts(toReport(facts)), instructions }, null, 2)}\n`
  return `${renderFacts(facts).split('\n').map(escapeUnprintable).join('\n')}\n${instructions}`
}

interface InitInput extends NamedTables {
  /** The file for the mapping; undefined for stdout. */
  readonly out: string | undefined
}

/**
 * Writes the skeleton of a mapping file for the database of `DATABASE_URL`, to `--out` or to stdout, and what comes next to stderr.
 *
 * @throws UsageError where the file exists; ConfigError for the environment; Problem when the database does not answer; NoProposal
 * when no table fits.
 */
export async function init(variables: Variables, { out, ...tables }: InitInput): Promise<void> {
  const proposal = proposeMapping(await loadFacts(variables), tables)
  const text = renderMapping(proposal)
  if (out === undefined) process.stdout.write(text)
  else {
    await mkdir(dirname(out), { recursive: true })
      .then(() => writeFile(out, text, { flag: 'wx' }))
      .catch((error: unknown) => {
        throw new UsageError(`--out takes a new file; found ${describeUnusable(out, error)}`)
      })
  }
  process.stderr.write(renderNext(proposal, variables, out))
}

/** The key table, and the next commands as they are typed: by npm in a checkout, or by the name of the program. */
function renderNext({ choices, apiKeys }: Proposal, variables: Variables, out: string | undefined): string {
  const open = choices.filter(({ value }) => value === todo).length
  const isByNpm = variables['npm_lifecycle_event'] === 'vitrine'
  const program = isByNpm ? 'npm run -s vitrine --' : 'vitrine'
  // Without the password.
  const url = readDatabaseUrl(variables).text.replace(/\/\/([^:@/]*):.*@/, '//$1:PASSWORD@')
  const before = `DATABASE_URL='${url}' MAPPING_FILE=${out ?? 'mapping.yaml'} ${program}`
  return [
    ...(out === undefined ? [] : [`Written: ${out}`, '']),
    renderKeyTable(apiKeys),
    `${open} settings are TODO: decide them with what \`${program} facts\` prints. Then, in this order:`,
    `  ${before} check`,
    '  the CREATE TABLE above, as an administrator',
    `  ${before} grants --user vitrine --host '%'`,
    `  ${before} key --workspace W --scopes registration.read,invoices.read`,
    '',
  ].join('\n')
}
