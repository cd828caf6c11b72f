import { canFollow, describeColumn, describeReference, toLookup } from './column-rule.js'
import type { FoundColumn } from './column-rule.js'
import { sortByScore } from './candidate.js'
import type { Candidate } from './candidate.js'
import { isSameName } from './description.js'
import type { DescribedColumn, DescribedTable, Description } from './description.js'
import type { FindReferences, Reference } from './references.js'
import { eventWords } from './vocabulary.js'
import { listTableWords, splitWords, toSingular } from './words.js'

/** The columns of a table that hold an event's id, the best one first. */
export function findEventColumns(
  table: DescribedTable,
  findReferences: FindReferences,
): readonly FoundColumn[] {
  const references = findReferences(table)
  const found = table.columns.flatMap((column): FoundColumn[] => {
    if (!canHoldId(table, column)) return []
    const reference = references.find((one) => one.column === column)
    const points = scoreEvent(column, reference)
    if (points <= 0) return []
    return [
      {
        column,
        score: points + (reference === undefined ? 0 : 1) + (column.nullable ? 0 : 0.5),
        reasons: [
          reference === undefined ? 'its name' : describeReference(reference),
          describeColumn(column),
        ],
      },
    ]
  })
  return [...found].sort((one, other) => other.score - one.score)
}

/** What a column or the table that it refers to is worth as an event, by name. */
function scoreEvent({ name, kind }: DescribedColumn, reference: Reference | undefined): number {
  const words = splitWords(name).map(toSingular)
  const stem = words.filter((word) => !/^(?:id|uuid|fk|ref|key|no|guid|code)$/.test(word))
  const isReference = stem.length < words.length || reference !== undefined || kind === 'binary'
  const named = isReference ? (eventWords[stem.at(-1) ?? ''] ?? 0) : 0
  const noun = reference === undefined ? '' : (listTableWords(reference.target.name).at(-1) ?? '')
  return Math.max(named, (eventWords[noun] ?? 0) - 1)
}

/** What is to be verified of 16 bytes: neither name nor type shows their order. */
export function verifyUuid({ name, kind, length }: DescribedColumn): Pick<Candidate, 'verify'> {
  return kind === 'binary' && length === 16
    ? {
        verify: `the bytes are read in order; where UUID_TO_BIN(…, 1) stored them: { column: ${name}, as: uuid-swapped }`,
      }
    : {}
}

function canHoldId(table: DescribedTable, { name, kind, length }: DescribedColumn): boolean {
  if (table.primary.length === 1 && isSameName(table.primary[0], name)) return false
  return kind === 'integer' || (kind === 'text' && length <= 64) || (kind === 'binary' && length === 16)
}

/** The event of a record: a column, or a column of what it refers to, such as the ticket or the order. */
export function listEvents(table: DescribedTable, findReferences: FindReferences): readonly Candidate[] {
  const direct = findEventColumns(table, findReferences).map(({ column, score, reasons }): Candidate => ({
    value: column.name,
    label: `${table.name}.${column.name}`,
    score,
    reasons,
    ...verifyUuid(column),
  }))
  const lookups = findReferences(table)
    .filter(canFollow)
    .flatMap((reference) =>
      findEventColumns(reference.target, findReferences).map(({ column, score, reasons }): Candidate => ({
        value: toLookup(reference, reference.column.name, { column: column.name }),
        label: `${reference.target.name}.${column.name} by ${reference.column.name}`,
        score: score - 3 - (reference.column.nullable ? 1 : 0),
        reasons: [describeReference(reference), ...reasons],
        ...verifyUuid(column),
      })),
    )
  return sortByScore([...direct, ...lookups])
}

/** The event filter of invoices: as above, or a table that links invoices and events, or none. */
export function listInvoiceEvents(
  table: DescribedTable,
  {
    description,
    findReferences,
  }: { readonly description: Description; readonly findReferences: FindReferences },
): readonly Candidate[] {
  const none: Candidate = {
    value: null,
    label: 'invoices have no event',
    score: 0,
    reasons: ['nothing leads from an invoice to an event; the filter eventId then matches nothing'],
  }
  const links = [...description.values()].flatMap((link) => listLinks(link, table, findReferences))
  return sortByScore([...listEvents(table, findReferences), ...links, none])
}

/** A table with few columns, among them one for an invoice and one for an event. */
function listLinks(
  link: DescribedTable,
  table: DescribedTable,
  findReferences: FindReferences,
): readonly Candidate[] {
  if (link.isView || link === table || link.columns.length > 8) return []
  const invoice = findReferences(link).find(({ target }) => target === table)
  const [event] = findEventColumns(link, findReferences).filter(({ column }) => column !== invoice?.column)
  if (invoice === undefined || event === undefined) return []
  return [
    {
      value: { table: link.name, invoice: invoice.column.name, event: event.column.name },
      label: `the table ${link.name}`,
      score: event.score - 2,
      reasons: [describeReference(invoice), ...event.reasons],
      ...verifyUuid(event.column),
    },
  ]
}
