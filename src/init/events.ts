import { isSameName } from '../database/description.js'
import type { DescribedColumn, DescribedTable, Description } from '../database/description.js'
import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { canHold, findColumns, toCandidate, weighType } from './column-rule.js'
import type { ColumnRule, FoundColumn } from './column-rule.js'
import { idRule, verifyUuid } from './ids.js'
import type { ListParents, ParentKey } from './parents.js'
import { rules } from './rules.js'
import { eventWords } from './vocabulary.js'
import { describeStep, listWays } from './ways.js'
import { isKeyWord, splitWords, toNoun, toSingular } from './words.js'

/** What leads to an event, and a way to it, are worth beside their words. */
const weights = { parent: 0.5, step: -3 } as const
/** A column below this is not taken for an event. */
const eventPointsMin = 3.5

/** What speaks for a table of events beside its name: times and places of what takes place. */
const signs: readonly (readonly [points: number, reason: string, rule: ColumnRule])[] = [
  [3, 'it has a start', rules.startsAt],
  [1.5, 'it has a place or a number of seats', rules.seats],
]

/** What speaks for a table of events. */
export function weighEventTable(table: DescribedTable): readonly Evidence[] {
  const found = signs.filter(([, , rule]) => findColumns(table, rule).length > 0)
  const points = eventWords[toNoun(table.name)]
  return [
    ...(points === undefined ? [] : [[points, `${table.name} is a word for events`] as const]),
    ...found.map(([points, reason]): Evidence => [points, reason]),
  ]
}

/** The columns of a table that hold an event's id, the best one first. */
export function findEventColumns(listParents: ListParents, table: DescribedTable): readonly FoundColumn[] {
  const parents = listParents(table)
  const isKey = (name: string): boolean => table.primary.length === 1 && isSameName(table.primary[0], name)
  const found = table.columns.flatMap((column): FoundColumn[] => {
    if (isKey(column.name) || !canHold(column, idRule)) return []
    const parent = parents.find((one) => one.column === column)
    const evidence = [weighEventColumn(column, parent), weighType(column)]
    return countPoints({ evidence }) < eventPointsMin ? [] : [{ column, evidence }]
  })
  return rankCandidates(found)
}

/** What the name of a column, or the table that it leads to, says of an event. */
function weighEventColumn({ name, kind }: DescribedColumn, parent: ParentKey | undefined): Evidence {
  const words = splitWords(name).map(toSingular)
  const stem = words.filter((word) => !isKeyWord(word))
  const isKey = stem.length < words.length || parent !== undefined || kind === 'binary'
  const own = isKey ? (eventWords[stem.at(-1) ?? ''] ?? 0) : 0
  if (parent === undefined) return [own, 'its name']
  const evidence = weighEventTable(parent.parent)
  const byParent = Math.min(countPoints({ evidence }), 10)
  const reason = [describeStep(parent), ...evidence.map(([, reason]) => reason)].join(', ')
  return byParent > own ? [byParent + weights.parent, reason] : [own, 'its name']
}

/** The event of a record: a column, or a column of what it leads to, such as the ticket or the order. */
export function listEvents(listParents: ListParents, table: DescribedTable): readonly Candidate[] {
  return listWays(table, listParents).flatMap((way) => {
    const onWay = way.steps.map((): Evidence => [weights.step, 'it is not in the row'])
    return findEventColumns(listParents, way.table).map(({ column, evidence }) => {
      const written = { reading: { column: column.name }, verify: verifyUuid(column) }
      return toCandidate(way, written, [...evidence, ...onWay])
    })
  })
}

const noEvent: Candidate = {
  value: null,
  label: 'invoices have no event',
  evidence: [[5, 'nothing leads from an invoice to an event; the filter eventId then matches nothing']],
}

/** The event filter of invoices: as above, or a table that links invoices and events, or none. */
export function listInvoiceEvents(
  listParents: ListParents,
  table: DescribedTable,
  description: Description,
): readonly Candidate[] {
  const links = [...description.values()].flatMap((link) => listLinks(listParents, link, table))
  return [...listEvents(listParents, table), ...links, noEvent]
}

/** A table with few columns, among them one for an invoice and one for an event. */
function listLinks(
  listParents: ListParents,
  link: DescribedTable,
  table: DescribedTable,
): readonly Candidate[] {
  if (link.isView || link === table || link.columns.length > 8) return []
  const invoice = listParents(link).find(({ parent }) => parent === table)
  const event = findEventColumns(listParents, link).find(({ column }) => column !== invoice?.column)
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
