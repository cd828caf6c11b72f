import { quote, sql, toStatement } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import type { BoundCollection } from '../../collections/collection.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import type { ResolvedKeyTable } from '../../mapping/resolve-mapping.js'
import { isPrimaryKey, isSameName } from '../description.js'
import type { Facts } from '../facts/read-facts.js'
import { readEvents, recordsMin } from './evidence.js'
import type { Evidence, Witness } from './evidence.js'
import { contradict, orNone } from './findings.js'
import type { Contradiction } from './findings.js'
import { readText, sizes } from './sample.js'
import type { ShownRow } from './sample.js'
import { cut } from '../../collections/found-column.js'
import type { FoundColumn } from '../../collections/found-column.js'

/* The tenants: registrations, invoices and keys have workspaces of one set, and an event and its records have one workspace. */

/** The facts of the tables. */
export type Tables = Facts['tables']

/** The table that has a column. */
export function toTable({ lookup }: FoundColumn, own: string): string {
  return lookup?.table ?? own
}

/** The table whose key a column has: the one that it leads to, or its own one. */
export function findTarget(tables: Tables, own: string, found: FoundColumn): string | undefined {
  const table = tables.get(toTable(found, own))
  const { name } = found.column
  const column = table?.columns.find((one) => isSameName(one.name, name))
  return column?.reference?.parent.name ?? (table && isPrimaryKey(table, name) ? table.name : undefined)
}

/** The table of the events of a collection; undefined where it is not known. */
export function findEventTable({ table }: BoundCollection, tables: Tables): string | undefined {
  const { eventId, name } = table
  if (eventId?.kind === 'link') return findTarget(tables, eventId.table, eventId.event)
  const [place] = eventId?.places ?? []
  return place?.kind === 'column' ? findTarget(tables, name, place) : undefined
}

/** The place of the events of a collection in the mapping file. */
export function toEventPlace({ name, fields }: BoundCollection): string {
  return `${name}.${'eventId' in fields ? 'fields.eventId' : 'eventId'}`
}

const map = 'map the tenant, which owns the event and holds the key; not the customer, the author or a person'
const placeOf = ({ sample }: Evidence): string => `${sample.collection.name}.workspace`

/** Everything that the workspaces contradict. */
export async function listTenants(
  all: readonly Evidence[],
  mapping: Mapping,
  keys: ResolvedKeyTable | undefined,
  run: RunQuery,
): Promise<readonly Contradiction[]> {
  const owned = await Promise.all(all.map(({ sample }) => readEvents(sample.collection, sample.shown, run)))
  const shared = all.flatMap((one, at) => findShared([one], owned[at] ?? []))
  // Ids of different tables say nothing of each other, and records that contradict each other nothing of those of the other collection.
  const events = new Set(all.map(({ sample, tables }) => findEventTable(sample.collection, tables)))
  return [
    ...all.flatMap((one) => findOneForAll(one, mapping)),
    ...(shared.length > 0 || events.size > 1 || all.length < 2 ? shared : findShared(all, owned.flat())),
    ...(await findKeys(all, keys, run)),
  ]
}

/** One workspace for everyone, unless the file confirms it, with the tables that could be the tenant. */
function findOneForAll(
  { sample: { collection }, witnesses, tables }: Evidence,
  mapping: Mapping,
): readonly Contradiction[] {
  const { name, table } = collection
  const option = mapping[name]?.workspace
  const isConfirmed = typeof option === 'object' && 'constant' in option && option.confirmed === true
  if (table.workspace.kind !== 'constant' || isConfirmed) return []
  const parents = new Map(witnesses.map(({ path, column }) => [column.reference?.parent.name ?? '', path]))
  const known = [...parents]
    .filter(([parent]) => parent !== '' && parent !== table.name)
    .sort(([one], [other]) => countChildren(tables, other) - countChildren(tables, one))
    .map(([parent, path]) => `${parent} (by ${path})`)
  const problem = `every key reads every record; tables that could be the tenant: ${known.slice(0, 4).join(', ') || 'none found'}`
  const fix =
    'map the tenant; where one customer owns the whole database, write confirmed: true beside constant'
  return [contradict(true, [`${name}.workspace`], problem, fix)]
}

function countChildren(tables: Tables, parent = ''): number {
  const isChild = ({ columns }: { readonly columns: Evidence['sample']['seen'] }): boolean =>
    columns.some(({ reference }) => reference?.parent.name === parent)
  return [...tables.values()].filter(isChild).length
}

/** More records of shared events are not an exception. */
const sharedMax = 0.1

/** Records of some collections whose event has records of another workspace there. */
function findShared(all: readonly Evidence[], owned: readonly ShownRow[]): readonly Contradiction[] {
  const known = owned.filter(({ event }) => event !== undefined)
  const owners = new Map<string | undefined, Set<string>>()
  for (const { event, workspace } of known) owners.set(event, (owners.get(event) ?? new Set()).add(workspace))
  const rows = known.filter(({ event }) => (owners.get(event)?.size ?? 0) > 1).length
  if (known.length < recordsMin || rows <= known.length * sharedMax) return []
  const problem = `${rows} of ${known.length} records belong to an event that has records of several workspaces`
  const places = all.flatMap((one) => [placeOf(one), toEventPlace(one.sample.collection)])
  const right = all.length > 1 ? '' : all.map((one) => suggest(one, owned)).join('')
  return [contradict(true, places, problem, `${map}${right}`, rows, 'sharedEvents')]
}

/** The column that has one value for each event, and several events for a value: that which leads to the table with most children. */
function suggest({ witnesses, tables }: Evidence, owned: readonly ShownRow[]): string {
  const isTenant = ({ cells, column }: Witness): boolean => {
    const pairs = owned.flatMap(({ event }, at) =>
      event === undefined || cells[at] === undefined ? [] : [[event, cells[at]] as const],
    )
    const all = [pairs.map(([event]) => event), pairs.map(([, value]) => value), pairs.map(String)]
    const [events = 0, values = 0, both] = all.map((texts) => new Set(texts).size)
    return column.reference !== undefined && values > 1 && values < events && both === events
  }
  const rank = ({ column }: Witness): number => countChildren(tables, column.reference?.parent.name)
  const [best] = witnesses.filter(isTenant).toSorted((one, other) => rank(other) - rank(one))
  return best === undefined ? '' : `; workspace: ${best.path} has one value for each event`
}

/** Keys that read no record, and one workspace for all keys where records have several. */
async function findKeys(
  all: readonly Evidence[],
  keys: ResolvedKeyTable | undefined,
  run: RunQuery,
): Promise<readonly Contradiction[]> {
  const lists = all.map(({ sample }) => sample.workspaces.map(({ code }) => code))
  const fix = 'map the column of the key table that has the workspace of the records'
  const say = (problem: string) => [contradict(true, ['apiKeys.workspace'], problem, fix)]
  if (keys === undefined || lists.flat().length === 0) return []
  const { workspace: place, table } = keys
  if (place.kind === 'constant') {
    const problem = `every key is of the workspace ${place.constant}, and the records have several`
    return lists.some(({ length }) => length > 1) ? say(problem) : []
  }
  const cell = cut(place.column, quote(place.column.name))
  const select = sql`select distinct ${cell} as \`workspace\` from ${quote(table)} limit 1000`
  const found = (await orNone(run(toStatement(select)))) ?? []
  const isKnown = found.some((row) => lists.flat().includes(readText(row['workspace'], place) ?? ''))
  // Of more workspaces, a list has only the largest ones.
  const isComplete = lists.every(({ length }) => length < sizes.workspaces)
  const problem = `none of the ${found.length} workspaces of the keys has a record`
  return isComplete && !isKnown && found.length > 0 ? say(problem) : []
}
