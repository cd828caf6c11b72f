import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { describeColumn, findColumns, toCandidate } from './column-rule.js'
import type { FoundColumn, Search } from './column-rule.js'
import { isSameName } from './description.js'
import type { DescribedColumn, DescribedTable, Description } from './description.js'
import type { ParentKey } from './parents.js'
import { rules } from './rules.js'
import { besideWords, eventWords, weighNoun } from './vocabulary.js'
import { describeSteps, listWays, toOwnWay } from './ways.js'
import { listTableWords, splitWords, toSingular, toSnake } from './words.js'

/** What the way to an event is worth. */
const weights = { declared: 1, named: 0.5, step: -3, second: -2, nullable: -1, link: -2 } as const
/** A column below this is not taken for an event. */
const eventPointsMin = 3.5

/** What speaks for a table of events: its name, and times and places of what takes place. */
export function weighEventTable(table: DescribedTable): readonly Evidence[] {
  const words = listTableWords(table.name)
  const beside = words.some((word) => besideWords.has(word) && eventWords[word] === undefined)
  const has = (rule: Parameters<typeof findColumns>[1]): boolean => findColumns(table, rule).length > 0
  return [
    {
      points: weighNoun(words, eventWords) * 0.8 - (beside ? 5 : 0),
      reason: `${table.name} is a word for events`,
    },
    { points: has(rules.startsAt) ? 3 : 0, reason: 'it has a start' },
    { points: has(rules.title) ? 1 : 0, reason: 'it has a title' },
    { points: has(rules.seats) ? 1.5 : 0, reason: 'it has a place or a number of seats' },
    // Registrations have all of this too, with an address of a person.
    { points: findColumns(table, rules.email).length > 0 ? -3 : 0, reason: 'it has an e-mail address' },
  ].filter(({ points }) => points !== 0)
}

/** The columns of a table that hold an event's id, the best one first. */
export function findEventColumns(search: Search, table: DescribedTable): readonly FoundColumn[] {
  const parents = search.listParents(table)
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
  const own: Evidence = { points: weighKeyName(column, parent), reason: 'its name' }
  const type = { points: column.nullable ? 0 : 0.5, reason: describeColumn(column) }
  if (parent === undefined) return [own, type]
  const onParent = weighEventTable(parent.parent)
  const byParent = countPoints({ evidence: onParent })
  const declared = parent.isDeclared ? weights.declared : weights.named
  const signs = onParent.filter(({ points }) => points > 0).map((one) => one.reason)
  const reason = [...describeSteps({ steps: [parent], table: parent.parent }), ...signs].join(', ')
  return byParent > own.points
    ? [{ points: Math.min(byParent, 10) + declared, reason }, type]
    : [own, { points: declared + Math.min(0, byParent), reason }, type]
}

/** What the name of a key is worth as that of an event. */
function weighKeyName({ name, kind }: DescribedColumn, parent: ParentKey | undefined): number {
  const words = splitWords(name).map(toSingular)
  const stem = words.filter((word) => !/^(?:id|uuid|fk|ref|key|no|nr|guid|code)$/.test(word))
  const isKey = stem.length < words.length || parent !== undefined || kind === 'binary'
  return isKey ? (eventWords[stem.at(-1) ?? ''] ?? 0) : 0
}

/** What is to be verified of 16 bytes: neither name nor type shows their order. */
export function verifyUuid({ name, kind, length }: DescribedColumn): string | undefined {
  return kind === 'binary' && length === 16
    ? `the bytes are read in order; where UUID_TO_BIN(…, 1) stored them: { column: ${name}, as: uuid-swapped }`
    : undefined
}

function canHoldId(table: DescribedTable, { name, kind, length }: DescribedColumn): boolean {
  if (table.primary.length === 1 && isSameName(table.primary[0], name)) return false
  return kind === 'integer' || (kind === 'text' && length <= 64) || (kind === 'binary' && length === 16)
}

/** The event of a record: a column, or a column of what it leads to, such as the ticket or the order. */
export function listEvents(search: Search, table: DescribedTable): readonly Candidate[] {
  const ways = [toOwnWay(table), ...listWays(table, search.listParents)]
  const found = ways.flatMap((way) =>
    findEventColumns(search, way.table).map(({ column, evidence }): Candidate => {
      const nullable = way.steps.some((step) => step.column.nullable) ? weights.nullable : 0
      const points = [0, weights.step, weights.step + weights.second][way.steps.length] ?? 0
      const onWay =
        way.steps.length === 0 ? [] : [{ points: points + nullable, reason: 'it is not in the row' }]
      const written = { reading: { column: column.name }, evidence: [], verify: verifyUuid(column) }
      return toCandidate(way, written, [...evidence, ...onWay])
    }),
  )
  return found.length > 0 ? rankCandidates(found) : listIdColumns(table)
}

/** Where nothing looks like an event, what could be its id. */
function listIdColumns(table: DescribedTable): readonly Candidate[] {
  return table.columns
    .filter(
      (column) =>
        canHoldId(table, column) && /(?:^|_)(?:id|fk|uuid|code|no|ref)(?:_|$)/.test(toSnake(column.name)),
    )
    .slice(0, 4)
    .map((column) =>
      toCandidate(toOwnWay(table), { reading: { column: column.name }, evidence: [] }, [
        { points: 0.5, reason: 'it can hold an id' },
      ]),
    )
}

/** The event filter of invoices: as above, or a table that links invoices and events, or none. */
export function listInvoiceEvents(
  search: Search,
  table: DescribedTable,
  description: Description,
): readonly Candidate[] {
  const none: Candidate = {
    value: null,
    label: 'invoices have no event',
    evidence: [
      {
        points: 5,
        reason: 'nothing leads from an invoice to an event; the filter eventId then matches nothing',
      },
    ],
  }
  const links = [...description.values()].flatMap((link) => listLinks(search, link, table))
  return rankCandidates([...listEvents(search, table), ...links, none])
}

/** A table with few columns, among them one for an invoice and one for an event. */
function listLinks(search: Search, link: DescribedTable, table: DescribedTable): readonly Candidate[] {
  if (link.isView || link === table || link.columns.length > 8) return []
  const invoice = search.listParents(link).find(({ parent }) => parent === table)
  if (invoice === undefined) return []
  const [event] = findEventColumns(search, link).filter(({ column }) => column !== invoice.column)
  if (event === undefined) return []
  return [
    {
      value: { table: link.name, invoice: invoice.column.name, event: event.column.name },
      label: `the table ${link.name}`,
      evidence: [
        ...describeSteps({ steps: [invoice], table }).map((reason) => ({ points: weights.link, reason })),
        ...event.evidence,
      ],
      verify: verifyUuid(event.column),
    },
  ]
}
