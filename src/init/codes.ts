import type { RunQuery } from '../database/statement.js'
import type { DescribedColumn, DescribedTable } from './description.js'
import { renderCodes } from './description-sql.js'

/** The stored codes of a column, such as the words of a status. */
export interface Codes {
  readonly codes: readonly string[]
  /** Whether the column can hold no others, as an ENUM or a whole table that was read. */
  readonly isComplete: boolean
}

/** Reads the codes of a column. */
export type ReadCodes = (table: DescribedTable, column: DescribedColumn) => Promise<Codes>

/** More are no codes: the column then holds names or free text, of which nothing is shown. */
const codesMax = 30

/**
 * Reads codes from at most 1,000 rows of a column, or from the type of an ENUM. A column with values that do not look
 * like codes, or that the user may not read, has none.
 */
export function createReadCodes(runQuery: RunQuery): ReadCodes {
  const known = new Map<DescribedColumn, Promise<Codes>>()
  return (table, column) => {
    const codes = known.get(column) ?? readCodes(runQuery, table, column)
    known.set(column, codes)
    return codes
  }
}

async function readCodes(runQuery: RunQuery, table: DescribedTable, column: DescribedColumn): Promise<Codes> {
  const labels = listEnumLabels(column)
  if (labels.length > 0) return { codes: labels, isComplete: true }
  try {
    const rows = await runQuery(renderCodes(table.name, column.name))
    const codes = rows.flatMap(({ code }) => (Buffer.isBuffer(code) ? [code.toString()] : []))
    const areCodes = codes.length <= codesMax && codes.every((code) => isCode(code))
    return { codes: areCodes ? codes : [], isComplete: false }
  } catch {
    return { codes: [], isComplete: false }
  }
}

/** Up to 40 characters that are neither an address nor a control character. */
function isCode(code: string): boolean {
  return /^(?:-\d{1,9}|[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:/&'()+-]{0,39})$/u.test(code)
}

/** The labels of an ENUM; empty for other types. */
function listEnumLabels({ type }: DescribedColumn): readonly string[] {
  if (!/^enum\(/i.test(type)) return []
  return [...type.matchAll(/'((?:[^']|'')*)'/g)]
    .map(([, label = '']) => label.replaceAll("''", "'"))
    .filter((label) => label !== '')
}

/** Words for codes that the comment of a column explains, such as `1=paid, 2=void` or `paid: 1, void: 2`. */
export function readCommentWords({ comment }: DescribedColumn): ReadonlyMap<string, string> {
  const before = [...comment.matchAll(/(?<![\p{L}\p{N}])(\d{1,3})\s*(?:=>|[=:\-–])\s*([\p{L}][\p{L} _-]*)/gu)]
  const after = [...comment.matchAll(/([\p{L}][\p{L} _-]*?)\s*(?:=>|[=:])\s*(\d{1,3})(?![\p{L}\p{N}])/gu)]
  const pairs =
    before.length >= after.length
      ? before.map(([, code, word]) => [code, word])
      : after.map(([, word, code]) => [code, word])
  return new Map(pairs.map(([code = '', word = '']) => [code, word.trim()]))
}
