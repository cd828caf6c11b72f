import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Janitor } from './janitor.js'
import { toCode } from './error-text.js'

/**
 * A file, or a text itself. A string is always the name of a file, relative to the working directory; a `URL` is a file
 * too, which `new URL('schema.sql', import.meta.url)` finds beside the test. `{ text }` is the text itself.
 */
export type TextSource = string | URL | { readonly text: string }

/** What a column can hold; a `Date` is that instant, in the zone of the mapping where the column has none. */
export type ColumnValue = string | number | bigint | boolean | Date | Uint8Array | null

/** What `isColumnValue` accepts. */
export const columnValues = 'text, a number, a bigint, a boolean, a valid Date, a Uint8Array or null'

/** Whether a column can hold it: JavaScript gives anything. */
export function isColumnValue(value: unknown): value is ColumnValue {
  if (value instanceof Date) return !Number.isNaN(value.getTime())
  if (value === null || value instanceof Uint8Array || Number.isFinite(value)) return true
  return ['string', 'bigint', 'boolean'].includes(typeof value)
}

/** Rows by table; tables in an order that their foreign keys allow. */
export type TableRows = Readonly<Record<string, readonly TableRow[]>>

/** A row, by its columns; one that is undefined has its default. */
export type TableRow = Readonly<Record<string, ColumnValue | undefined>>

/** Scripts of SQL, in their order. */
export type SqlSource = TextSource | readonly TextSource[]

/** A text, and what errors call it. */
export interface NamedText {
  readonly name: string
  readonly text: string
}

/** The absolute name of the file; undefined where the source is a text itself. */
function toFileName(source: TextSource): string | undefined {
  if (source instanceof URL) return fileURLToPath(source)
  return typeof source === 'string' ? resolve(source) : undefined
}

/**
 * Reads a source.
 *
 * @param option the option that names the source, for errors.
 * @throws Error for a file that cannot be read.
 */
export async function readSource(source: TextSource, option: string): Promise<NamedText> {
  const file = toFileName(source)
  if (file === undefined) return { name: option, text: (source as { readonly text: string }).text }
  try {
    return { name: relative('', file), text: await readFile(file, 'utf8') }
  } catch (cause) {
    const code = toCode(cause) ?? 'unreadable'
    const found = typeof source === 'string' ? source : file
    throw new Error(
      `${option}: the file ${JSON.stringify(found.slice(0, 200))} cannot be read (${code}); a string is the name of a file, a text itself is { text: '…' }`,
      { cause },
    )
  }
}

/** A mapping file, its text, or what it says as an object. */
export type MappingSource = TextSource | Readonly<Record<string, unknown>>

/** The name of a file that holds the mapping; the janitor removes one that is written here. */
export async function toMappingFile(source: MappingSource, janitor: Pick<Janitor, 'add'>): Promise<string> {
  const isText = typeof source === 'string' || source instanceof URL || typeof source['text'] === 'string'
  const given = isText ? toFileName(source as TextSource) : undefined
  if (given !== undefined) {
    await readSource(source as TextSource, 'mapping')
    return given
  }
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-mapping-'))
  janitor.add({ do: 'remove', path: folder })
  const file = join(folder, 'mapping.yaml')
  // Every JSON text is YAML.
  await writeFile(file, isText ? (source as { readonly text: string }).text : JSON.stringify(source))
  return file
}
