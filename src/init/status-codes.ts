import type { DescribedColumn } from '../database/description.js'
import type { Search, Written } from './column-rule.js'
import type { Codes } from './content.js'
import type { Way } from './ways.js'
import { toSnake } from './words.js'

/** How a column of codes is written: with its words, or with what a person must say of its numbers. */
export async function writeCodes(search: Search, way: Way, column: DescribedColumn): Promise<Written> {
  const codes = await search.content.readCodes(way.table, column)
  const written = column.kind === 'integer' ? writeNumbers(column, codes) : writeWords(column, codes)
  const moves = way.steps.length === 0 ? undefined : 'a change of it does not move updatedAt of the record'
  return { ...written, verify: written.verify ?? moves }
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
