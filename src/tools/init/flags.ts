import { listEnumLabels } from '../../database/column.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import type { Section } from './candidate.js'
import type { Content } from './content.js'

/** Whether a column holds a yes or no as a number. */
export function isFlag({ kind, type }: DescribedColumn): boolean {
  return kind === 'bit' || (kind === 'integer' && /^(?:tiny|small)int/i.test(type))
}

const words = {
  yes: /^(?:y|yes|t|true|1|j|ja|s|si|sí|o|oui|v|x)$/i,
  no: /^(?:n|no|f|false|0|nein|non)$/i,
} as const

/** Yes in several languages. */
const usualYes: readonly string[] = ['Y', 'S', 'J', 'O', 'T', '1']

/** Whether a column can hold a yes or no as a word: one letter, or an ENUM of both. */
export function isWordFlag(column: DescribedColumn): boolean {
  const labels = listEnumLabels(column)
  const isPair =
    labels.length === 2 &&
    labels.some((one) => words.yes.test(one)) &&
    labels.some((one) => words.no.test(one))
  return isPair || (/^(?:var)?char/i.test(column.type) && column.length === 1)
}

/** The test of a row of which a flag says yes, or no; undefined where a column holds no flag. */
export async function writeFlag(
  content: Content,
  table: DescribedTable,
  column: DescribedColumn,
  says: keyof typeof words = 'yes',
): Promise<Section | undefined> {
  if (isFlag(column)) return { column: column.name, equals: says === 'yes' ? 1 : 0 }
  if (!isWordFlag(column)) return undefined
  const { yes, no } = findWords((await content.readCodes(table, column)).codes.map(({ code }) => code))
  const [own, other] = says === 'yes' ? [yes, no] : [no, yes]
  if (own !== undefined) return { column: column.name, equals: own }
  if (other === undefined) return undefined
  // Where no row says yes, it is whatever is not the other; without an answer, it is none.
  const isYes = says === 'yes' && column.nullable
  return { column: column.name, ...(isYes ? { in: usualYes } : { notEquals: other }) }
}

/** The words of a flag; none where a code is another word. */
function findWords(codes: readonly string[]): {
  readonly yes?: string | undefined
  readonly no?: string | undefined
} {
  const [yes, no] = [words.yes, words.no].map((word) => codes.find((code) => word.test(code)))
  return codes.every((code) => code === yes || code === no) ? { yes, no } : {}
}
