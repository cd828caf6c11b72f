import { listEnumLabels } from '../database/column.js'
import { isAccessDenied, isSchemaError, isTimeLimit } from '../database/errors.js'
import type { Row, RunQuery, Statement } from '../database/statement.js'
import { renderCodes, renderEndCodes } from './content-sql.js'
import type { DescribedColumn, DescribedTable } from '../database/description.js'

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

/** What the rows of a database show. Nothing of it but codes is a value of a row. */
export interface Content {
  readonly readCodes: (table: DescribedTable, column: DescribedColumn) => Promise<Codes>
  /** The texts of a column that lists scopes. */
  readonly readTexts: (table: DescribedTable, column: DescribedColumn) => Promise<readonly string[]>
}

/** More are no codes: the column then holds names or free text, of which nothing is shown. */
const codesMax = 30

/** Reads the content of tables. */
export function createContent(runQuery: RunQuery): Content {
  // Undefined where the statement took too long, or the user may not read the column.
  const readRows = (statement: Statement): Promise<readonly Row[] | undefined> =>
    runQuery(statement).catch((error: unknown) => {
      if (isTimeLimit(error) || isSchemaError(error) || isAccessDenied(error)) return undefined
      throw error
    })
  return {
    readCodes: async (table, column) => {
      // A statement is limited in time; both ends of a table are read where the whole takes too long.
      const whole = await readRows(renderCodes(table, column.name, codesMax + 2))
      const labels = listEnumLabels(column).filter((label) => label !== '')
      const rows = whole ?? (await readRows(renderEndCodes(table, column.name, codesMax + 2))) ?? []
      return toCodes(rows, labels, whole !== undefined)
    },
    readTexts: async (table, column) =>
      listTexts((await readRows(renderEndCodes(table, column.name, 1000))) ?? []),
  }
}

function toCodes(rows: readonly Row[], labels: readonly string[], isWhole: boolean): Codes {
  const found = rows.flatMap(({ code, rowCount }): Code[] =>
    Buffer.isBuffer(code) ? [{ code: code.toString(), rows: Number(rowCount) }] : [],
  )
  if (labels.length > 0) {
    const codes = labels.map((code) => ({ code, rows: found.find((one) => one.code === code)?.rows ?? 0 }))
    return { codes, isComplete: true, isWhole }
  }
  const codes = found.filter(({ code }) => code !== '')
  const areCodes = codes.length <= codesMax && codes.every(({ code }) => isCode(code))
  return { codes: areCodes ? codes : [], isComplete: false, isWhole }
}

function listTexts(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ code }) => (Buffer.isBuffer(code) ? [code.toString()] : []))
}

/** Up to 40 characters that are neither an address nor a control character. */
function isCode(code: string): boolean {
  return /^(?:-\d{1,9}|[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:/&'()+-]{0,39})$/u.test(code)
}
