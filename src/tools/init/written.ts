import type { DescribedColumn } from '../description.js'
import { isFlag } from '../facts/columns.js'
import type { ColumnFacts } from '../facts/read-facts.js'
import { toSnake } from '../facts/words.js'
import type { Section, Write } from './candidate.js'

/** A column as it is. */
export const writeColumn: Write = ({ name }) => [name]

/** A time: an integer with its unit, by its values. */
export const writeTime: Write = ({ name, kind }, facts) => {
  if (kind !== 'integer') return [name, kind === 'date' ? -0.4 : 0]
  const [unit] = (facts?.texts ?? []).flatMap((text) => /^epoch (\w+)/.exec(text)?.[1] ?? [])
  if (unit !== undefined) return [{ column: name, epoch: unit }]
  return facts?.digits === undefined
    ? [{ column: name, epoch: 's' }, 0, `is ${name} in s, ms or us?`]
    : undefined
}

/** An amount: as it is, as decimal text, rounded, in minor units or with a scale. */
export const writeAmount: Write = ({ name, kind, type, comment }) => {
  if (kind === 'decimal') return [name]
  if (kind === 'text') return [{ column: name, text: 'decimal' }, -1]
  if (kind === 'float')
    return [{ column: name, float: Math.min(4, Number(/\(\d+,(\d+)\)/.exec(type)?.[1] ?? 4)) }]
  const text = `${toSnake(name)} ${comment.toLowerCase()}`
  const [, scale] = /(?:_e|scale )(\d)\b/.exec(text) ?? []
  if (scale !== undefined) return [{ column: name, scale: Number(scale) }]
  if (/cents?(?:\b|_)|minor|pence|subunit/.test(text)) return [{ column: name, unit: 'minor' }]
  return [{ column: name, unit: 'minor' }, 0, `does 100 in ${name} mean 1.00 (unit: minor) or 100.00?`]
}

/** A currency, by its values: only codes of ISO 4217 are among them. */
export const writeCurrency: Write = ({ name }, facts) => {
  if (facts === undefined || facts.filled === 0) return [name]
  return [name, facts.codes.length > 0 && facts.hidden === 0 ? 2 : -6]
}

/** A status: its codes; numbers by the words of the comment. */
export const writeStatus: Write = (column, facts) => {
  const { name, kind, comment, type } = column
  const codes = (facts?.codes ?? []).map(({ code }) => code)
  if (/^enum/i.test(type)) return [{ column: name, values: listLabels(type) }]
  if (kind !== 'integer')
    return codes.length === 0 ? [name, -1] : [{ column: name, values: codes, otherwise: 'OTHER' }]
  const points = isFlag(column) && codes.every((code) => /^[01]$/.test(code)) ? -4 : 0
  const words = [...comment.matchAll(/(\d{1,3})\s*(?:=>|[=:–-])\s*([\p{L}][\p{L} _-]*)/gu)]
  const named = words.map(
    ([, code = '', word = '']) => [code, word.trim().toUpperCase().replace(/\W+/g, '_')] as const,
  )
  if (named.length > 1)
    return [{ column: name, values: Object.fromEntries(named), otherwise: 'OTHER' }, points]
  const values = Object.fromEntries(codes.map((code) => [code, 'WORD']))
  return [{ column: name, values }, points, `what do the numbers of ${name} mean?`]
}

const listLabels = (type: string): readonly string[] =>
  [...type.matchAll(/'((?:[^']|'')+)'/g)].map(([, label = '']) => label.replaceAll("''", "'"))

/** The test of the rows of which a flag or a time says yes; undefined for a column that holds no flag. */
export function writeTest(column: DescribedColumn, facts: ColumnFacts | undefined): Section | undefined {
  const { name, kind, nullable, type } = column
  if (kind === 'text') {
    const codes = [...(facts?.codes ?? []).map(({ code }) => code), ...listLabels(type)]
    const code = codes.find((one) => /^(?:y|yes|t|true|1|j|ja|s|si|o|oui)$/i.test(one))
    return code === undefined ? undefined : { column: name, equals: code }
  }
  if (isFlag(column)) return { column: name, equals: 1 }
  if (nullable) return { column: name, is: 'set' }
  return kind === 'integer' ? { column: name, notEquals: 0 } : undefined
}

/** A flag as a boolean column, or as a test of its words. */
export const writeFlag: Write = (column, facts) => {
  if (column.kind !== 'text') return [column.name]
  const test = writeTest(column, facts)
  return test === undefined ? undefined : [test]
}
