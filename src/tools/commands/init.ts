import { writeFile } from 'node:fs/promises'
import { parseConfig, readDatabaseUrl } from '../../config.js'
import { UsageError, toErrorText } from '../../errors.js'
import { openDatabase } from '../../mapping/load-configuration.js'
import { readFacts } from '../facts/read-facts.js'
import { proposeMapping, todo } from '../init/propose.js'
import type { NamedTables, Proposal } from '../init/propose.js'
import { renderMapping } from '../init/render-mapping.js'
import { renderKeyTable } from '../key-table-sql.js'
import type { Variables } from './command.js'

interface InitInput extends NamedTables {
  /** The file for the mapping; undefined for stdout. */
  readonly out: string | undefined
}

/** The name that the next commands use where the mapping goes to stdout. */
const usualFile = 'mapping.yaml'

/**
 * Writes the skeleton of a mapping file for the database of `DATABASE_URL`, to `--out` or to stdout, and what comes next to stderr.
 *
 * @throws UsageError where the file exists; ConfigError for the environment; Problem when the database does not answer; NoProposal
 * when no table fits.
 */
export async function init(variables: Variables, { out, ...tables }: InitInput): Promise<void> {
  const database = await openDatabase(parseConfig({ ...variables, MAPPING_FILE: '' }))
  try {
    const proposal = proposeMapping(await readFacts(database.runCheckQuery), tables)
    const text = renderMapping(proposal)
    if (out === undefined) process.stdout.write(text)
    else await writeNewFile(out, text)
    process.stderr.write(renderNext(proposal, variables, out))
  } finally {
    await database.close()
  }
}

async function writeNewFile(file: string, text: string): Promise<void> {
  const name = `--out ${JSON.stringify(file)}`
  try {
    await writeFile(file, text, { flag: 'wx' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new UsageError(`${name} exists; init overwrites no file`)
    throw new UsageError(`${name} cannot be written: ${toErrorText(error)}`)
  }
}

/** The table of keys, and the next commands as they are typed: by npm in a checkout, or by the name of the program. */
function renderNext(
  { choices, tenant, apiKeys }: Proposal,
  variables: Variables,
  out: string | undefined,
): string {
  const open = choices.filter(({ value }) => value === todo).length
  const isByNpm = variables['npm_lifecycle_event'] === 'vitrine'
  const program = isByNpm ? 'npm run -s vitrine --' : 'vitrine'
  // Without the password.
  const url = readDatabaseUrl(variables).text.replace(/\/\/([^:@/]*):.*@/, '//$1:PASSWORD@')
  const before = `DATABASE_URL='${url}' MAPPING_FILE=${out ?? usualFile} ${program}`
  return [
    ...(out === undefined ? [] : [`Written: ${out}`, '']),
    renderKeyTable(apiKeys, tenant),
    `${open} places are TODO: decide them with what \`${program} facts\` prints. Then, in this order:`,
    `  ${before} check`,
    `  ${before} grants --user vitrine --host '%'`,
    `  ${before} key --workspace W --scopes registration.read,invoices.read`,
    '',
  ].join('\n')
}
