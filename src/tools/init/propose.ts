import type { Mapping } from '../../mapping/mapping-schema.js'
import type { DescribedColumn } from '../description.js'
import type { Facts } from '../facts/read-facts.js'
import type { TableFacts } from '../facts/table-facts.js'
import type { Candidate, MappingValue } from './candidate.js'
import { listForbidden } from './never-read.js'
import { places } from './places.js'
import type { Collection } from './places.js'
import { rankTables } from './tables.js'

/** A place with its choice and what else it could be. */
export interface Choice {
  readonly path: string
  readonly wanted: string
  /** `TODO` where the facts do not decide. */
  readonly value: MappingValue
  /** Why, or what only a person knows. */
  readonly reason: string
  /** The best one first. */
  readonly candidates: readonly Candidate[]
}

/** A skeleton of a mapping file, with everything that a person or an assistant needs to finish it. */
export interface Proposal {
  /** In the order of the file. */
  readonly choices: readonly Choice[]
  readonly apiKeys: Mapping['apiKeys']
  readonly neverRead: readonly string[]
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
const tableMin = { points: 10, lead: 3.5 }
const tablePointsMin = 7

/** @throws NoProposal where the user sees no tables, or not the one that is named. */
export function proposeMapping(facts: Facts, named: NamedTables = {}): Proposal {
  if (facts.tables.size === 0)
    throw new NoProposal(
      'This user sees no table of the database. init needs SELECT on the tables of the product.',
    )
  const sections = (['registrations', 'invoices'] as const).flatMap((name) => {
    const choice = chooseTable(facts, name, named[name])
    if (choice === undefined) return []
    const table = facts.tables.get(typeof choice.value === 'string' ? choice.value : '')
    return [{ table, choices: [choice, ...(table === undefined ? [] : fillPlaces(facts, name, table))] }]
  })
  if (sections.length === 0) throw new NoProposal('No table fits, or both collections were left out.')
  const mapped = sections.flatMap(({ table }) => table ?? [])
  const choices = [chooseZone(mapped), ...sections.flatMap((section) => section.choices)]
  const workspace = choices.find(({ path }) => path.endsWith('.workspace'))?.value
  // Known where it is certain and in the table itself.
  const [tenant] = mapped.flatMap(({ columns }) => columns.filter(({ name }) => name === workspace))
  const apiKeys = {
    table: 'vitrine_api_keys',
    hash: { column: 'key_hash', algorithm: 'sha256', encoding: 'hex' },
    workspace: tenant?.kind === 'binary' ? ({ column: 'workspace_id', as: 'uuid' } as const) : 'workspace_id',
    scopes: { column: 'scopes', format: 'space' },
    prefix: 'evk_',
    expiresAt: 'expires_at',
    revokedAt: 'revoked_at',
  } as const
  const values = choices.flatMap(({ candidates }) => candidates.map(({ value }) => value))
  return { choices, apiKeys, neverRead: listForbidden(facts, mapped, values), tenant }
}

/** The table of a collection: the one that the command line names, the one that fits by far, or a TODO. */
function chooseTable(facts: Facts, name: Collection, asked: string | undefined): Choice | undefined {
  const ranked = rankTables(facts, name)
  const one = ranked.find(({ value }) => value === asked)
  if (asked === 'none') return undefined
  if (asked !== undefined && one === undefined)
    throw new NoProposal(
      `--${name} ${JSON.stringify(asked)} is none of the ${facts.tables.size} tables that this user sees.`,
    )
  if (one === undefined && (ranked[0]?.points ?? 0) < tablePointsMin) return undefined
  const all = one === undefined ? ranked : [{ ...one, points: 99 }]
  return choose(`${name}.table`, `the table of the ${name}, or --${name} TABLE`, all, tableMin)
}

/** A time that no column says, and rows that all belong here, need no place. */
function fillPlaces(facts: Facts, name: Collection, table: TableFacts): readonly Choice[] {
  return places[name]
    .map(({ path, wanted, list }) => choose(`${name}.${path}`, wanted, list({ facts, table })))
    .filter(({ path, value, candidates }) => {
      if (path.endsWith('.where')) return JSON.stringify(value) !== '[]'
      return !path.endsWith('checkedInAt') || candidates.length > 0
    })
}

function choose(path: string, wanted: string, all: readonly Candidate[], min = placeMin): Choice {
  const candidates = all.filter(({ points }) => points > 0).slice(0, 4)
  const [best, second] = candidates
  const isSure = best !== undefined && best.ask === undefined && best.points >= min.points
  if (isSure && best.points - (second?.points ?? 0) >= min.lead)
    return { path, wanted, value: best.value, reason: best.why, candidates: [best] }
  const reason = [...new Set(candidates.flatMap(({ ask }) => ask ?? []))].join(' ')
  return { path, wanted, value: todo, reason: reason || 'nothing decides it', candidates }
}

/** The zone of DATETIME columns: where a mapped table has one, only a person knows it. */
function chooseZone(mapped: readonly TableFacts[]): Choice {
  const isAsked = mapped.some(({ columns }) => columns.some(({ kind }) => kind === 'datetime'))
  const ask = isAsked ? 'in which zone does the product write them?' : undefined
  const utc = { value: '+00:00', points: 9, why: 'no mapped table has one', ask }
  return choose('timezone', 'what DATETIME columns mean', [utc])
}
