import { canFollow, describeReference, findByRule, toLookup } from './column-rule.js'
import type { ColumnRule } from './column-rule.js'
import { sortByScore } from './candidate.js'
import type { Candidate, MappingValue } from './candidate.js'
import { readCommentWords } from './codes.js'
import type { ReadCodes } from './codes.js'
import type { DescribedColumn, DescribedTable } from './description.js'
import type { FindReferences, Reference } from './references.js'
import { listTableWords, toSnake } from './words.js'

/** Where codes and other tables are found. */
export interface StatusInput {
  readonly readCodes: ReadCodes
  readonly findReferences: FindReferences
  /** Flags and times that mean a status, in their order. */
  readonly signs: readonly StatusSign[]
  /** The status of a record without any of them. */
  readonly otherwise: string
}

/** A flag or a time that means a status when it is set. */
export interface StatusSign {
  readonly then: string
  readonly names: RegExp
}

/** Signs of the state of a registration. */
export const registrationSigns: readonly StatusSign[] = [
  // A refund mostly cancels too, so the other order would never show it.
  { then: 'REFUNDED', names: /^(?:is_|was_)?refunded(?:_at|_on|_date|_time)?$/ },
  {
    then: 'CANCELLED',
    names: /^(?:is_|was_)?cancell?ed(?:_at|_on|_date|_time)?$|^cancell?ation_(?:date|time)$/,
  },
  { then: 'REJECTED', names: /^(?:is_|was_)?(?:rejected|declined)(?:_at|_on|_date)?$/ },
  { then: 'WAITLISTED', names: /^(?:is_|on_)?wait_?list(?:ed)?(?:_at|_on)?$|^on_waiting_list$/ },
]

/** Signs of the state of an invoice. */
export const invoiceSigns: readonly StatusSign[] = [
  { then: 'REFUNDED', names: /^(?:is_|was_)?refunded(?:_at|_on|_date|_time)?$/ },
  {
    then: 'VOID',
    names: /^(?:is_|was_)?(?:void|voided|cancell?ed)(?:_at|_on|_date|_time)?$|^cancell?ation_(?:date|time)$/,
  },
  {
    then: 'PAID',
    names: /^(?:is_|was_)?(?:paid|settled)(?:_at|_on|_date|_time)?$|^date_paid$|^payment_date$/,
  },
  { then: 'DRAFT', names: /^(?:is_)?draft$/ },
]

const statusRule: ColumnRule = {
  names: [
    [/^(?:status|state)$/, 10],
    [
      /^(?:registration|reg|attendee|ticket|booking|rsvp|invoice|inv|document|doc|bill|participant)_(?:status|state)$/,
      10,
    ],
    [/^(?:status_code|state_code|status_name|current_state|workflow_state|aasm_state|fk_statut|statut)$/, 8],
    [/^(?:phase|stage|lifecycle|condition)$/, 7],
    [/^(?:payment_status|paid_status|payment_state)$/, 5],
    [/_(?:status|state)$/, 3],
  ],
  not: /email|mail_|sync|billing_state|shipping|address|einv|zatca|import|print|clearance/,
  kinds: ['text', 'integer'],
  accepts: ({ type, length }) => !/^(?:set|text|mediumtext|longtext)/i.test(type) && length <= 255,
}

/** Candidates for the status of a record: a column, a lookup of a status table, or flags and times. */
export async function listStatuses(table: DescribedTable, input: StatusInput): Promise<readonly Candidate[]> {
  const columns = await Promise.all(
    findByRule(table, statusRule).map(async ({ column, score, reasons }): Promise<Candidate> => {
      const mapped = await mapCodes(table, column, input.readCodes)
      return {
        ...mapped,
        label: `${table.name}.${column.name}`,
        score,
        reasons: [...reasons, ...mapped.reasons],
      }
    }),
  )
  return sortByScore([
    ...columns,
    ...(await listStatusTables(table, input)),
    ...listSigned(table, input),
    ...(await listParentStatuses(table, input)),
  ])
}

type Mapped = Pick<Candidate, 'value' | 'reasons' | 'verify'>

async function mapCodes(
  table: DescribedTable,
  column: DescribedColumn,
  readCodes: ReadCodes,
): Promise<Mapped> {
  const { codes, isComplete } = await readCodes(table, column)
  if (column.kind === 'integer') return mapNumbers(column, codes)
  if (codes.length === 0) {
    return {
      value: column.name,
      reasons: [],
      verify:
        'no codes were found in it: `values` would list its words, for the documentation and the filter',
    }
  }
  return mapWords(column, codes, isComplete)
}

function mapWords(column: DescribedColumn, codes: readonly string[], isComplete: boolean): Mapped {
  const values = { column: column.name, values: codes }
  if (isComplete) return { value: values, reasons: ['the words of its type'] }
  return {
    value: { ...values, otherwise: 'OTHER' },
    reasons: ['its words are those that were found in up to 1,000 rows; any other shows as OTHER'],
  }
}

function mapNumbers(column: DescribedColumn, codes: readonly string[]): Mapped {
  const words = readCommentWords(column)
  if (words.size > 1 && codes.every((code) => words.has(code))) {
    const values = Object.fromEntries([...words].map(([code, word]) => [code, toPublicWord(word)]))
    return {
      value: { column: column.name, values, otherwise: 'OTHER' },
      reasons: ['the words of its comment'],
    }
  }
  const list = (codes.length === 0 ? ['1', '2'] : codes).map((code) => `${code}: WORD`).join(', ')
  return {
    value: column.name,
    reasons: [codes.length === 0 ? 'it has no rows' : `its codes in up to 1,000 rows: ${codes.join(', ')}`],
    verify: `callers would see the codes as they are stored: { column: ${column.name}, values: { ${list} } } gives them words`,
  }
}

/** The form of the contract's examples. */
function toPublicWord(word: string): string {
  return toSnake(word).toUpperCase()
}

/** `status_id` that refers to a table of statuses. */
async function listStatusTables(
  table: DescribedTable,
  { findReferences, readCodes }: StatusInput,
): Promise<readonly Candidate[]> {
  const references = findReferences(table).filter((one) => canFollow(one) && isStatusTable(one))
  return Promise.all(
    references.map(async (reference): Promise<Candidate> => {
      const [word] = findByRule(reference.target, wordRule)
      const column = word?.column
      if (column === undefined) return toStatusKey(table, reference)
      const { codes } = await readCodes(reference.target, column)
      const values = codes.length === 0 ? {} : { values: codes }
      return {
        value: toLookup(reference, reference.column.name, { column: column.name, ...values }),
        label: `${reference.target.name}.${column.name} by ${reference.column.name}`,
        score: 10,
        reasons: [describeReference(reference), 'a table of statuses'],
      }
    }),
  )
}

function toStatusKey(table: DescribedTable, { column }: Reference): Candidate {
  const verify = 'callers would see the stored codes: `values` gives them words'
  return {
    value: column.name,
    label: `${table.name}.${column.name}`,
    score: 5,
    reasons: ['its name'],
    verify,
  }
}

function isStatusTable({ target, column }: Reference): boolean {
  const noun = listTableWords(target.name).at(-1) ?? ''
  const isNamed = /^(?:status|state|stage|phase|statut|statuse)$/.test(noun)
  return isNamed && !/country|billing|shipping|address|province/.test(toSnake(column.name))
}

const wordRule: ColumnRule = {
  names: [
    [/^(?:code|slug|key|identifier|machine_name|constant)$/, 9],
    [/^(?:name|status|state|word)$/, 8],
    [/^(?:label|title|description|value)$/, 6],
  ],
  kinds: ['text'],
}

/** The status that flags and times make together. */
function listSigned(table: DescribedTable, { signs, otherwise }: StatusInput): readonly Candidate[] {
  const found = signs.flatMap(({ then, names }) => {
    const columns = table.columns.filter((column) => names.test(toSnake(column.name)) && isSign(column))
    // A flag says it whether or not a time was stored with it.
    const [sign] = [...columns].sort((one, other) => Number(isFlag(other)) - Number(isFlag(one)))
    return sign === undefined ? [] : [{ then, sign }]
  })
  if (found.length === 0) return []
  const when = found.map(({ then, sign }): MappingValue =>
    isFlag(sign) ? { column: sign.name, equals: 1, then } : { column: sign.name, is: 'set', then },
  )
  return [
    {
      value: { when, otherwise },
      label: found.map(({ sign }) => sign.name).join(', '),
      score: 7 + found.length * 0.5,
      reasons: [`derived from ${found.map(({ sign }) => sign.name).join(', ')}; the first that holds wins`],
      verify: `a record without any of these is ${otherwise}: is this the right word?`,
    },
  ]
}

function isFlag({ kind }: DescribedColumn): boolean {
  return kind === 'integer' || kind === 'bit'
}

/** A flag, or a time that is NULL until it happens. */
function isSign(column: DescribedColumn): boolean {
  if (column.kind === 'bit') return true
  if (column.kind === 'integer') return /^tinyint/i.test(column.type)
  return ['date', 'datetime', 'timestamp'].includes(column.kind) && column.nullable
}

/** The status of the order or booking that a record belongs to. */
async function listParentStatuses(
  table: DescribedTable,
  { findReferences, readCodes }: StatusInput,
): Promise<readonly Candidate[]> {
  const parents = findReferences(table).filter((one) => canFollow(one) && isOrder(one))
  const found = parents.flatMap((reference) =>
    findByRule(reference.target, statusRule).map((status) => ({ reference, ...status })),
  )
  return Promise.all(
    found.map(async ({ reference, column, score, reasons }): Promise<Candidate> => {
      const { codes } = await readCodes(reference.target, column)
      const hasWords = codes.length > 0 && column.kind === 'text'
      const words = hasWords ? { values: codes, otherwise: 'OTHER' } : {}
      return {
        value: toLookup(reference, reference.column.name, { column: column.name, ...words }),
        label: `${reference.target.name}.${column.name} by ${reference.column.name}`,
        score: score - 6,
        reasons: [describeReference(reference), ...reasons],
        verify: 'a change of it does not move updatedAt of the record',
      }
    }),
  )
}

function isOrder({ target }: Reference): boolean {
  return /^(?:order|booking|purchase|registration)$/.test(listTableWords(target.name).at(-1) ?? '')
}
