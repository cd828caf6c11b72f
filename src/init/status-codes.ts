import type { Search, Written } from './column-rule.js'
import type { Codes } from './content.js'
import type { DescribedColumn } from './description.js'
import type { Way } from './ways.js'
import { toSnake } from './words.js'

/** What a column of a status without codes is worth. */
const noCodesPoints = -3

/** How a column of codes is written: with its words, or with what a person must say of its numbers. */
export async function writeCodes(search: Search, way: Way, column: DescribedColumn): Promise<Written> {
  const codes = await search.content.readCodes(way.table, column)
  const moves = way.steps.length === 0 ? undefined : 'a change of it does not move updatedAt of the record'
  const written = column.kind === 'integer' ? writeNumbers(column, codes) : writeWords(column, codes)
  return { ...written, verify: written.verify ?? moves }
}

function writeWords(column: DescribedColumn, { codes, isComplete, isWhole }: Codes): Written {
  const values = codes.map(({ code }) => code)
  if (values.length === 0)
    return {
      reading: { column: column.name },
      evidence: [{ points: noCodesPoints, reason: 'no codes were found in it' }],
      verify:
        'no codes were found in it: `values` would list its words, for the documentation and the filter',
    }
  if (isComplete)
    return {
      reading: { column: column.name, values },
      evidence: [{ points: 0.5, reason: `the words of its type: ${describeCodes(codes)}` }],
    }
  const read = isWhole ? 'in all rows' : 'in the rows at both ends of the table'
  return {
    reading: { column: column.name, values, otherwise: 'OTHER' },
    evidence: [
      { points: 0.5, reason: `its words ${read}: ${describeCodes(codes)}; any other shows as OTHER` },
    ],
  }
}

function writeNumbers(column: DescribedColumn, { codes }: Codes): Written {
  const words = readCommentWords(column)
  if (words.size > 1 && codes.every(({ code }) => words.has(code))) {
    const values = Object.fromEntries([...words].map(([code, word]) => [code, toSnake(word).toUpperCase()]))
    return {
      reading: { column: column.name, values, otherwise: 'OTHER' },
      evidence: [{ points: 0.5, reason: 'the words of its comment' }],
    }
  }
  const list = (codes.length === 0 ? [{ code: '1' }, { code: '2' }] : codes).map(
    ({ code }) => `${code}: WORD`,
  )
  return {
    reading: { column: column.name },
    evidence: [
      { points: 0, reason: codes.length === 0 ? 'it has no rows' : `its codes: ${describeCodes(codes)}` },
    ],
    verify: `callers would see the codes as they are stored: { column: ${column.name}, values: { ${list.join(', ')} } } gives them words`,
    codes,
  }
}

function describeCodes(codes: Codes['codes']): string {
  return codes.map(({ code, rows }) => (rows === undefined ? code : `${code} (${rows})`)).join(', ')
}

/** Words for codes that the comment of a column explains, such as `1=paid, 2=void` or `paid: 1, void: 2`. */
function readCommentWords({ comment }: DescribedColumn): ReadonlyMap<string, string> {
  const before = [...comment.matchAll(/(?<![\p{L}\p{N}])(\d{1,3})\s*(?:=>|[=:\-–])\s*([\p{L}][\p{L} _-]*)/gu)]
  const after = [...comment.matchAll(/([\p{L}][\p{L} _-]*?)\s*(?:=>|[=:])\s*(\d{1,3})(?![\p{L}\p{N}])/gu)]
  const pairs =
    before.length >= after.length
      ? before.map(([, code, word]) => [code, word])
      : after.map(([, word, code]) => [code, word])
  return new Map(pairs.map(([code = '', word = '']) => [code, word.trim()]))
}
