import { isPrimaryKey } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { describeType, hasColumn, toCandidate } from './columns.js'
import type { FoundColumn } from './columns.js'
import { describeStep, isKeyValue } from './graph.js'
import type { Graph } from './graph.js'
import type { Step } from './parents.js'
import { canBeId, verifyUuid } from './ids.js'
import { nouns, patterns } from './names.js'
import { listStemWords, listTableWords, toNoun, toSnake } from './words.js'

/** What speaks for an event beside words: a start, a place; against it: a step, a word that is no key, its types, a word for registrations. */
const weights = { start: 3, seats: 1.5, step: -3, key: -1, bare: -4, type: -2, registration: -4 } as const
/** A column below this is not taken for an event. */
const eventPointsMin = 3.5

/** What speaks for a table of events: its name, and times and places of what takes place. */
export function weighEventTable(table: DescribedTable): readonly Evidence[] {
  return [
    ...weighEventName(table.name),
    ...(hasColumn(table, 'startsAt') ? [[weights.start, 'it has a start'] as const] : []),
    ...(hasColumn(table, 'seats') ? [[weights.seats, 'it has a place or a number of seats'] as const] : []),
  ]
}

function weighEventName(name: string): readonly Evidence[] {
  const [last = '', before = ''] = [...listTableWords(name)].reverse()
  const isType = last === 'type'
  const points = nouns.event.get(isType ? before : last)
  if (points !== undefined)
    return [
      [
        points + (isType ? weights.type : 0),
        `${name} is a word for events${isType ? ', or for their types' : ''}`,
      ],
    ]
  return nouns.registration.has(last) ? [[weights.registration, `${name} is a word for registrations`]] : []
}

/** The columns of a table that hold an event's id, the best one first. */
export function findEventColumns(graph: Graph, table: DescribedTable): readonly FoundColumn[] {
  const parents = isKeyValue(table) ? [] : graph.listParents(table)
  const found = table.columns.flatMap((column): FoundColumn[] => {
    if (isPrimaryKey(table, column.name) || !(isKeyValue(table) || canBeId(column))) return []
    const parent = parents.find((one) => one.column === column)
    const evidence: readonly Evidence[] = [
      nouns.registration.has(toNoun(table.name)) && isTypedKey(table, column, parent)
        ? typedKey
        : weighEventColumn(column, parent, isKeyValue(table)),
      [0, describeType(column)],
    ]
    return countPoints({ evidence }) < eventPointsMin ? [] : [{ column, evidence }]
  })
  return rankCandidates(found)
}

/** What people register for can be of several kinds. */
const typedKey: Evidence = [eventPointsMin, 'the type of what it leads to stands beside it']

/** Whether a key leads to one of several tables: `entity_id` beside `entity_type`, and no table of entities. */
export function isTypedKey(
  { columns }: DescribedTable,
  { name }: DescribedColumn,
  parent: Step | undefined,
): boolean {
  const [, stem] = /^(.+?)(?:_id|Id)$/.exec(name) ?? []
  if (stem === undefined || parent !== undefined) return false
  return columns.some((one) => one.kind === 'text' && toSnake(one.name) === `${toSnake(stem)}_type`)
}

/** What the name of a column, or the table that it leads to, says of an event. */
function weighEventColumn(column: DescribedColumn, parent: Step | undefined, isOfKey: boolean): Evidence {
  const own = weighEventWord(column, isOfKey || parent !== undefined)
  if (parent === undefined) return [own, 'its name']
  const evidence = weighEventTable(parent.parent)
  const byParent = Math.min(countPoints({ evidence }), 10)
  const reason = [describeStep(parent), ...evidence.map(([, reason]) => reason)].join(', ')
  return byParent >= own ? [byParent, reason] : [own, 'its name']
}

/** A bare word can also be the name of an event, or a number of something. */
function weighEventWord({ name, kind }: DescribedColumn, isKnownKey: boolean): number {
  const { stem, isKey } = listStemWords(name)
  const points = nouns.event.get(stem.at(-1) ?? '') ?? 0
  if (isKnownKey || kind === 'binary') return points
  if (isKey) return isOfOtherSystem(stem, kind) ? 0 : points
  return kind === 'text' && stem.length === 1 ? Math.max(0, points + weights.bare) : 0
}

/** Such as `google_event_id`; a text of many words is the id of another system too. */
function isOfOtherSystem(stem: readonly string[], kind: DescribedColumn['kind']): boolean {
  return stem.some((word) => patterns.otherSystem.test(word)) || (kind === 'text' && stem.length > 2)
}

/** The event of a record: a column, or a column of what it leads to, such as the ticket or the order. */
export function listEvents(graph: Graph, table: DescribedTable): readonly Candidate[] {
  const ways = [...graph.listWays(table), ...graph.listLinked(table), ...graph.listKeyValues(table)]
  const found = ways.flatMap((way) => {
    // A table that only relates two others, and the head of several registrations, are as near as one of keys and values.
    const isNear = ({ where, parent }: Step): boolean =>
      isKeyValue(way.table) || where !== undefined || nouns.registration.has(toNoun(parent.name))
    const onWay = way.steps.map((step): Evidence => [
      isNear(step) ? weights.key : weights.step,
      'it is not in the row',
    ])
    return findEventColumns(graph, way.table).map(({ column, evidence }) => {
      const written = { reading: { column: column.name }, verify: verifyUuid(column) }
      return toCandidate(way, written, [...evidence, ...onWay])
    })
  })
  return found.length > 0 ? found : listKeys(table)
}

const keysMax = 4

/** Columns that hold the id of something, where no name is that of an event: for a person to choose from. */
function listKeys(table: DescribedTable): readonly Candidate[] {
  return table.columns
    .filter(
      (column) => canBeId(column) && !table.primary.includes(column.name) && listStemWords(column.name).isKey,
    )
    .slice(0, keysMax)
    .map((column) => {
      const reason = `it holds the id of something: ${describeType(column)}`
      return toCandidate({ steps: [], table }, { reading: { column: column.name } }, [[0, reason]])
    })
}

const noEvent: Candidate = {
  value: null,
  label: 'invoices have no event',
  evidence: [[5, 'nothing leads from an invoice to an event; the filter eventId then matches nothing']],
}

/** The event filter of invoices: as above, or a table that links invoices and events, or none. */
export function listInvoiceEvents(graph: Graph, table: DescribedTable): readonly Candidate[] {
  const links = [...graph.description.values()].flatMap((link) => listLinks(graph, link, table))
  return [...listEvents(graph, table), ...links, noEvent]
}

/** A table with a column for an invoice and one for an event. */
function listLinks(graph: Graph, link: DescribedTable, table: DescribedTable): readonly Candidate[] {
  if (link.isView || link === table) return []
  const invoice = graph.listParents(link).find(({ parent }) => parent === table)
  const event = findEventColumns(graph, link).find(({ column }) => column !== invoice?.column)
  if (invoice === undefined || event === undefined) return []
  return [
    {
      value: { table: link.name, invoice: invoice.column.name, event: event.column.name },
      label: `the table ${link.name}`,
      evidence: [[weights.step, describeStep(invoice)], ...event.evidence],
      verify: verifyUuid(event.column),
    },
  ]
}
