import { listEnumLabels } from '../../database/column.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { isAccessDenied, isSchemaError, isTimeLimit } from '../../database/errors.js'
import type { Row, RunQuery, Statement } from '../../database/statement.js'
import {
  renderAnyRow,
  renderCodes,
  renderCurrencySettings,
  renderEndCodes,
  renderFilled,
  renderKeys,
} from './content-sql.js'
import type { KeyAndValue } from './content-sql.js'
import { remember } from './graph.js'

/** A stored code of a column, such as a word of a status. */
export interface Code {
  readonly code: string
  /** Undefined where the type lists the code and no row was read. */
  readonly rows: number | undefined
}

/** The stored codes of a column. */
export interface Codes {
  /** The most frequent first; empty where the values are no codes. */
  readonly codes: readonly Code[]
  /** Whether the column can hold no others, as an ENUM. */
  readonly isComplete: boolean
  /** Whether every row was read. */
  readonly isWhole: boolean
}

/**
 * How many of some rows have a value in a column; for a text, how many differ and end with two digits, and for an integer its
 * digits.
 */
export interface Filled {
  readonly rows: number
  readonly filled: number
  readonly differing: number
  readonly numbered: number
  readonly shortest: number
  readonly longest: number
}

/** What the rows of a database show. Nothing of it but codes is a value of a row. */
export interface Content {
  readonly readCodes: (table: DescribedTable, column: DescribedColumn) => Promise<Codes>
  /** The texts of a column that lists scopes, or the keys of a key-value table. */
  readonly readTexts: (table: DescribedTable, column: DescribedColumn) => Promise<readonly string[]>
  /** The currencies that a table of keys and values names, as three letters. */
  readonly readCurrencies: (table: DescribedTable, columns: KeyAndValue) => Promise<readonly string[]>
  /** The paths of one or two keys in the documents of a column; none where it holds no objects. */
  readonly readPaths: (
    table: DescribedTable,
    column: DescribedColumn,
  ) => Promise<readonly (readonly string[])[]>
  /** Whether a row has no value in a column. */
  readonly hasNull: (table: DescribedTable, column: DescribedColumn) => Promise<boolean>
  /** How the columns of a table are used, by their names; none where its rows cannot be read. */
  readonly readFilled: (table: DescribedTable) => Promise<ReadonlyMap<string, Filled>>
  readonly hasRows: (table: DescribedTable) => Promise<boolean>
  /** Whether a row has a value in a column. */
  readonly hasValue: (table: DescribedTable, column: DescribedColumn) => Promise<boolean>
}

/** More are no codes: the column then holds names or free text, of which nothing is shown. */
const codesMax = 30
/** The share of values that may be no code: they are left out, and show as any other. */
const oddShareMax = 0.25

/** Reads the content of tables; each column once. */
export function createContent(runQuery: RunQuery): Content {
  // Undefined where the statement took too long, or the user may not read the column.
  const readRows = (statement: Statement): Promise<readonly Row[] | undefined> =>
    runQuery(statement).catch((error: unknown) => {
      if (isTimeLimit(error) || isSchemaError(error) || isAccessDenied(error)) return undefined
      throw error
    })
  // A statement is limited in time; both ends of a table are read where the whole takes too long.
  const readGroups = async (table: DescribedTable, column: DescribedColumn, max: number) => {
    const whole = await readRows(renderCodes(table, column.name, max))
    const rows = whole ?? (await readRows(renderEndCodes(table, column.name, max))) ?? []
    return { rows, isWhole: whole !== undefined }
  }
  const readCodes = async (table: DescribedTable, column: DescribedColumn): Promise<Codes> => {
    const { rows, isWhole } = await readGroups(table, column, codesMax + 2)
    const labels = listEnumLabels(column).filter((label) => label !== '')
    return toCodes(rows, labels, isWhole)
  }
  const readPaths = async (
    table: DescribedTable,
    column: DescribedColumn,
  ): Promise<readonly (readonly string[])[]> => {
    const readKeys = async (of: readonly string[]): Promise<readonly (readonly string[])[]> => {
      const rows = (await readRows(renderKeys(table, column.name, of))) ?? []
      return of.map((_, at) => listKeys(rows.map((row) => row[`keys${at}`])))
    }
    const [first = []] = await readKeys(['$'])
    const second = first.length === 0 ? [] : await readKeys(first.map((key) => `$.${key}`))
    return first.flatMap((key, at) => [[key], ...(second[at] ?? []).map((below) => [key, below])])
  }
  const readFilled = async (table: DescribedTable): Promise<ReadonlyMap<string, Filled>> => {
    const columns = table.columns
      .filter(({ kind, length }) => countedKinds.includes(kind) && length <= countedLengthMax)
      .slice(0, countedColumnsMax)
    const [row] = (columns.length === 0 ? undefined : await readRows(renderFilled(table, columns))) ?? []
    return new Map(row === undefined ? [] : columns.map(({ name }, at) => [name, toFilled(row, at)]))
  }
  return {
    readCodes: remember(readCodes),
    readTexts: async (table, column) => listTexts((await readGroups(table, column, textsMax)).rows),
    readCurrencies: async (table, columns) =>
      toCurrencies(await readRows(renderCurrencySettings(table, columns))),
    readPaths: remember(readPaths),
    // NULL stands before values that are as frequent.
    hasNull: async (table, column) =>
      (await readGroups(table, column, 1)).rows.some(({ code }) => code === null),
    readFilled: remember(readFilled),
    // A table that the user may not read is not known to be empty.
    hasRows: async (table) => (await readRows(renderAnyRow(table)))?.length !== 0,
    // Several places ask for a column, and without a value its whole table is read.
    hasValue: remember(
      async (table, column) => (await readRows(renderAnyRow(table, column.name)))?.length !== 0,
    ),
  }
}

/** A time that is empty says nothing: the event is still to come. */
const countedKinds: readonly string[] = ['text', 'integer', 'decimal']
/** The server would copy longer texts, in characters, to count them. */
const countedLengthMax = 1000
/** A result has at most 4096 columns, and a text has three. */
const countedColumnsMax = 1000

function toFilled(row: Row, at: number): Filled {
  const count = (name: string): number => Number(row[name + String(at)] ?? 0)
  return {
    rows: Number(row['rows']),
    filled: count('filled'),
    differing: count('differing'),
    numbered: count('numbered'),
    shortest: count('shortest'),
    longest: count('longest'),
  }
}

/** Texts that are read of a column at most. */
const textsMax = 1000
/** More keys are no names: the object then has the ids of something. */
const keysMax = 60

/** The keys of objects that the mapping file can name without quotes. */
function listKeys(cells: readonly unknown[]): readonly string[] {
  const lists = cells.flatMap((cell) =>
    Buffer.isBuffer(cell) ? [JSON.parse(cell.toString()) as string[]] : [],
  )
  const keys = [...new Set(lists.flat())].filter((key) => /^[A-Za-z_]\w{0,39}$/.test(key))
  return keys.length > keysMax ? [] : keys
}

function toCodes(rows: readonly Row[], labels: readonly string[], isWhole: boolean): Codes {
  const found = rows.flatMap(({ code, rowCount }): Code[] =>
    Buffer.isBuffer(code) ? [{ code: code.toString(), rows: Number(rowCount) }] : [],
  )
  if (labels.length > 0) {
    const codes = labels.map((code) => ({ code, rows: found.find((one) => one.code === code)?.rows ?? 0 }))
    return { codes, isComplete: true, isWhole }
  }
  const values = found.filter(({ code }) => code !== '')
  const codes = values.filter(({ code }) => isCode(code))
  const areCodes = values.length <= codesMax && values.length - codes.length <= values.length * oddShareMax
  return { codes: areCodes ? codes : [], isComplete: false, isWhole }
}

function listTexts(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ code }) => (Buffer.isBuffer(code) ? [code.toString()] : []))
}

/** The letters of a code, without what stands behind them. */
function toCurrencies(rows: readonly Row[] = []): readonly string[] {
  return listTexts(rows).map((code) => code.slice(0, 3).toUpperCase())
}

/** Up to 40 characters that are neither an address nor a control character. */
function isCode(code: string): boolean {
  return /^(?:-\d{1,9}|[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:/&'()+-]{0,39})$/u.test(code)
}
