import type { DescribedColumn, DescribedTable } from '../database/description.js'
import { toColumnName } from './candidate.js'
import type { Candidate, Evidence, Section } from './candidate.js'
import { findColumns, isFlag } from './column-rule.js'
import type { ColumnRule, Search } from './column-rule.js'
import { describeCodes } from './status-codes.js'
import { describeEnd, writeReading } from './ways.js'
import type { Way } from './ways.js'
import { toSnake } from './words.js'

const removed =
  '(?:deleted|archived|trashed|discarded|removed|hidden|geloescht|geloscht|archiviert|supprimee?|eliminad[oa]|borrad[oa]|eliminat[oa]|verwijderd|excluid[oa]|slettet|raderad|usuniet[ey]|archivee?|archivad[oa]|gearchiveerd|papelera)'
const archivedNames = new RegExp(
  `^(?:is_|was_|ist_|est_)?(?:soft_)?${removed}(?:_at|_on|_date|_time|_am|_le|_op|_em|_il|_en)?$|^(?:date|time|fecha|data)_${removed}$|^deletion_(?:date|time)$|^(?:fecha_baja|baja_en)$`,
)
/** Flags of rows that are something else than a record of the collection. */
const otherKinds =
  /^(?:(?:is|ist|est|es|e)_)?(?:template|quote|quotation|estimate|pro_?forma|credit_?(?:note|memo)|cancell?ation|reversal|correction|storno|purchase|purchase_order|test|draft|test_?mode|testbuchung|recurring_template|amount_discount_template|demo|sandbox|simulation|prueba|entwurf|brouillon|borrador)$/

/** The words by which the types of a table differ. */
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

/** What makes a record archived. @param people the ways to the person whose deletion can hide a record. */
export function listArchived(table: DescribedTable, people: readonly Way[] = []): readonly Candidate[] {
  const tests = table.columns.flatMap((column) => toArchivedTest(column))
  const none = { value: [], label: 'nothing is archived' }
  if (tests.length === 0) {
    const [first] = people.flatMap((way) => listDeletedPeople(way))
    const points = first === undefined ? 5 : 0
    const nothing: Candidate = { ...none, evidence: [[points, 'no column looks like a soft delete']] }
    return first === undefined ? [nothing] : [first, nothing]
  }
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

/** A record of a person that the product has deleted. */
function listDeletedPeople(way: Way): readonly Candidate[] {
  return way.table.columns
    .flatMap(toArchivedTest)
    .slice(0, 1)
    .map((test): Candidate => ({
      value: writeReading(way, test),
      label: describeEnd(way, [toColumnName(test) ?? '']),
      evidence: [[6, `${way.table.name} has a soft delete, and the row has none`]],
      verify: `is the record of a person that ${way.table.name} has as deleted archived?`,
    }))
}

function toArchivedTest(column: DescribedColumn): readonly Section[] {
  const { name, kind, nullable } = column
  if (!archivedNames.test(toSnake(name))) return []
  if (isFlag(column)) return [{ column: name, equals: 1 }]
  if (kind !== 'text' && nullable) return [{ column: name, is: 'set' }]
  // A time in an integer is 0 until the row is archived.
  return kind === 'integer' ? [{ column: name, notEquals: 0 }] : []
}

const typeRule: ColumnRule = {
  names: {
    10: 'type kind document_type doc_type invoice_type record_type move_type voucher_type entry_type typ tipo doc_kind art belegart',
    6: 'category class role attendee_type participant_type transaction_type type_code document_kind tipo_documento',
  },
  kinds: ['text', 'integer'],
}

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
  const conditions = [
    await findType(search, table, words),
    ...table.columns.map((column) => findFlag(words, column)),
  ]
  const tests = conditions.flatMap(({ test }) => (test === undefined ? [] : [test]))
  const verify = conditions.flatMap((one) => one.verify ?? []).join('; ') || undefined
  const none: Candidate = { value: [], label: 'all rows', evidence: [[0, 'every row is a record']], verify }
  if (tests.length === 0) return [{ ...none, evidence: [[5, 'every row is a record']] }]
  const evidence = conditions.flatMap(({ reason }): Evidence[] => (reason === undefined ? [] : [[5, reason]]))
  const label = tests.map((test) => JSON.stringify(test)).join(' and ')
  return [{ value: tests, label, evidence, verify }, none]
}

function findFlag({ flag }: TypeWords, column: DescribedColumn): Condition {
  const { name, nullable } = column
  if (!isFlag(column)) return {}
  if (flag?.test(toSnake(name)) === true)
    return { test: { column: name, equals: 1 }, reason: `${name} marks the records` }
  if (!otherKinds.test(toSnake(name))) return {}
  return {
    test: { column: name, equals: 0 },
    reason: `${name} marks rows that are something else`,
    ...(nullable
      ? { verify: `${name} may be NULL: notEquals: 1 would show such rows, equals: 0 does not` }
      : {}),
  }
}

async function findType(search: Search, table: DescribedTable, words: TypeWords): Promise<Condition> {
  for (const { column } of findColumns(table, typeRule)) {
    const { codes } = await search.content.readCodes(table, column)
    const all = codes.map(({ code }) => code)
    const own = all.filter((code) => words.own.test(code))
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
