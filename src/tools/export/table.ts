import { CsvError, parse } from 'csv-parse/sync'
import { UsageError } from '../../errors.js'
import { countTexts } from '../facts/values.js'

/** A table that the product exports. */
export interface ExportTable {
  readonly titles: readonly string[]
  readonly lines: readonly (readonly string[])[]
  /** Of each line in the file. */
  readonly numbers: readonly number[]
}

/** A line with its number in the file. */
interface Line {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/**
 * Reads a table as products export it and as Excel saves it: UTF-8, UTF-16 or windows-1252, with one of four delimiters. What
 * stands above the titles is left out.
 *
 * @throws UsageError in one sentence, with the line, where the file holds no such table.
 */
export function readTable(file: string, bytes: Uint8Array): ExportTable {
  const fail = (problem: string): UsageError => new UsageError(`--export ${file}: ${problem}`)
  const text = decode(bytes)
  if (text.includes('\0') || /^\s*</.test(text)) throw fail('is not CSV; save the table as CSV')
  const tried = [',', ';', '\t', '|'].map((delimiter) => readLines(text, delimiter))
  const [{ lines, width, problem }] = tried.sort((one, other) => other.points - one.points) as [Tried]
  if (problem !== undefined) throw fail(problem)
  const head = lines.findIndex(({ record }) => record.length >= width && count(record) > width / 2)
  const titles = lines[head]?.record ?? []
  if (titles.length < 2) throw fail('has no line of titles with a line of cells for each record')
  const body = lines.slice(head + 1).filter(({ record }) => count(record) > 0)
  const longer = body.find(({ record }) => count(record.slice(titles.length)) > 0)
  if (longer !== undefined) {
    const { record, info } = longer
    throw fail(`line ${info.lines} has ${record.length} cells, and there are ${titles.length} titles`)
  }
  return {
    titles: titles.map((title, at) => title || `column ${at + 1}`),
    lines: body.map(({ record }) => titles.map((_, at) => record[at] ?? '')),
    numbers: body.map(({ info }) => info.lines),
  }
}

const count = (cells: readonly string[]): number => cells.filter((cell) => cell !== '').length

function decode(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes
  const isUtf16 = first + second === 0xff + 0xfe
  try {
    const encoding = isUtf16 ? `utf-16${first === 0xff ? 'le' : 'be'}` : 'utf-8'
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    // Some versions of Node read it as latin1, which has no sign of the euro.
    return new TextDecoder('windows-1252').decode(bytes).replaceAll('\u0080', '€')
  }
}

/** The lines by a delimiter, with the usual number of cells; more points where more lines have it. */
interface Tried {
  readonly lines: readonly Line[]
  readonly width: number
  readonly points: number
  readonly problem?: string
}

function readLines(text: string, delimiter: string): Tried {
  // Excel keeps zeros as ="00123".
  const cast = (cell: string): string => cell.replace(/^="?(.*?)"?$/s, '$1').trim()
  const form = { cast, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true }
  try {
    const lines = parse(text.replace(/^sep=.\r?\n/i, ''), {
      delimiter,
      ...form,
    }) as unknown as readonly Line[]
    const [usual] = countTexts(lines.map(({ record }) => String(record.length)))
    const width = Number(usual?.code ?? 0)
    return { lines, width, points: width > 1 ? (usual?.rows ?? 0) / lines.length + width / 1000 : 0 }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { lines: [], width: 0, points: 0.01, problem: error.message }
  }
}
