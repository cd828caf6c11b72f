import { findColumn, readDescription } from '../description.js'
import type { DescribedColumn, DescribedTable, Description } from '../description.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { renderKeyTable } from '../key-table-sql.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { StepBack, toChoice } from './answers.js'
import type { Answers, Choice } from './answers.js'
import { isSection, todo } from './candidate.js'
import type { Candidate, MappingValue, Section } from './candidate.js'
import { chooseTables, collectionNames } from './choose-tables.js'
import type { CollectionName, NamedTables } from './choose-tables.js'
import { findColumns } from './columns.js'
import { partialStatement } from './content-sql.js'
import { createContent } from './content.js'
import type { Content } from './content.js'
import { isFlag } from './flags.js'
import { listForbidden } from './forbidden.js'
import type { ForbiddenPattern } from './forbidden.js'
import { createGraph, remember } from './graph.js'
import { listMissingIndexes } from './indexes.js'
import type { MissingIndex } from './indexes.js'
import { listKeyTables } from './key-tables.js'
import type { KeyTable } from './key-tables.js'
import { readKeyValues } from './key-values.js'
import { readTypedKeys } from './typed-keys.js'
import { isOfPeople } from './people.js'
import { listPlace, places } from './places.js'
import type { PlaceInput } from './places.js'
import { chooseTenant, createListTenants, listWorkspaces, readTenants } from './tenants.js'
import { listSectionColumns, listUsedColumns } from './used-columns.js'
import type { UsedColumn } from './used-columns.js'

/** A proposed mapping file with everything that a person needs to check it. */
export interface Proposal {
  /** What the user of the database cannot see, so that nothing is sure; undefined for a user who sees all of it. */
  readonly warning?: string | undefined
  /** The content of the mapping file; a place that is undecided holds `TODO`. */
  readonly mapping: Section
  /** In the order of the file. */
  readonly choices: readonly Choice[]
  readonly forbidden: readonly ForbiddenPattern[]
  /** Undefined where the product has a table of keys. */
  readonly newKeyTable: { readonly table: string; readonly ddl: string } | undefined
  readonly missingIndexes: readonly MissingIndex[]
}

/** A database for which no mapping can be proposed. */
export class NoProposal extends Error {
  override readonly name = 'NoProposal'
}

/**
 * Proposes a mapping file for the database of a session. Reads `information_schema`, and the distinct values of columns
 * that look like a status, a type or the scopes of keys, and the currency in a setting.
 *
 * @param named the tables that the command line names.
 * @throws NoProposal where the user sees no tables, or not the one that is named.
 */
export async function proposeMapping(
  runQuery: RunQuery,
  answers: Answers,
  named: NamedTables = {},
): Promise<Proposal> {
  const description = await readDescription(runQuery)
  if (description.size === 0) {
    throw new NoProposal(
      'This user sees no table of the database. init needs a user with SELECT on the tables of the product.',
    )
  }
  for (const name of collectionNames) {
    const table = named[name]
    if (table !== undefined && table !== 'none' && !description.has(table))
      throw new NoProposal(
        `--${name} ${JSON.stringify(table)} is none of the ${description.size} tables that this user sees.`,
      )
  }
  if (collectionNames.every((name) => named[name] === 'none'))
    throw new NoProposal('--registrations none and --invoices none leave nothing to propose.')
  const input = { description, content: createContent(runQuery), answers, named }
  const warning = describePartial(description, await runQuery(partialStatement))
  const proposal = await repeatUntilDone(answers, () => propose(input))
  if (!collectionNames.some((name) => name in proposal.mapping))
    throw new NoProposal('Both collections were left out, so there is nothing to map.')
  return warning === undefined ? proposal : withWarning(proposal, warning)
}

/** A step back begins again and repeats the answers before it. */
async function repeatUntilDone<Value>(answers: Answers, run: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof StepBack)) throw error
      answers.restart?.()
    }
  }
}

function describePartial(description: Description, rows: readonly Row[]): string | undefined {
  if (rows.length === 0) return undefined
  const columns = rows.filter(({ isTable }) => Number(isTable) === 0).map(({ name }) => String(name))
  const parts = [
    `only the ${description.size} tables that are granted to it`,
    ...(columns.length === 0 ? [] : [`only some columns of ${columns.join(', ')}`]),
  ]
  return `The user of DATABASE_URL sees ${parts.join(', and ')}. What it cannot see, such as a soft delete, a tenant or a secret, is missing from this proposal, so nothing of it is sure. Run init with a user who has SELECT on the whole database.`
}

function withWarning(proposal: Proposal, warning: string): Proposal {
  const choices = proposal.choices.map((choice) =>
    choice.confidence === 'sure' ? { ...choice, confidence: 'likely' as const } : choice,
  )
  return { ...proposal, warning, choices }
}

interface ProposeInput {
  readonly description: Description
  readonly content: Content
  readonly answers: Answers
  readonly named?: NamedTables
}

/** Proposes a mapping file for a database with at least one table. */
export async function propose(input: ProposeInput): Promise<Proposal> {
  const { description, content, answers, named = {} } = input
  const keyValues = await readKeyValues(description, content)
  const graph = createGraph(description, {
    keyValues,
    typedKeys: await readTypedKeys(description, content),
    isOfPeople,
    findMark: (table) => findColumns(table, 'primary').find(({ column }) => isFlag(column))?.column,
  })
  const listTenants = createListTenants(graph)
  const hasTenant: (...of: Parameters<typeof listTenants>) => boolean = (table) =>
    listTenants(table).length > 0
  const tables = await chooseTables({ graph, content, hasTenant }, answers, named)
  const readWays = remember((table: DescribedTable) => readTenants(content, listTenants(table)))
  const ways = await Promise.all(
    tables.flatMap(({ table }) => (table === undefined ? [] : [readWays(table)])),
  )
  const tenant = chooseTenant(ways)
  const keys = await chooseKeys(answers, await listKeyTables({ description, content, listTenants, tenant }))
  const sections: Record<string, Section> = {}
  const choices = [keys.choice]
  for (const { name, table, choice } of tables) {
    choices.push(choice)
    if (table === undefined) continue
    const workspaces = listWorkspaces(await readWays(table), tenant)
    const section = await proposeSection(name, { table, graph, content, workspaces }, answers)
    sections[name] = section.section
    choices.push(...section.choices)
  }
  const tenantColumn = ways.flatMap((list) => list.find((one) => one.tenant === tenant)?.column ?? [])[0]
  const apiKeys = toKeys(keys.table, tenantColumn)
  const mapping = { timezone: utc.value, apiKeys, ...sections }
  const used = listUsed(mapping, choices)
  const forbidden = listForbidden(graph, used, tables.find(({ name }) => name === 'registrations')?.table)
  const timezone = hasDateTime(description, used)
    ? await chooseTimezone(answers)
    : toIdle(toChoice(timezoneQuestion, utc))
  const ddl = renderKeyTable(apiKeys as unknown as Mapping['apiKeys'], tenantColumn)
  return {
    mapping: {
      ...mapping,
      timezone: timezone.value ?? utc.value,
      neverRead: forbidden.map(({ pattern }) => pattern),
    },
    choices: [timezone, ...choices],
    forbidden,
    newKeyTable: keys.table.isNew ? { table: keys.table.section.table, ddl } : undefined,
    missingIndexes: listMissingIndexes(description, mapping),
  }
}

/** What the mapping reads, and what it reads once each `TODO` has one of its candidates. */
function listUsed(mapping: Section, choices: readonly Choice[]): readonly UsedColumn[] {
  const open = choices.flatMap(({ path, value, runnersUp }) => {
    const section = mapping[path.split('.')[0] ?? '']
    const table = isSection(section) ? section['table'] : undefined
    if (value !== todo || typeof table !== 'string') return []
    return runnersUp.flatMap((one) => listUsedColumns(one.value, table))
  })
  return [...Object.values(mapping).flatMap(listSectionColumns), ...open]
}

async function chooseKeys(
  answers: Answers,
  candidates: readonly Candidate<KeyTable>[],
): Promise<{ table: KeyTable; choice: Choice }> {
  const question = { path: 'apiKeys', wanted: 'the table of API keys', candidates, important: true }
  const chosen = (await answers.choose(question)) ?? candidates[0]
  if (chosen === undefined) throw new Error('A new table of keys is always a candidate')
  return { table: chosen.value, choice: toChoice(question, chosen, ({ section }) => section.table) }
}

/** Vitrine's own table has the tenant's id in the type of the product. */
function toKeys({ section, isOwn }: KeyTable, tenant: DescribedColumn | undefined): Section {
  if (!isOwn || tenant?.kind !== 'binary' || typeof section['workspace'] !== 'string') return section
  return { ...section, workspace: { column: section['workspace'], as: 'uuid' } }
}

/** A section, place by place in the order of the file. */
async function proposeSection(
  name: CollectionName,
  input: Omit<PlaceInput, 'chosen'>,
  answers: Answers,
): Promise<{ readonly section: Section; readonly choices: readonly Choice[] }> {
  const chosen = new Map<string, MappingValue>()
  const choices: Choice[] = []
  for (const place of places[name]) {
    const whole = { ...input, chosen }
    const optional = place.isOptional === undefined ? false : place.isOptional(whole)
    if (optional === undefined) continue
    const { wanted, important = false } = place
    const candidates = await listPlace(place, whole)
    const question = {
      path: `${name}.${place.path}`,
      wanted,
      important,
      optional,
      candidates,
      schema: { table: input.table, description: input.graph.description },
    }
    const candidate = await answers.choose(question)
    if (candidate === undefined && optional) continue
    chosen.set(place.path, candidate === undefined ? todo : candidate.value)
    choices.push(toChoice(question, candidate))
  }
  return { section: toSection(input.table.name, chosen), choices }
}

function toSection(table: string, chosen: ReadonlyMap<string, MappingValue>): Section {
  const own: Record<string, MappingValue> = { table }
  const fields: Record<string, MappingValue> = {}
  for (const [path, value] of chosen) {
    if (path === 'where' && Array.isArray(value) && value.length === 0) continue
    if (path.startsWith('fields.')) fields[path.slice('fields.'.length)] = value
    else own[path] = value
  }
  return { ...own, fields }
}

const utc: Candidate = {
  value: '+00:00',
  label: '+00:00',
  evidence: [[4, 'UTC, as most frameworks store it']],
  verify: 'do the DATETIME columns hold UTC? A DATETIME does not say; write the offset that they have',
}

function hasDateTime(description: Description, used: readonly UsedColumn[]): boolean {
  return used.some(({ table, column }) => {
    const described = description.get(table)
    return described !== undefined && findColumn(described, column)?.kind === 'datetime'
  })
}

const timezoneQuestion = { path: 'timezone', wanted: 'what DATETIME columns mean', candidates: [utc] }

async function chooseTimezone(answers: Answers): Promise<Choice> {
  return toChoice(timezoneQuestion, (await answers.choose(timezoneQuestion)) ?? utc)
}

/** Without a DATETIME, there is nothing to ask and to verify. */
function toIdle({ undecided: _, ...timezone }: Choice): Choice {
  return { ...timezone, reasons: ['no DATETIME column is mapped'] }
}
