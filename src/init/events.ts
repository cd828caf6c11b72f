import { isSameName } from '../database/description.js'
import type { DescribedColumn, DescribedTable, Description } from '../database/description.js'
import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { findColumns, toCandidate, weighType } from './column-rule.js'
import type { ColumnRule, FoundColumn } from './column-rule.js'
import { verifyUuid } from './ids.js'
import type { ListParents, ParentKey } from './parents.js'
import { rules } from './rules.js'
import { besideWords, eventWords, weighNoun } from './vocabulary.js'
import { describeStep, listWays } from './ways.js'
import { isKeyWord, listTableWords, splitWords, toSingular, toSnake } from './words.js'

/** What the way to an event is worth. */
const weights = { declared: 1, named: 0.5, step: -3, second: -2, nullable: -1, link: -2, beside: -5 } as const
/** A column below this is not taken for an event. */
const eventPointsMin = 3.5

/** What speaks for a table of events beside its name: times and places of what takes place. */
const signs: readonly (readonly [points: number, reason: string, rule: ColumnRule])[] = [
  [3, 'it has a start', rules.startsAt],
  [1, 'it has a title', rules.title],
  [1.5, 'it has a place or a number of seats', rules.seats],
  // Registrations have all of this too, with an address of a person.
  [-3, 'it has an e-mail address', rules.email],
]

/** What speaks for a table of events. */
export function weighEventTable(table: DescribedTable): readonly Evidence[] {
  const words = listTableWords(table.name)
  const isBeside = words.some((word) => besideWords.has(word) && eventWords[word] === undefined)
  const byName = weighNoun(words, eventWords) * 0.8 + (isBeside ? weights.beside : 0)
  const found = signs.filter(([, , rule]) => findColumns(table, rule).length > 0)
  const named: Evidence = [byName, `${table.name} is a word for events`]
  return [named, ...found.map(([points, reason]): Evidence => [points, reason])].filter(
    ([points]) => points !== 0,
  )
}

/** The columns of a table that hold an event's id, the best one first. */
export function findEventColumns(listParents: ListParents, table: DescribedTable): readonly FoundColumn[] {
  const parents = listParents(table)
  const found = table.columns.flatMap((column): FoundColumn[] => {
    if (!canHoldId(table, column)) return []
    const parent = parents.find((one) => one.column === column)
    const evidence = weighEventColumn(column, parent)
    return countPoints({ evidence }) < eventPointsMin ? [] : [{ column, evidence }]
  })
  return rankCandidates(found)
}

/** What the name of a column, and the table that it leads to, say of an event. */
function weighEventColumn(column: DescribedColumn, parent: ParentKey | undefined): readonly Evidence[] {
  const own = weighKeyName(column, parent)
  if (parent === undefined) return [[own, 'its name'], weighType(column)]
  const onParent = weighEventTable(parent.parent)
  const byParent = countPoints({ evidence: onParent })
  const declared = parent.isDeclared ? weights.declared : weights.named
  const reasons = onParent.flatMap(([points, reason]) => (points > 0 ? [reason] : []))
  const reason = [describeStep(parent), ...reasons].join(', ')
  return byParent > own
    ? [[Math.min(byParent, 10) + declared, reason], weighType(column)]
    : [[own, 'its name'], [declared + Math.min(0, byParent), reason], weighType(column)]
}

/** What the name of a key is worth as that of an event. */
function weighKeyName({ name, kind }: DescribedColumn, parent: ParentKey | undefined): number {
  const words = splitWords(name).map(toSingular)
  const stem = words.filter((word) => !isKeyWord(word))
  const isKey = stem.length < words.length || parent !== undefined || kind === 'binary'
  return isKey ? (eventWords[stem.at(-1) ?? ''] ?? 0) : 0
}

function canHoldId(table: DescribedTable, { name, kind, length }: DescribedColumn): boolean {
  if (table.primary.length === 1 && isSameName(table.primary[0], name)) return false
  return kind === 'integer' || (kind === 'text' && length <= 64) || (kind === 'binary' && length === 16)
}

/** The event of a record: a column, or a column of what it leads to, such as the ticket or the order. */
export function listEvents(listParents: ListParents, table: DescribedTable): readonly Candidate[] {
  return listWays(table, listParents).flatMap((way) => {
    const nullable = way.steps.some((step) => step.column.nullable) ? weights.nullable : 0
    const points = weights.step + (way.steps.length > 1 ? weights.second : 0) + nullable
    const onWay: readonly Evidence[] = way.steps.length === 0 ? [] : [[points, 'it is not in the row']]
    return findEventColumns(listParents, way.table).map(({ column, evidence }) => {
      const written = { reading: { column: column.name }, verify: verifyUuid(column) }
      return toCandidate(way, written, [...evidence, ...onWay])
    })
  })
}

/** Where nothing looks like an event, what could be its id. */
export function listPossibleEvents(table: DescribedTable): readonly Candidate[] {
  const names = /(?:^|_)(?:id|fk|uuid|code|no|ref)(?:_|$)/
  return table.columns
    .filter((column) => canHoldId(table, column) && names.test(toSnake(column.name)))
    .slice(0, 4)
    .map(({ name }) =>
      toCandidate({ steps: [], table }, { reading: { column: name } }, [[0.5, 'it can hold an id']]),
    )
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
      evidence: [[weights.link, describeStep(invoice)], ...event.evidence],
      verify: verifyUuid(event.column),
    },
  ]
}
