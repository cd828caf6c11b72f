import { renderKeyTable } from '../keys/key-table-sql.js'
import { listMappedColumns } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { toChoice } from './answers.js'
import type { Answers, Choice } from './answers.js'
import { todo } from './candidate.js'
import type { Candidate, MappingValue, Question } from './candidate.js'
import { chooseTables } from './choose-tables.js'
import type { CollectionName, NamedTables } from './choose-tables.js'
import type { Content } from './content.js'
import { findColumn } from './description.js'
import type { DescribedColumn, Description } from './description.js'
import { listForbidden } from './forbidden.js'
import type { ForbiddenPattern } from './forbidden.js'
import type { MissingIndex } from './indexes.js'
import { listKeyTables } from './key-tables.js'
import type { KeyTable } from './key-tables.js'
import { listNeeds } from './needs.js'
import { createListParents } from './parents.js'
import type { ListParents } from './parents.js'
import { places } from './places.js'
import type { PlaceInput } from './places.js'
import { isSection } from './section.js'
import type { Section } from './section.js'
import { chooseTenant, createListTenants, listWorkspaces } from './tenants.js'

/** A proposed mapping file with everything that a person needs to check it. */
export interface Proposal {
  /** The content of the mapping file; a place that is undecided holds `TODO`. */
  readonly mapping: Section
  /** In the order of the file. */
  readonly choices: readonly Choice[]
  readonly forbidden: readonly ForbiddenPattern[]
  /** Undefined where the product has a table of keys. */
  readonly newKeyTable: { readonly table: string; readonly ddl: string } | undefined
  readonly missingIndexes: readonly MissingIndex[]
}

interface ProposeInput {
  readonly description: Description
  readonly content: Content
  readonly answers: Answers
  readonly named?: NamedTables
}

/** Proposes a mapping file for a database with at least one table. */
export async function propose({
  description,
  content,
  answers,
  named = {},
}: ProposeInput): Promise<Proposal> {
  const listParents = createListParents(description)
  const listTenants = createListTenants(description, listParents)
  const hasTenant = (table: Parameters<typeof listTenants>[0]): boolean => listTenants(table).length > 0
  const { tables, choices } = await chooseTables(
    { description, listParents, content, hasTenant },
    answers,
    named,
  )
  const ways = [...tables.values()].map((table) => listTenants(table))
  const tenant = chooseTenant(ways)
  const keyChoice = await chooseKeys(answers, {
    path: 'apiKeys',
    wanted: 'the table of API keys',
    candidates: await listKeyTables({ description, content, listTenants, tenant }),
    important: true,
  })
  const sections: [CollectionName, ProposedSection][] = []
  for (const [name, table] of tables) {
    const workspaces = listWorkspaces(listTenants(table), tenant)
    const input = { table, description, listParents, content, workspaces }
    sections.push([name, await proposeSection(name, input, answers)])
  }
  return complete({
    description,
    listParents,
    keys: keyChoice.keys,
    sections: Object.fromEntries(sections.map(([name, { section }]) => [name, section])),
    choices: [
      keyChoice.choice,
      ...choices.flatMap((choice) => [
        choice,
        ...sections.filter(([name]) => choice.path === `${name}.table`).flatMap(([, one]) => one.choices),
      ]),
    ],
    tenantColumn: ways.flatMap((list) => list.find((one) => one.tenant === tenant)?.column ?? [])[0],
    timezone: await chooseTimezone(answers),
  })
}

async function chooseKeys(
  answers: Answers,
  question: Question<KeyTable> & { readonly candidates: readonly Candidate<KeyTable>[] },
): Promise<{ keys: KeyTable; choice: Choice }> {
  const chosen = (await answers.choose(question)) ?? question.candidates[0]
  if (chosen === undefined) throw new Error('A new table of keys is always a candidate')
  return { keys: chosen.value, choice: toChoice(question, chosen, ({ section }) => section.table) }
}

interface ProposedSection {
  readonly section: Section
  readonly choices: readonly Choice[]
}

/** A section, place by place in the order of the file. */
async function proposeSection(
  name: CollectionName,
  input: Omit<PlaceInput, 'chosen'>,
  answers: Answers,
): Promise<ProposedSection> {
  const chosen = new Map<string, MappingValue | undefined>()
  const choices: Choice[] = []
  for (const place of places[name]) {
    const whole = { ...input, chosen }
    const optional = place.isOptional === undefined ? false : place.isOptional(whole)
    if (optional === undefined) continue
    const { path, wanted, important = false } = place
    const question = {
      path: `${name}.${path}`,
      wanted,
      important,
      optional,
      candidates: await place.list(whole),
    }
    const candidate = await answers.choose(question)
    if (candidate === undefined && optional) continue
    const value = candidate === undefined ? todo : await nameCodes(question.path, candidate, answers)
    chosen.set(path, value)
    const choice = toChoice(question, candidate)
    choices.push(value === choice.value ? choice : { ...choice, value, undecided: '' })
  }
  return { section: toSection(input.table.name, chosen), choices: choices.map(withoutEmpty) }
}

function withoutEmpty({ undecided, ...choice }: Choice): Choice {
  return undecided === undefined || undecided === '' ? choice : { ...choice, undecided }
}

/** The value of a status, with the words that a person gives its codes. */
async function nameCodes(path: string, candidate: Candidate, answers: Answers): Promise<MappingValue> {
  const { value, codes = [] } = candidate
  const words = codes.length === 0 ? undefined : await answers.nameCodes(path, codes)
  if (words === undefined) return value
  const column = typeof value === 'string' ? { column: value } : isSection(value) ? value : {}
  return { ...column, values: words, otherwise: 'OTHER' }
}

function toSection(table: string, chosen: ReadonlyMap<string, MappingValue | undefined>): Section {
  const own: Record<string, MappingValue> = { table }
  const fields: Record<string, MappingValue> = {}
  for (const [path, value] of chosen) {
    const isEmpty = path === 'where' && Array.isArray(value) && value.length === 0
    if (value === undefined || isEmpty) continue
    if (path.startsWith('fields.')) fields[path.slice('fields.'.length)] = value
    else own[path] = value
  }
  return { ...own, fields }
}

const utc: Candidate = {
  value: '+00:00',
  label: '+00:00',
  evidence: [{ points: 4, reason: 'UTC, as most frameworks store it' }],
  verify: 'do the DATETIME columns hold UTC? A DATETIME does not say; write the offset that they have',
}

async function chooseTimezone(answers: Answers): Promise<Choice> {
  const question = { path: 'timezone', wanted: 'what DATETIME columns mean', candidates: [utc] }
  return toChoice(question, (await answers.choose(question)) ?? utc)
}

interface CompleteInput {
  readonly description: Description
  readonly listParents: ListParents
  readonly keys: KeyTable
  readonly sections: Section
  readonly choices: readonly Choice[]
  readonly tenantColumn: DescribedColumn | undefined
  readonly timezone: Choice
}

function complete(input: CompleteInput): Proposal {
  const { description, keys, sections, choices, tenantColumn, timezone } = input
  const zone = timezone.value ?? '+00:00'
  const content = { timezone: zone, apiKeys: toKeys(keys, tenantColumn), ...sections }
  const used = listMappedColumns(content as unknown as Mapping)
  const hasDateTime = used.some(({ table, column }) => {
    const described = description.get(table)
    return described !== undefined && findColumn(described, column)?.kind === 'datetime'
  })
  const { undecided, ...decided } = timezone
  const forbidden = listForbidden(description, used, input.listParents)
  return {
    mapping: { ...content, neverRead: forbidden.map(({ pattern }) => pattern) },
    choices: [
      hasDateTime && undecided !== undefined
        ? timezone
        : { ...decided, reasons: hasDateTime ? decided.reasons : ['no DATETIME column is mapped'] },
      ...choices,
    ],
    forbidden,
    newKeyTable: keys.isNew
      ? { table: keys.section.table, ddl: renderNewKeyTable(content.apiKeys, tenantColumn) }
      : undefined,
    missingIndexes: listNeeds(description, content),
  }
}

/** A new table has the tenant's id in the type of the product. */
function toKeys({ section, isNew }: KeyTable, tenant: DescribedColumn | undefined): Section {
  if (!isNew || tenant?.kind !== 'binary' || typeof section['workspace'] !== 'string') return section
  return { ...section, workspace: { column: section['workspace'], as: 'uuid' } }
}

function renderNewKeyTable(section: Section, tenant: DescribedColumn | undefined): string {
  return renderKeyTable(section as unknown as Mapping['apiKeys'], { workspace: tenant })
}
