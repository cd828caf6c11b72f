import type { MappingValue } from './candidate.js'
import type { ReadCodes } from './codes.js'
import { findByRule } from './column-rule.js'
import type { ColumnRule } from './column-rule.js'
import type { DescribedColumn, DescribedTable } from './description.js'
import { listTableWords, toSnake } from './words.js'

/** Which rows of a table are records that callers see. */
export interface Visibility {
  readonly archived: readonly MappingValue[]
  readonly where: readonly MappingValue[]
  /** For `archived` and for `where`. */
  readonly reasons: { readonly archived: readonly string[]; readonly where: readonly string[] }
  /** What a person must verify. */
  readonly verify: string | undefined
}

const removed = '(?:deleted|archived|trashed|discarded|removed|hidden)'
const archivedNames = new RegExp(
  `^(?:is_|was_)?(?:soft_)?${removed}(?:_at|_on|_date|_time)?$|^(?:date_|time_)${removed}$|^deletion_(?:date|time)$`,
)
const otherKinds =
  /^is_(?:template|quote|quotation|estimate|pro_?forma|credit_note|purchase|purchase_order|test|recurring_template|amount_discount_template)$/

/** The rows that callers see: not archived, and of the type of the collection. */
export async function findVisibility(
  table: DescribedTable,
  kind: TypeWords,
  readCodes: ReadCodes,
): Promise<Visibility> {
  const signs = table.columns.filter(({ name }) => archivedNames.test(toSnake(name))).map(toArchivedTest)
  const archived = signs.flatMap((sign) => sign.archived ?? [])
  const flags = table.columns.filter((column) => otherKinds.test(toSnake(column.name)) && isFlag(column))
  const ownFlags = table.columns.filter(
    (column) => kind.flag?.test(toSnake(column.name)) === true && isFlag(column),
  )
  const type = await findType(table, kind, readCodes)
  const where = [
    ...type.where,
    ...signs.flatMap((sign) => sign.where ?? []),
    ...flags.filter(({ nullable }) => !nullable).map(({ name }) => ({ column: name, equals: 0 })),
    ...ownFlags.map(({ name }) => ({ column: name, equals: 1 })),
  ]
  return {
    archived,
    where,
    reasons: {
      archived: archived.length > 0 ? ['the names of soft deletes'] : ['no column looks like a soft delete'],
      where: [
        ...type.reasons,
        ...(flags.length > 0 ? ['flags of rows that are something else'] : []),
        ...ownFlags.map(({ name }) => `${name} marks them`),
      ],
    },
    verify: type.verify,
  }
}

interface ArchivedTest {
  readonly archived?: MappingValue
  readonly where?: MappingValue
}

function toArchivedTest(column: DescribedColumn): ArchivedTest {
  const { name, kind, nullable } = column
  if (isFlag(column)) return { archived: { column: name, is: { equals: 1 } } }
  if (['integer', 'date', 'datetime', 'timestamp'].includes(kind) && nullable)
    return { archived: { column: name, is: 'set' } }
  // An integer time, 0 until the row is archived.
  if (kind === 'integer') return { where: { column: name, equals: 0 } }
  const yes = kind === 'text' ? findYes(column) : undefined
  return yes === undefined ? {} : { archived: { column: name, is: { equals: yes } } }
}

/** The word for yes of a flag that is text. */
function findYes({ type }: DescribedColumn): string | undefined {
  const label = /^enum\(.*'(y|yes|true|1)'/i.exec(type)?.[1]
  return label ?? (/^char\(1\)/i.test(type) ? 'Y' : undefined)
}

function isFlag({ kind, type }: DescribedColumn): boolean {
  return kind === 'bit' || (kind === 'integer' && /^tinyint/i.test(type))
}

/** The words by which the types of a table are told apart. */
export interface TypeWords {
  readonly own: RegExp
  readonly other: RegExp
  /** The name of a flag that marks the rows. */
  readonly flag?: RegExp
}

/** Types of registrations. */
export const registrationTypes: TypeWords = {
  own: /attendee|participant|registrant|delegate|guest|registration/i,
  other: /speaker|staff|sponsor|exhibitor|organi[sz]er|waitlist|volunteer|press|donation|membership|product/i,
}

/** Types of invoices: those that the workspace issued, and no purchases, quotes or templates. */
export const invoiceTypes: TypeWords = {
  own: /^(?:(?:sales?|customer|client|ar|out|tax|standard)[ _-]?)?(?:invoice|inv|facture|factura|fattura|rechnung)s?$/i,
  other: /./,
  flag: /^is_invoiced?$/,
}

const typeRule: ColumnRule = {
  names: [
    [/^(?:type|kind|document_type|doc_type|invoice_type|record_type|move_type|voucher_type|entry_type)$/, 10],
    [/^(?:category|class|role|attendee_type|participant_type|transaction_type|type_code|document_kind)$/, 6],
  ],
  kinds: ['text', 'integer'],
}

interface FoundType {
  readonly where: readonly MappingValue[]
  readonly reasons: readonly string[]
  readonly verify: string | undefined
}

async function findType(table: DescribedTable, words: TypeWords, readCodes: ReadCodes): Promise<FoundType> {
  const nothing = { where: [], reasons: [], verify: undefined }
  for (const { column } of findByRule(table, typeRule)) {
    const { codes } = await readCodes(table, column)
    const isNumbered = codes.length > 1 && codes.every((code) => /^-?\d+$/.test(code))
    const own = codes.filter((code) => words.own.test(code) && !isNegated(code))
    const others = codes.filter((code) => !own.includes(code) && words.other.test(code))
    const [first] = own
    if (first === undefined) {
      if (!isNumbered && (codes.length < 2 || !isGeneric(table))) continue
      const verify = `${table.name}.${column.name} has the values ${codes.join(', ')}: which of them belong here? Write where: [{ column: ${column.name}, in: […] }]`
      return { ...nothing, verify }
    }
    if (others.length === 0 && !isGeneric(table)) continue
    const test: MappingValue =
      own.length === 1 ? { column: column.name, equals: first } : { column: column.name, in: own }
    return {
      where: [test],
      reasons: [`${column.name} tells types apart: ${codes.join(', ')}`],
      verify: undefined,
    }
  }
  return nothing
}

function isNegated(code: string): boolean {
  return /purchase|vendor|supplier|recurring|template|credit|proforma|bill/i.test(code)
}

/** Whether the name of a table says little about what its rows are. */
function isGeneric({ name }: DescribedTable): boolean {
  return /^(?:document|doc|voucher|transaction|record|entry|move|charge|contribution|item)$/.test(
    listTableWords(name).at(-1) ?? '',
  )
}
