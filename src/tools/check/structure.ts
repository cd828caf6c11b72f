import { isSameName } from '../description.js'
import { matches } from '../facts/names.js'
import { toSnake } from '../facts/words.js'
import { isNeverRead, listMappedColumns } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { listChain } from '../../collections/lookup.js'
import type { BoundCollection } from '../../collections/collection.js'
import { contradict, toCountText } from './findings.js'
import type { Contradiction } from './findings.js'
import type { Evidence } from './evidence.js'
import { findEventTable, findTarget, toEventPlace, toTable } from './tenants.js'
import type { Tables } from './tenants.js'
import { listProjectedColumns } from '../../collections/found-column.js'
import type { FoundColumn, Lookup } from '../../collections/found-column.js'
import { listColumns } from '../../collections/identifier-fields.js'

/* Links read crosswise, and secrets: what the tables of the product say, whatever their rows hold. */

/** What the keys of all collections say. */
export function listLinks(
  collections: readonly BoundCollection[],
  all: readonly Evidence[],
  tables: Tables,
): readonly Contradiction[] {
  const [events] = collections.flatMap((one) =>
    one.name === 'registrations' ? [findEventTable(one, tables)] : [],
  )
  return [
    ...collections.flatMap((one) => [
      ...findWrongLookups(one, tables),
      ...findSwappedLink(one, tables, events),
    ]),
    ...all.flatMap((one) => (one.sample.collection.name === 'invoices' ? findNoEvents(one, events) : [])),
  ]
}

/** Lookups whose two columns are keys of different tables: one finding for all places that read the row. */
function findWrongLookups(
  { name, table, fields }: BoundCollection,
  tables: Tables,
): readonly Contradiction[] {
  const columns: readonly (readonly [place: string, found: FoundColumn])[] = [
    ...listColumns(table.workspace).map((found) => ['workspace', found] as const),
    ...(['where', 'archived'] as const).flatMap((place) =>
      table[place].map((test) => [place, test] as const),
    ),
    ...Object.entries(fields).flatMap(([field, { projection }]) =>
      listProjectedColumns(projection).map((found) => [`fields.${field}`, found] as const),
    ),
  ]
  const found = new Map<string, Contradiction>()
  for (const [place, { lookup }] of columns)
    for (const one of listChain(lookup)) {
      const wrong = describeWrong(one, table.name, tables)
      const { places = [] } = found.get(wrong?.problem ?? '') ?? {}
      const all = [...new Set([...places, `${name}.${place}`])]
      if (wrong !== undefined)
        found.set(wrong.problem, contradict(wrong.isError, all, wrong.problem, wrong.fix, 1, 'otherLookup'))
    }
  return [...found.values()]
}

/** How a column leads to a table: as its key, by a foreign key or by its name. */
const leads = { undefined: 'is a key of', true: 'refers to', false: 'has the name of a key of' } as const

function describeWrong({ on, key, table: read }: Lookup, own: string, tables: Tables) {
  const by = toTable(on, own)
  const [target, wanted] = [findTarget(tables, own, on), findTarget(tables, read, { column: key })]
  if (target === undefined || wanted === undefined || target === wanted) return undefined
  const right = listLeading(tables, by, wanted).map(({ name }) => name)
  const [found] = listLeading(tables, by, target, on.column.name)
  // A row of another table that has the same key as one of this is a right lookup too.
  if (found === undefined && right.length === 0) return undefined
  const isDeclared = found?.reference?.isDeclared
  const problem = `${by}.${on.column.name} ${leads[`${isDeclared}`]} ${target}, and is looked up in ${read}`
  const fix = `write the other table in from, or on: ${right.join(' or on: ') || 'another column'}`
  return { isError: isDeclared !== false, problem, fix }
}

/** The columns of a table that lead to another one. @param only one of them */
function listLeading(tables: Tables, table: string, target: string | undefined, only?: string) {
  const columns = tables.get(table)?.columns ?? []
  return columns.filter(({ name, reference }) => {
    return reference?.parent.name === target && target !== undefined && isSameName(only ?? name, name)
  })
}

/** A link table whose columns lead to other tables than that of invoices and that of events. */
function findSwappedLink(
  { name, table }: BoundCollection,
  tables: Tables,
  events: string | undefined,
): readonly Contradiction[] {
  const { eventId } = table
  if (eventId?.kind !== 'link') return []
  const sides = [['invoice', eventId.invoice, table.name] as const, ['event', eventId.event, events] as const]
  const wrong = sides.flatMap(([side, place, wanted]) => {
    const target = findTarget(tables, eventId.table, place)
    const isRight = target === undefined || wanted === undefined || target === wanted
    return isRight ? [] : [`${side}: ${place.column.name} leads to ${target}, not to ${wanted}`]
  })
  if (wrong.length === 0) return []
  const right = sides.map(([side, , wanted]) => {
    const [column] = listLeading(tables, eventId.table, wanted)
    return `${side}: ${column?.name ?? 'another column'}`
  })
  const places = [`${name}.eventId`, 'registrations.fields.eventId']
  const fix = `write ${right.join(', ')}, if the events of registrations are right`
  return [contradict(true, places, wrong.join('; '), fix, 1, 'otherLink')]
}

/** Invoices without an event, where a column or a table leads to that of registrations. */
function findNoEvents(
  { sample: { shown, collection }, tables }: Evidence,
  events: string | undefined,
): readonly Contradiction[] {
  const { name, eventId } = collection.table
  const without = shown.filter(({ event }) => event === undefined).length
  const isRead = eventId !== undefined && (eventId.kind === 'link' || without < shown.length * 0.8)
  if (isRead || without === 0 || events === undefined) return []
  const ways = [...tables.keys()].flatMap((link) => {
    const [[invoice], [event]] = [listLeading(tables, link, name), listLeading(tables, link, events)]
    if (event !== undefined && link === name && eventId === undefined) return [event.name]
    if (event === undefined || invoice === undefined) return []
    return [`{ table: ${link}, invoice: ${invoice.name}, event: ${event.name} }`]
  })
  const problem = `${without} of ${shown.length} records have no event; ways to it: ${ways.join(' or ')}`
  const fix = 'map one of them, if it says for which event an invoice is'
  const place = toEventPlace(collection)
  return ways.length === 0 ? [] : [contradict(false, [place], problem, fix, without, 'noEvents')]
}

/** The columns of all tables that nothing reads: secrets outside `neverRead`, and what can say that a key is not valid. */
export function findUnread(mapping: Mapping, tables: Tables): readonly Contradiction[] {
  const mapped = listMappedColumns(mapping)
  const isMapped = (table: string, name: string): boolean =>
    mapped.some((one) => isSameName(one.table, table) && isSameName(one.column, name))
  const unread = [...tables.values()].flatMap(({ name: table, isView, columns }) =>
    columns.flatMap(({ name, kind }) =>
      isMapped(table, name) ? [] : [{ table, isView, name, kind, snake: toSnake(name) }],
    ),
  )
  const isSecret = ({ isView, kind, snake }: (typeof unread)[number]): boolean =>
    !isView && /text|binary|json/.test(kind) && matches('secret', snake) && !matches('aboutSecret', snake)
  const secrets = unread
    .filter((one) => isSecret(one) && !isNeverRead(mapping.neverRead, one.table, one.name))
    .map(({ table, name }) => `${table}.${name}`)
  const some = `${secrets.slice(0, 6).join(', ')}${secrets.length > 6 ? ', …' : ''}`
  const open = `lacks ${toCountText(secrets.length, 'column')} with a secret-looking name: ${some}`
  const { table: keys } = mapping.apiKeys
  const flags = unread
    .filter(({ table, snake }) => isSameName(table, keys) && matches('keyValidity', snake))
    .map(({ name }) => name)
  const invalid = `${keys} has columns that can make a key invalid, and nothing reads them: ${flags.join(', ')}`
  const fix = 'ask what they mean; read them with expiresAt, revokedAt or where'
  return [
    contradict(false, ['neverRead'], open, `add ${secrets.join(', ')}`, secrets.length, 'secretNames'),
    contradict(false, ['apiKeys'], invalid, fix, flags.length, 'unreadKeyColumns'),
  ].filter(({ rows }) => rows > 0)
}
