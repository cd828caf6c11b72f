import type { Mapping } from '../../mapping/mapping-schema.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import type { Facts } from '../facts/read-facts.js'
import { candidate, columnOf, rank } from './candidate.js'
import type { Candidate, MappingValue, Section } from './candidate.js'
import { listForbidden, listUsed } from './never-read.js'
import { places } from './places.js'
import { listTenants, rankTables } from './tables.js'
import type { Collection } from './tables.js'

/** A place with its choice and what else it could be. */
export interface Choice {
  readonly path: string
  readonly wanted: string
  /** `TODO` where the facts do not decide. */
  readonly value: MappingValue
  readonly chosen: Candidate | undefined
  readonly others: readonly Candidate[]
}

/** A skeleton of a mapping file, with everything that a person or an assistant needs to finish it. */
export interface Proposal {
  readonly mapping: Section
  readonly choices: readonly Choice[]
  readonly apiKeys: Mapping['apiKeys']
  /** The column of the tenants, for the table of keys. */
  readonly tenant: DescribedColumn | undefined
}

/** A database for which no mapping can be proposed. */
export class NoProposal extends Error {
  override readonly name = 'NoProposal'
}

/** Tables that the command line names; `none` leaves a collection out. */
export type NamedTables = Readonly<Partial<Record<Collection, string | undefined>>>

/** The value of a place that a person must decide, as the mapping file has it. */
export const todo = 'TODO'
/** A candidate is taken with as many points, and as many more than the next. A table below the last is left out. */
const placeMin = { points: 4.5, lead: 0.25 }
const tableMin = { points: 12, lead: 3.5 }
const tablePointsMin = 9

/** @throws NoProposal where the user sees no tables, or not the one that is named. */
export function proposeMapping(facts: Facts, named: NamedTables = {}): Proposal {
  if (facts.description.size === 0)
    throw new NoProposal(
      'This user sees no table of the database. init needs SELECT on the tables of the product.',
    )
  const sections = chooseTables(facts, named).map(({ name, choice }) => {
    const table = facts.description.get(columnOf(choice.value))
    return { name, table, choices: [choice, ...(table === undefined ? [] : fillPlaces(facts, name, table))] }
  })
  const tables = sections.flatMap(({ table }) => table ?? [])
  const [tenant] = tables.flatMap((table) => listTenants({ facts, table })[0] ?? [])
  const column = tenant?.ask === undefined ? tenant?.column : undefined
  const timezone = chooseZone(facts, tables)
  const apiKeys = {
    table: 'vitrine_api_keys',
    hash: { column: 'key_hash', algorithm: 'sha256', encoding: 'hex' },
    workspace: column?.kind === 'binary' ? ({ column: 'workspace_id', as: 'uuid' } as const) : 'workspace_id',
    scopes: { column: 'scopes', format: 'space' },
    prefix: 'evk_',
    expiresAt: 'expires_at',
    revokedAt: 'revoked_at',
  } as const
  const used = sections.flatMap(({ table, choices: [, ...own] }) =>
    own.flatMap(({ value, others }) => {
      const read = value === todo ? others.map((one) => one.value) : [value]
      return read.flatMap((one) => listUsed(one, table?.name ?? ''))
    }),
  )
  const mapping = {
    timezone: timezone.value,
    apiKeys,
    ...Object.fromEntries(sections.map(({ name, choices }) => [name, toSection(name, choices)])),
    neverRead: listForbidden(facts, tables, used),
  }
  return {
    mapping,
    choices: [timezone, ...sections.flatMap(({ choices }) => choices)],
    apiKeys,
    tenant: column,
  }
}

/** The table of each collection: the one that the command line names, the one that fits by far, or a TODO. */
function chooseTables(facts: Facts, named: NamedTables): readonly { name: Collection; choice: Choice }[] {
  const found = (['registrations', 'invoices'] as const).flatMap((name) => {
    const asked = named[name]
    if (asked === 'none') return []
    const ranked = rankTables(facts, name)
    const one = ranked.find(({ label }) => label === asked)
    if (asked !== undefined && one === undefined)
      throw new NoProposal(
        `--${name} ${JSON.stringify(asked)} is none of the ${facts.description.size} tables that this user sees.`,
      )
    if (one === undefined && (ranked[0]?.points ?? 0) < tablePointsMin) return []
    const wanted = `the table of the ${name}, or --${name} TABLE`
    const choice = choose(
      `${name}.table`,
      wanted,
      one === undefined ? ranked : [{ ...one, points: 99 }, ...ranked],
      tableMin,
    )
    return [{ name, choice }]
  })
  if (found.length === 0) throw new NoProposal('No table fits, or both collections were left out.')
  return found
}

function fillPlaces(facts: Facts, name: Collection, table: DescribedTable): readonly Choice[] {
  const workspace = choose(`${name}.workspace`, 'the tenant of a row', listTenants({ facts, table }))
  const rest = places[name].map(({ path, wanted, list }) =>
    choose(`${name}.${path}`, wanted, list({ facts, table })),
  )
  return [workspace, ...rest].filter(({ path, value, others }) => {
    if (path.endsWith('.where')) return !Array.isArray(value) || value.length > 0
    return !path.endsWith('checkedInAt') || value !== todo || others.length > 0
  })
}

function choose(path: string, wanted: string, all: readonly Candidate[], min = placeMin): Choice {
  const [best = nothing, second = nothing] = all
  const isSure =
    best.ask === undefined && best.points >= min.points && best.points - second.points >= min.lead
  const others = all.filter((one) => one.points > 0 && !(isSure && one === best)).slice(0, isSure ? 2 : 4)
  return { path, wanted, value: isSure ? best.value : todo, chosen: isSure ? best : undefined, others }
}

const nothing = candidate(todo, '', 0, '')

/** The zone of DATETIME columns: where a mapped table has one, only a person knows it. */
function chooseZone({ tables }: Facts, mapped: readonly DescribedTable[]): Choice {
  const hasNone = !mapped.some(({ columns }) => columns.some(({ kind }) => kind === 'datetime'))
  const zones = [...tables.values()]
    .flatMap(({ settings, columns }) => [
      ...settings,
      ...[...columns.values()].flatMap(({ codes }) => codes.map(({ code }) => code)),
    ])
    .flatMap((text) => text.match(/\b[A-Z]\w+\/[A-Z]\w+/g) ?? [])
  const ask = hasNone ? undefined : 'in which zone does the product write DATETIME?'
  const utc = candidate(
    '+00:00',
    '+00:00',
    9,
    hasNone ? 'no mapped table has a DATETIME' : 'the usual one',
    ask,
  )
  return choose(
    'timezone',
    'what DATETIME columns mean',
    rank([utc, ...zones.map((name) => candidate(name, name, 4, 'it stands in the rows', ask))]),
  )
}

function toSection(name: Collection, choices: readonly Choice[]): Section {
  const entries = choices.map(({ path, value }) => [path.slice(name.length + 1), value] as const)
  const isField = ([key]: readonly [string, MappingValue]): boolean => key.startsWith('fields.')
  const own = Object.fromEntries(entries.filter((one) => !isField(one)))
  const fields = entries.filter(isField).map(([key, value]) => [key.slice('fields.'.length), value] as const)
  return fields.length === 0 ? own : { ...own, fields: Object.fromEntries(fields) }
}
