import { listMappedColumns } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { renderKeyTable } from '../keys/key-table-sql.js'
import type { Candidate, Choice, Pick } from './candidate.js'
import type { ReadCodes } from './codes.js'
import { findColumn } from './description.js'
import type { DescribedColumn, DescribedTable, Description } from './description.js'
import { listForbidden } from './forbidden.js'
import type { ForbiddenPattern } from './forbidden.js'
import type { MissingIndex } from './indexes.js'
import { listKeyTables } from './key-tables.js'
import type { KeyTable } from './key-tables.js'
import { listNeeds } from './needs.js'
import { proposeInvoices } from './propose-invoices.js'
import { proposeRegistrations } from './propose-registrations.js'
import { createRecorder, toChoice } from './recorder.js'
import type { Recorder } from './recorder.js'
import { createFindReferences } from './references.js'
import type { ReadScopes } from './scopes.js'
import type { Section, SectionInput } from './section.js'
import { listInvoiceTables, listRegistrationTables } from './section-tables.js'
import { chooseTenant, createFindTenants } from './tenants.js'
import type { TenantRoute } from './tenants.js'

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
  readonly readCodes: ReadCodes
  readonly readScopes: ReadScopes
  readonly pick: Pick
}

/**
 * Proposes a mapping file for a database.
 *
 * @returns undefined where no table looks like registrations or invoices, or none was chosen.
 */
export async function propose({
  description,
  readCodes,
  readScopes,
  pick,
}: ProposeInput): Promise<Proposal | undefined> {
  const recorder = createRecorder(pick)
  const findReferences = createFindReferences(description)
  const findTenants = createFindTenants(description, findReferences)
  const search = { description, findReferences, findTenants }
  const tables = await chooseTables(recorder, search)
  const mapped = [tables.registrations, tables.invoices].flatMap((one) =>
    one === undefined ? [] : [one.value],
  )
  if (mapped.length === 0) return undefined

  const tenant = chooseTenant(mapped.map((table) => findTenants(table)))
  const toInput = (table: DescribedTable): SectionInput => ({
    table,
    description,
    findReferences,
    readCodes,
    recorder,
    workspaces: listWorkspaces(findTenants(table), tenant),
  })
  const keyQuestion = {
    path: 'apiKeys',
    wanted: 'the table of API keys',
    candidates: await listKeyTables({ description, findTenants, readScopes, tenant }),
  }
  const keys = (await pick(keyQuestion)) ?? keyQuestion.candidates[0]
  if (keys === undefined) return undefined
  recorder.keep(toChoice(keyQuestion, keys, ({ section }) => section.table))
  const registrations =
    tables.registrations === undefined
      ? undefined
      : await proposeRegistrations(toInput(tables.registrations.value))
  const invoices =
    tables.invoices === undefined ? undefined : await proposeInvoices(toInput(tables.invoices.value))
  return complete({
    description,
    recorder,
    keys: keys.value,
    sections: { ...(registrations && { registrations }), ...(invoices && { invoices }) },
    tenantColumn: mapped.flatMap((table) => findTenants(table).find((one) => one.tenant === tenant) ?? [])[0]
      ?.column,
  })
}

interface ChosenTables {
  readonly registrations: Candidate<DescribedTable> | undefined
  readonly invoices: Candidate<DescribedTable> | undefined
}

async function chooseTables(
  recorder: Recorder,
  search: Parameters<typeof listRegistrationTables>[0],
): Promise<ChosenTables> {
  const choose = async (
    path: string,
    candidates: readonly Candidate<DescribedTable>[],
  ): Promise<Candidate<DescribedTable> | undefined> => {
    if (candidates.length === 0) return undefined
    const question = { path: `${path}.table`, wanted: `the table of the ${path}`, candidates, optional: true }
    const chosen = await recorder.pick(question)
    if (chosen !== undefined) recorder.keep(toChoice(question, chosen, ({ name }) => name))
    return chosen
  }
  const registrations = await choose('registrations', listRegistrationTables(search))
  const others = listInvoiceTables(search).filter(({ value }) => value !== registrations?.value)
  return { registrations, invoices: await choose('invoices', others) }
}

/** The routes to the tenant of all sections first; one workspace for all where nothing looks like a tenant. */
function listWorkspaces(routes: readonly TenantRoute[], tenant: string | undefined): readonly Candidate[] {
  if (tenant !== undefined) {
    const same = routes.filter((route) => route.tenant === tenant)
    return [...same, ...routes.filter((route) => route.tenant !== tenant)].slice(0, same.length === 0 ? 0 : 8)
  }
  return [
    {
      value: { constant: '1' },
      label: 'one workspace for all rows',
      score: 0,
      reasons: ['nothing looks like a tenant'],
      verify: 'is this the database of one tenant? Every key would read every row',
    },
  ]
}

interface CompleteInput {
  readonly description: Description
  readonly recorder: Recorder
  readonly keys: KeyTable
  readonly sections: Readonly<Record<string, Section>>
  readonly tenantColumn: DescribedColumn | undefined
}

function complete({ description, recorder, keys, sections, tenantColumn }: CompleteInput): Proposal {
  const content = { timezone: '+00:00', apiKeys: toKeys(keys, tenantColumn), ...sections }
  const used = listMappedColumns(content as unknown as Mapping)
  const hasDateTime = used.some(({ table, column }) => {
    const described = description.get(table)
    return described !== undefined && findColumn(described, column)?.kind === 'datetime'
  })
  const forbidden = listForbidden(description, used)
  const timezone: Choice = {
    path: 'timezone',
    wanted: 'what DATETIME columns mean',
    value: '+00:00',
    reasons: [hasDateTime ? 'UTC, as most frameworks store it' : 'no DATETIME column is mapped'],
    runnersUp: [],
    ...(hasDateTime
      ? {
          undecided:
            'do the DATETIME columns hold UTC? A DATETIME does not say; write the offset that they have',
        }
      : {}),
  }
  return {
    mapping: { ...content, neverRead: forbidden.map(({ pattern }) => pattern) },
    choices: [timezone, ...recorder.choices()],
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
