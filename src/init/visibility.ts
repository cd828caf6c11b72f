import type { Candidate, Evidence, MappingValue } from './candidate.js'
import { findColumns } from './column-rule.js'
import type { ColumnRule, Search } from './column-rule.js'
import type { Codes } from './content.js'
import type { DescribedColumn, DescribedTable } from './description.js'
import { toNoun, toSnake } from './words.js'

const removed =
  '(?:deleted|archived|trashed|discarded|removed|hidden|geloescht|geloscht|archiviert|supprimee?|eliminad[oa]|borrad[oa]|eliminat[oa]|verwijderd|excluid[oa]|slettet|raderad|usuniet[ey]|archivee?|archivad[oa]|gearchiveerd|papelera)'
const archivedNames = new RegExp(
  `^(?:is_|was_|ist_|est_)?(?:soft_)?${removed}(?:_at|_on|_date|_time|_am|_le|_op|_em|_il|_en)?$|^(?:date|time|fecha|data)_${removed}$|^deletion_(?:date|time)$|^(?:fecha_baja|baja_en)$`,
)
/** Flags of rows that are something else than a record of the collection. */
const otherKinds =
  /^(?:(?:is|ist|est|es|e)_)?(?:template|quote|quotation|estimate|pro_?forma|credit_note|purchase|purchase_order|test|draft|test_?mode|testbuchung|recurring_template|amount_discount_template|demo|sandbox|simulation|prueba|entwurf|brouillon|borrador)$/

/** The words by which the types of a table are told apart. */
export interface TypeWords {
  readonly own: RegExp
  readonly other: RegExp
  /** The name of a flag that marks the rows. */
  readonly flag?: RegExp
}

/** Types of registrations. */
export const registrationTypes: TypeWords = {
  own: /attendee|participant|registrant|delegate|guest|registration|teilnehm|anmeldung|student|inscri|deelnemer/i,
  other:
    /speaker|staff|sponsor|exhibitor|organi[sz]er|waitlist|volunteer|press|donation|membership|product|teacher|tutor/i,
}

/** Types of invoices: those that the workspace issued, and no purchases, quotes or templates. */
export const invoiceTypes: TypeWords = {
  own: /^(?:(?:sales?|customer|client|ar|out|tax|standard)[ _-]?)?(?:invoice|inv|facture|factura|fattura|rechnung|fatura|factuur|faktura)s?$/i,
  other: /./,
  flag: /^is_invoiced?$/,
}

/** What makes a record archived. */
export function listArchived(table: DescribedTable): readonly Candidate[] {
  const tests = table.columns.flatMap((column) => toArchivedTest(column))
  const value = tests.length === 1 && tests[0] !== undefined ? tests[0] : tests
  const none: Candidate = {
    value: [],
    label: 'nothing is archived',
    evidence: [{ points: 5, reason: 'no column looks like a soft delete' }],
  }
  if (tests.length === 0) return [none]
  const names = tests.map((test) => (test as { column: string }).column).join(', ')
  return [
    { value, label: names, evidence: [{ points: 9, reason: `the names of soft deletes: ${names}` }] },
    { ...none, evidence: [{ points: 0, reason: 'archived records stay visible' }] },
  ]
}

function toArchivedTest(column: DescribedColumn): readonly MappingValue[] {
  const { name, kind, nullable } = column
  if (!archivedNames.test(toSnake(name)) || isEpochFlag(column)) return []
  if (isFlag(column)) return [{ column: name, is: { equals: 1 } }]
  if (['integer', 'date', 'datetime', 'timestamp'].includes(kind) && nullable)
    return [{ column: name, is: 'set' }]
  const yes = kind === 'text' ? findYes(column) : undefined
  return yes === undefined ? [] : [{ column: name, is: { equals: yes } }]
}

/** An integer time, 0 until the row is archived: a condition, because `archived` has no such test. */
function isEpochFlag(column: DescribedColumn): boolean {
  return column.kind === 'integer' && !column.nullable && !isFlag(column)
}

/** The word for yes of a flag that is text. */
function findYes({ type }: DescribedColumn): string | undefined {
  const label = /^enum\(.*'(y|yes|true|1|j|ja|s|si|oui|sim)'/i.exec(type)?.[1]
  return label ?? (/^char\(1\)/i.test(type) ? 'Y' : undefined)
}

function isFlag({ kind, type }: DescribedColumn): boolean {
  return kind === 'bit' || (kind === 'integer' && /^tinyint/i.test(type))
}

const typeRule: ColumnRule = {
  names: {
    10: 'type kind document_type doc_type invoice_type record_type move_type voucher_type entry_type typ tipo doc_kind art belegart',
    6: 'category class role attendee_type participant_type transaction_type type_code document_kind tipo_documento',
  },
  kinds: ['text', 'integer'],
}

/** A condition on the rows, with what must be verified of it. */
interface Condition {
  readonly tests: readonly MappingValue[]
  readonly reasons: readonly string[]
  readonly verify?: string
}

const noCondition: Condition = { tests: [], reasons: [] }

/** The rows that belong to the collection: of its type, and nothing that is only a test or a draft. */
export async function listWhere(
  search: Search,
  table: DescribedTable,
  words: TypeWords,
): Promise<readonly Candidate[]> {
  const type = await findType(search, table, words)
  const flags = await Promise.all(table.columns.map((column) => findFlag(search, table, column, words)))
  const epochs = table.columns.filter(
    (column) => archivedNames.test(toSnake(column.name)) && isEpochFlag(column),
  )
  const conditions = [
    type,
    ...epochs.map(({ name }) =>
      toCondition({ column: name, equals: 0 }, `${name} is 0 until a row is removed`),
    ),
    ...flags,
  ]
  const tests = conditions.flatMap((one) => one.tests)
  const verify = conditions.flatMap((one) => one.verify ?? []).join('; ')
  const none: Candidate = {
    value: [],
    label: 'all rows',
    evidence: [{ points: tests.length === 0 ? 5 : 0, reason: 'every row is a record' }],
    ...(verify === '' ? {} : { verify }),
  }
  if (tests.length === 0) return [none]
  const evidence = conditions.flatMap((one) => one.reasons).map((reason): Evidence => ({ points: 5, reason }))
  const label = tests.map((test) => Object.values(test as Record<string, unknown>).join(' ')).join(' and ')
  return [{ value: tests, label, evidence, ...(verify === '' ? {} : { verify }) }, none]
}

function toCondition(test: MappingValue, reason: string): Condition {
  return { tests: [test], reasons: [reason] }
}

async function findFlag(
  search: Search,
  table: DescribedTable,
  column: DescribedColumn,
  { flag }: TypeWords,
): Promise<Condition> {
  const snake = toSnake(column.name)
  if (!isFlag(column)) return noCondition
  if (flag?.test(snake) === true)
    return toCondition({ column: column.name, equals: 1 }, `${column.name} marks the records`)
  if (!otherKinds.test(snake)) return noCondition
  const test = { column: column.name, equals: 0 }
  const reason = `${column.name} marks rows that are something else`
  if (!column.nullable) return toCondition(test, reason)
  const { hasNull, codes, isWhole } = await search.content.readCodes(table, column)
  // A condition on a NULL does not hold, and would hide the row.
  if (!hasNull && isWhole && codes.length > 0)
    return {
      ...toCondition(test, reason),
      verify: `${column.name} may be NULL, and no row has it: a row with NULL would not be shown`,
    }
  return {
    ...noCondition,
    verify: `${column.name} marks rows that are something else, and has NULL: which values belong here?`,
  }
}

async function findType(search: Search, table: DescribedTable, words: TypeWords): Promise<Condition> {
  for (const { column } of findColumns(table, typeRule)) {
    const { codes } = await search.content.readCodes(table, column)
    const found = toTypeCondition(table, column, codes, words)
    if (found !== undefined) return found
  }
  return noCondition
}

function toTypeCondition(
  table: DescribedTable,
  column: DescribedColumn,
  found: Codes['codes'],
  words: TypeWords,
): Condition | undefined {
  const codes = found.map(({ code }) => code)
  const isNumbered = codes.length > 1 && codes.every((code) => /^-?\d+$/.test(code))
  const own = codes.filter((code) => words.own.test(code) && !isNegated(code))
  const others = codes.filter((code) => !own.includes(code) && words.other.test(code))
  const [first] = own
  if (first === undefined) {
    if (!isNumbered && (codes.length < 2 || !isGeneric(table))) return undefined
    const counts = found.map(({ code, rows }) => (rows === undefined ? code : `${code} (${rows})`)).join(', ')
    return {
      ...noCondition,
      verify: `${table.name}.${column.name} has the values ${counts}: which of them belong here? Write where: [{ column: ${column.name}, in: […] }]`,
    }
  }
  if (others.length === 0 && !isGeneric(table)) return undefined
  const test: MappingValue =
    own.length === 1 ? { column: column.name, equals: first } : { column: column.name, in: own }
  return toCondition(test, `${column.name} tells types apart: ${codes.join(', ')}`)
}

function isNegated(code: string): boolean {
  return /purchase|vendor|supplier|recurring|template|credit|proforma|bill/i.test(code)
}

/** Whether the name of a table says little about what its rows are. */
function isGeneric({ name }: DescribedTable): boolean {
  return /^(?:document|doc|voucher|transaction|record|entry|move|charge|contribution|item|beleg|documento|dokument)$/.test(
    toNoun(name),
  )
}
