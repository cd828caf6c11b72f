import type { DescribedColumn, DescribedTable } from '../description.js'
import { rankCandidates, toColumnName } from './candidate.js'
import type { Candidate, Evidence, Section } from './candidate.js'
import { findColumns } from './columns.js'
import type { Search } from './columns.js'
import { writeFlag } from './flags.js'
import { describeEnd, writeReading } from './graph.js'
import type { Way } from './graph.js'
import { nouns, patterns } from './names.js'
import { describeCodes } from './status.js'
import { splitWords, toNoun, toSingular } from './words.js'

/** What makes a record archived: its own deletion, that of a part of the record, or that of a person who can hide it. */
export async function listArchived(
  search: Search,
  table: DescribedTable,
  isPerson: (way: Way) => boolean = () => false,
): Promise<readonly Candidate[]> {
  const near = search.graph
    .listWays(table)
    .filter((way) => way.steps.length === 1 && (isPart(way) || isPerson(way)))
  const tests = [...(await listArchivedTests(search, table))]
  if (tests.length === 0) tests.push(...(await findArchivedCode(search, table)))
  const none = { value: [], label: 'nothing is archived' }
  if (tests.length === 0) {
    const parents = await Promise.all(near.map((way) => listDeletedParents(search, way)))
    const [first] = rankCandidates(parents.flat())
    const points = first === undefined ? 5 : 0
    const nothing: Candidate = {
      ...none,
      evidence: [[points, 'no column looks like a soft delete']],
      verify:
        'does the product keep deleted rows, marked by a column or by another table? They would be public',
    }
    return first === undefined ? [nothing] : [first, nothing]
  }
  // In the order of the table.
  const at = (test: Section): number => table.columns.findIndex(({ name }) => name === toColumnName(test))
  tests.sort((one, other) => at(one) - at(other))
  const label = tests.flatMap((test) => toColumnName(test) ?? []).join(', ')
  return [
    {
      value: tests.length === 1 ? (tests[0] ?? []) : tests,
      label,
      evidence: [[9, `the names of soft deletes: ${label}`]],
    },
    { ...none, evidence: [[0, 'archived records stay visible']] },
  ]
}

function isPart({ steps: [step] }: Way): boolean {
  return step?.isSameRecord === true
}

/** A part of the record, or a person, that the product has deleted. */
async function listDeletedParents(search: Search, way: Way): Promise<readonly Candidate[]> {
  const tests = await listArchivedTests(search, way.table)
  return tests.slice(0, 1).map((test): Candidate => ({
    value: writeReading(way, test),
    label: describeEnd(way, [toColumnName(test) ?? '']),
    evidence: [[isPart(way) ? 9 : 6, `${way.table.name} has a soft delete, and the row has none`]],
    verify: isPart(way)
      ? undefined
      : `is the record of a person that ${way.table.name} has as deleted archived?`,
  }))
}

async function listArchivedTests({ content }: Search, table: DescribedTable): Promise<readonly Section[]> {
  const lists = findColumns(table, 'archived').map(async ({ column }) => {
    const flag = await writeFlag(content, table, column)
    return flag === undefined ? toArchivedTest(column) : [flag]
  })
  return (await Promise.all(lists)).flat()
}

function toArchivedTest({ name, kind, nullable }: DescribedColumn): readonly Section[] {
  if (kind !== 'text' && nullable) return [{ column: name, is: 'set' }]
  // A time in an integer is 0 until the row is archived.
  return kind === 'integer' ? [{ column: name, notEquals: 0 }] : []
}

/** A word of a status that means that the row is deleted. */
async function findArchivedCode(search: Search, table: DescribedTable): Promise<readonly Section[]> {
  const [status] = findColumns(table, 'status')
  if (status === undefined || status.column.kind !== 'text') return []
  const { codes } = await search.content.readCodes(table, status.column)
  const own = codes.map(({ code }) => code).filter((code) => patterns.archivedCode.test(code))
  const [first] = own
  if (first === undefined) return []
  return [{ column: status.column.name, ...(own.length === 1 ? { equals: first } : { in: own }) }]
}

/** The words by which the types of a table differ. */
export interface TypeWords {
  readonly own: RegExp
  readonly other: RegExp
}

/** Types of registrations. */
export const registrationTypes: TypeWords = {
  own: patterns.registrationType,
  other: patterns.otherThanRegistration,
}

/** Types of invoices: those that the workspace issued, and no purchases, quotes or templates. */
export const invoiceTypes: TypeWords = { own: patterns.invoiceType, other: /./ }

/** A condition on the rows with its reason, or what must be verified where the rows do not show one. */
interface Condition {
  readonly test?: Section
  readonly reason?: string
  readonly verify?: string
}

/** The rows that belong to the collection: of its type, and nothing that is only a test or a draft. */
export async function listWhere(
  search: Search,
  table: DescribedTable,
  words: TypeWords,
): Promise<readonly Candidate[]> {
  const marks = words === invoiceTypes ? findColumns(table, 'invoiced') : []
  const conditions: readonly Condition[] = [
    await findType(search, table, words),
    ...(await Promise.all(marks.map(({ column }) => toMark(search, table, column)))).flat(),
    ...(words === invoiceTypes && marks.length === 0 ? await findNumbered(search, table) : []),
    ...(
      await Promise.all(
        findColumns(table, 'otherKind').map(({ column }) => toOtherKind(search, table, column)),
      )
    ).flat(),
  ]
  const tests = conditions.flatMap(({ test }) => (test === undefined ? [] : [test]))
  const verify = conditions.flatMap((one) => one.verify ?? []).join('; ') || undefined
  const none: Candidate = { value: [], label: 'all rows', evidence: [[0, 'every row is a record']], verify }
  if (tests.length === 0) return [{ ...none, evidence: [[5, 'every row is a record']] }]
  const evidence = conditions.flatMap(({ reason }): Evidence[] => (reason === undefined ? [] : [[5, reason]]))
  const label = tests.map((test) => JSON.stringify(test)).join(' and ')
  return [{ value: tests, label, evidence, verify }, none]
}

/** Rows that can be billed, of which those with the number of an invoice were. */
async function findNumbered({ content }: Search, table: DescribedTable): Promise<readonly Condition[]> {
  const about = findColumns(table, 'invoicedColumn').map(({ column }) => column)
  const number = findColumns(table, 'number').find(({ column }) => column.nullable && about.includes(column))
  const isInvoice = nouns.invoice.get(toNoun(table.name)) === invoicePoints
  if (number === undefined || isInvoice || !(await content.hasNull(table, number.column))) return []
  const { name } = number.column
  return [
    {
      test: { column: name, is: 'set' },
      reason: `${name} is the number of an invoice, and is NULL in some rows`,
    },
  ]
}

/** A table with such a word is one of invoices, and has no others. */
const invoicePoints = 10

async function toMark(
  { content }: Search,
  table: DescribedTable,
  column: DescribedColumn,
): Promise<readonly Condition[]> {
  const test = await writeFlag(content, table, column)
  return test === undefined ? [] : [{ test, reason: `${column.name} marks the records` }]
}

async function toOtherKind(
  { content }: Search,
  table: DescribedTable,
  column: DescribedColumn,
): Promise<readonly Condition[]> {
  const { name, nullable } = column
  const test = await writeFlag(content, table, column, 'no')
  const verify = `${name} may be NULL: notEquals shows such rows, equals does not`
  const reason = `${name} marks rows that are something else`
  return test === undefined ? [] : [{ test, reason, ...(nullable ? { verify } : {}) }]
}

async function findType(search: Search, table: DescribedTable, words: TypeWords): Promise<Condition> {
  for (const { column } of findColumns(table, 'kind')) {
    const { codes } = await search.content.readCodes(table, column)
    const all = codes.map(({ code }) => code)
    const own = findOwnCodes(all, table, words)
    const [first] = own
    if (first !== undefined && all.some((code) => !own.includes(code) && words.other.test(code))) {
      const test = own.length === 1 ? { equals: first } : { in: own }
      const reason = `${column.name} distinguishes types: ${all.join(', ')}`
      return { test: { column: column.name, ...test }, reason }
    }
    if (first === undefined && all.length > 1)
      return {
        verify: `${table.name}.${column.name} has the values ${describeCodes(codes)}: which of them belong here? Write where: [{ column: ${column.name}, in: […] }]`,
      }
  }
  return {}
}

/** The codes of the collection or, without one, the code with the name of the table: `shop_order` in `orders`. */
function findOwnCodes(
  codes: readonly string[],
  table: DescribedTable,
  { own }: TypeWords,
): readonly string[] {
  const named = codes.filter((code) => own.test(code))
  const noun = toNoun(table.name)
  return named.length > 0 ? named : codes.filter((code) => toSingular(splitWords(code).at(-1) ?? '') === noun)
}
