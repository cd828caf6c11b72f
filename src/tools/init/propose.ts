import { renderHint } from '../../client/text.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import type { DescribedColumn } from '../description.js'
import { matches, weighNoun } from '../facts/names.js'
import type { Facts } from '../facts/read-facts.js'
import { countRows } from '../facts/render-facts.js'
import type { TableFacts } from '../facts/table-facts.js'
import { toNoun, toSnake } from '../facts/words.js'
import { parseZone } from '../../values/zone.js'
import type { Candidate, MappingValue } from './candidate.js'
import { hasRole, listSettings, rank } from './candidate.js'
import { listForbidden } from './never-read.js'
import type { Used } from './never-read.js'
import { noColumn, places } from './places.js'
import type { Collection } from './places.js'

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
  /** The column of the tenants, for the key table. */
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

/** @throws NoProposal where no table fits, or the user does not see the one that is named. */
export function proposeMapping(facts: Facts, named: NamedTables = {}): Proposal {
  const sections = (['registrations', 'invoices'] as const).flatMap((name) => {
    const choice = chooseTable(facts, name, named[name])
    if (choice === undefined) return []
    const table = facts.tables.get(typeof choice.value === 'string' ? choice.value : '')
    return [{ table, choices: [choice, ...(table === undefined ? [] : fillPlaces(facts, name, table))] }]
  })
  if (sections.length === 0)
    throw new NoProposal(
      'No table looks like registrations or invoices: name one with --registrations TABLE or --invoices TABLE, as `vitrine facts` lists them.',
    )
  const mapped = sections.flatMap(({ table }) => table ?? [])
  // Of a table that is still to be chosen, nothing is known.
  const isOpen = sections.some(({ table }) => table === undefined)
  const read = isOpen ? [...facts.tables.values()] : mapped
  const isZoned = read.some(({ columns }) => columns.some(({ kind }) => kind === 'datetime'))
  const ask = isZoned ? 'which zone?' : undefined
  const utc = { value: '+00:00', points: 9, why: 'no mapped table has one', ask }
  const settings = ask === undefined ? [] : listZones(facts, ask)
  const zone = choose('timezone', 'what DATETIME columns mean', rank([...settings, utc]))
  const choices = [zone, ...sections.flatMap((section) => section.choices)]
  const workspace = choices.find(({ path }) => path.endsWith('.workspace'))?.value
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
  const values = sections.flatMap(({ table, choices: own }) =>
    own.flatMap(({ candidates }) => candidates.map(({ value }): Used => [table?.name ?? '', value])),
  )
  return { choices, apiKeys, neverRead: listForbidden(facts, mapped, values), tenant }
}

/** The zones that settings of the product name, and a mapping file can have. */
function listZones(facts: Facts, ask: string): readonly Candidate[] {
  const zones = listSettings(facts, 'zone').filter(({ code }) => parseZone(code) !== undefined)
  return zones.map(({ code, why }) => ({ value: code, points: 9, why, ask }))
}

/** The table of a collection: the one that the command line names, the one that is clearly the best match, or a TODO. */
function chooseTable(facts: Facts, name: Collection, asked: string | undefined): Choice | undefined {
  const ranked = rankTables(facts, name)
  const one = ranked.find(({ value }) => value === asked)
  if (asked === 'none') return undefined
  if (asked !== undefined && one === undefined)
    throw new NoProposal(
      `--${name}: found ${JSON.stringify(asked)}; allowed: a table that the user of DATABASE_URL sees${renderHint(asked, [...facts.tables.keys()])}`,
    )
  if (one === undefined && (ranked[0]?.points ?? 0) < tablePointsMin) return undefined
  const all = one === undefined ? ranked : [{ ...one, points: 99 }]
  return choose(`${name}.table`, `the table of the ${name}, or --${name} TABLE`, all, tableMin)
}

/** A time without a column, and rows that all belong here, need no option. */
function fillPlaces(facts: Facts, name: Collection, table: TableFacts): readonly Choice[] {
  return places[name]
    .map(({ path, wanted, list }) => choose(`${name}.${path}`, wanted, list({ facts, table })))
    .filter(({ path, value, candidates }) => {
      const isNone = candidates.length === 0 || JSON.stringify(value) === '[]'
      return !isNone || !/where$|checkedInAt$/.test(path)
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

const nounOf = (kind: string, { name }: { readonly name: string }): number => weighNoun(kind, toNoun(name))

/** What speaks against a table, in points. Those that belong to what is billed or paid for are not invoices. */
function weighAgainst({ tables }: Facts, collection: Collection, table: TableFacts): number {
  const own = nounOf(collection === 'invoices' ? 'invoice' : 'registration', table)
  if (collection === 'invoices')
    return (own === 0 ? 2 : 0) + (matches('noInvoice', toSnake(table.name)) ? 6 : 0)
  // Each of several people of an order is a row of another table.
  const isHead = [...tables.values()].some(
    (child) =>
      nounOf('registration', child) > 3 &&
      (hasRole(child, 'email') || hasRole(child, 'lastName')) &&
      child.columns.some(({ reference }) => reference?.parent.name === table.name),
  )
  const isOther = matches('staff', toNoun(table.name)) || (own === 0 && nounOf('event', table) >= 7)
  return (own === 0 ? 2 : 0) + (isHead ? 6 : 0) + (isOther ? 6 : 0)
}

/**
 * All tables by how well they fit a collection: the places that a column of theirs can fill, and the word for their rows. There is
 * no second list of signs: a table fits as far as its mapping can be written.
 */
function rankTables(facts: Facts, collection: Collection): readonly Candidate[] {
  const kind = collection === 'invoices' ? 'invoice' : 'registration'
  return rank(
    [...facts.tables.values()].map((table) => {
      const { name, read } = table
      const filled = places[collection].filter(
        ({ list, weight }) =>
          weight > 0 && list({ facts, table }).some(({ points, why }) => points >= 3 && why !== noColumn),
      )
      const fit = filled.reduce((sum, { weight }) => sum + weight, nounOf(kind, table) * 0.6)
      const points = fit - weighAgainst(facts, collection, table) - (read === 0 ? 8 : 0)
      return { value: name, points, why: `fits best, ${countRows(table)}` }
    }),
  )
}
