import type { DescribedColumn, DescribedTable } from '../description.js'
import type { Candidate, Evidence, MappingValue, Section } from './candidate.js'
import { findColumns, listCandidates, toCandidate } from './columns.js'
import type { Search, Written } from './columns.js'
import { isFlag, writeFlag } from './flags.js'
import type { Codes, Content } from './content.js'
import { describeEnd, writeReading } from './graph.js'
import type { Way } from './graph.js'
import { nouns } from './names.js'
import type { RuleName } from './names.js'
import { toNoun, toSnake } from './words.js'

/** What a flag or a time says of a record. */
interface Sign {
  readonly then: string
  readonly rules: readonly RuleName[]
  /** What it says with a no, where some rows have no answer yet. */
  readonly no?: string
  /** The status of a record without any sign, where this one exists. */
  readonly otherwise?: string
}

/** What differs between the states of registrations and of invoices. */
export interface StatusWords {
  /** In the order in which they win. A refund mostly cancels too. */
  readonly signs: readonly Sign[]
  /** The status of a record without any of them. */
  readonly otherwise: string
}

/** The state of a registration. */
export const registrationStatus: StatusWords = {
  signs: [
    { then: 'REFUNDED', rules: ['refunded'] },
    { then: 'CANCELLED', rules: ['cancelled'] },
    { then: 'REJECTED', rules: ['rejected'] },
    { then: 'WAITLISTED', rules: ['waitlisted'] },
    { then: 'CONFIRMED', rules: ['attending'], no: 'DECLINED', otherwise: 'PENDING' },
    { then: 'CONFIRMED', rules: ['confirmed'], otherwise: 'PENDING' },
  ],
  otherwise: 'CONFIRMED',
}

/** The state of an invoice. */
export const invoiceStatus: StatusWords = {
  signs: [
    { then: 'REFUNDED', rules: ['refunded'] },
    { then: 'VOID', rules: ['void', 'cancelled'] },
    { then: 'PAID', rules: ['paid'] },
  ],
  otherwise: 'ISSUED',
}

/** What a status that is not in a column of the row is worth, and one that only says yes or no. */
const weights = {
  table: 11,
  parent: -6,
  signed: 8,
  signedByParent: 5,
  constant: 3,
  flag: -4,
} as const

/** Candidates for the status of a record: a column, a lookup of a status table, or flags and times. */
export async function listStatuses(
  search: Search,
  table: DescribedTable,
  words: StatusWords,
  type: string,
): Promise<readonly Candidate[]> {
  // The status of the order or booking that a record belongs to.
  const weighWay = (way: Way) =>
    way.steps.length === 1 && nouns.order.has(toNoun(way.table.name))
      ? ([weights.parent, 'it is not in the row'] as const)
      : undefined
  const columns = findColumns(table, 'status').map(({ column }) => column)
  // A column of a status that leads to another table leads to one of statuses.
  const tables = search.graph
    .listWays(table)
    .filter(
      ({ steps: [step, ...more] }) =>
        step !== undefined && more.length === 0 && columns.includes(step.column),
    )
  const lists = await Promise.all([
    listCandidates(search, table, { rule: 'status', weighWay, write: writeCodes }, type),
    ...tables.map((way) => readStatusTable(search, way)),
  ])
  return [...lists.flat(), ...(await listDerived(search, table, words))]
}

async function readStatusTable(search: Search, way: Way): Promise<readonly Candidate[]> {
  const [word] = findColumns(way.table, 'statusWord')
  if (word === undefined) return []
  const { codes } = await search.content.readCodes(way.table, word.column)
  const values = codes.length === 0 ? {} : { values: codes.map(({ code }) => code) }
  return [
    toCandidate(way, { reading: { column: word.column.name, ...values } }, [
      [weights.table, 'a table of statuses'],
    ]),
  ]
}

/** The status that flags and times make together; without any, one word for all records. */
async function listDerived(
  { graph, content }: Search,
  table: DescribedTable,
  words: StatusWords,
): Promise<readonly Candidate[]> {
  const [own, ...ways] = graph.listWays(table)
  const orders = ways.filter((way) => way.steps.length === 1 && nouns.order.has(toNoun(way.table.name)))
  const lists = words.signs.map(async (sign): Promise<readonly FoundSign[]> => {
    for (const way of [own, ...orders])
      for (const column of findSigns(way.table, sign.rules)) {
        const yes = await writeSign(content, way.table, column)
        if (yes === undefined) continue
        const tests = [{ ...yes, then: sign.then }, ...(await listNo(content, way.table, { column, sign }))]
        return [{ ...sign, way, column, when: tests.map((test) => writeReading(way, test)) }]
      }
    return []
  })
  const found = (await Promise.all(lists)).flat()
  const otherwise = found.find((one) => one.otherwise !== undefined)?.otherwise ?? words.otherwise
  if (found.length === 0) return listConstant(table, otherwise)
  const label = found.map(({ way, column }) => describeEnd(way, [column.name])).join(', ')
  const points = found.some(({ way }) => way === own) ? weights.signed : weights.signedByParent
  return [
    {
      value: { when: found.flatMap(({ when }) => when), otherwise },
      label,
      evidence: [[points, `derived from ${label}; the first that holds wins`]],
      verify: `a record without any of these is ${otherwise}: is this the right word?`,
    },
  ]
}

interface FoundSign extends Sign {
  readonly way: Way
  readonly column: DescribedColumn
  readonly when: readonly MappingValue[]
}

/** A flag that says yes, or a time that is set; undefined for a letter that is no flag. */
async function writeSign(
  content: Content,
  table: DescribedTable,
  column: DescribedColumn,
): Promise<Section | undefined> {
  return column.kind === 'text' || isFlag(column)
    ? writeFlag(content, table, column)
    : { column: column.name, is: 'set' }
}

/** The case of its `no`: an answer is one of three where some rows have none yet. */
async function listNo(
  content: Content,
  table: DescribedTable,
  { column, sign: { no } }: { readonly column: DescribedColumn; readonly sign: Sign },
): Promise<readonly Section[]> {
  if (no === undefined || !(await content.hasNull(table, column))) return []
  const test = await writeFlag(content, table, column, 'no')
  return test === undefined ? [] : [{ ...test, then: no }]
}

/** The columns that say one word: a flag says it whether or not a time was stored with it. */
function findSigns(table: DescribedTable, rules: readonly RuleName[]): readonly DescribedColumn[] {
  // Rows with such a flag are none of the collection.
  const others = findColumns(table, 'otherKind').map(({ column }) => column)
  const columns = rules
    .flatMap((rule) => findColumns(table, rule).map(({ column }) => column))
    .filter((column) => !others.includes(column))
  return [...columns.filter(isFlag), ...columns.filter((column) => !isFlag(column))]
}

/** One word for all records, by a column that is always set. */
function listConstant({ primary }: DescribedTable, otherwise: string): readonly Candidate[] {
  const [id] = primary
  if (id === undefined || primary.length > 1) return []
  return [
    {
      value: { when: [{ column: id, is: 'set', then: otherwise }], otherwise },
      label: `${otherwise} for every record`,
      evidence: [[weights.constant, 'no column looks like a status']],
      verify: `the product has no status that init could find: is every record ${otherwise}?`,
    },
  ]
}

/** How a column of codes is written: with its words, or with what a person must say of its numbers. */
async function writeCodes(search: Search, way: Way, column: DescribedColumn): Promise<Written> {
  const codes = await search.content.readCodes(way.table, column)
  const written = column.kind === 'integer' ? writeNumbers(column, codes) : writeWords(column, codes)
  const moves = way.steps.length === 0 ? undefined : 'a change of it does not move updatedAt of the record'
  const isYesOrNo = isFlag(column) && codes.codes.every(({ code }) => code === '0' || code === '1')
  const against: readonly Evidence[] = isYesOrNo ? [[weights.flag, 'it holds yes or no']] : []
  return { ...written, evidence: [...against, ...(written.evidence ?? [])], verify: written.verify ?? moves }
}

function writeWords({ name: column }: DescribedColumn, { codes, isComplete, isWhole }: Codes): Written {
  const values = codes.map(({ code }) => code)
  const [none, list] = ['no codes were found in it', describeCodes(codes)]
  if (values.length === 0)
    return {
      reading: { column },
      evidence: [[0, none]],
      verify: `${none}: \`values\` would list its words, for the documentation and the filter`,
    }
  if (isComplete) return { reading: { column, values }, evidence: [[0, `the words of its type: ${list}`]] }
  const where = isWhole ? 'in all rows' : 'in the rows at both ends of the table'
  const reason = `its words ${where}: ${list}; any other shows as OTHER`
  return { reading: { column, values, otherwise: 'OTHER' }, evidence: [[0, reason]] }
}

function writeNumbers({ name: column, comment }: DescribedColumn, { codes }: Codes): Written {
  const words = readCommentWords(comment)
  if (words.size > 1 && codes.every(({ code }) => words.has(code))) {
    const values = Object.fromEntries([...words].map(([code, word]) => [code, toSnake(word).toUpperCase()]))
    const reading = { column, values, otherwise: 'OTHER' }
    return { reading, evidence: [[0, 'the words of its comment']] }
  }
  const list = (codes.length === 0 ? [{ code: '1' }, { code: '2' }] : codes).map(
    ({ code }) => `${code}: WORD`,
  )
  return {
    reading: { column },
    evidence: [[0, codes.length === 0 ? 'it has no rows' : `its codes: ${describeCodes(codes)}`]],
    verify: `callers would see the codes as they are stored: { column: ${column}, values: { ${list.join(', ')} } } gives them words`,
  }
}

/** The codes with their numbers of rows. */
export function describeCodes(codes: Codes['codes']): string {
  return codes.map(({ code, rows }) => (rows === undefined ? code : `${code} (${rows})`)).join(', ')
}

/** Words for codes that a comment explains, such as `1=paid, 2=void` or `paid: 1, void: 2`. */
function readCommentWords(comment: string): ReadonlyMap<string, string> {
  const before = [...comment.matchAll(/(?<![\p{L}\p{N}])(\d{1,3})\s*(?:=>|[=:\-–])\s*([\p{L}][\p{L} _-]*)/gu)]
  const after = [...comment.matchAll(/([\p{L}][\p{L} _-]*?)\s*(?:=>|[=:])\s*(\d{1,3})(?![\p{L}\p{N}])/gu)]
  const pairs =
    before.length >= after.length
      ? before.map(([, code = '', word = '']) => [code, word] as const)
      : after.map(([, word = '', code = '']) => [code, word] as const)
  return new Map(pairs.map(([code, word]) => [code, word.trim()]))
}
