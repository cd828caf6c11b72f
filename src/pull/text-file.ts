import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { escapeUnprintable } from '../client/printable.js'
import { isRecord } from '../client/response.js'

/** Adds text to a file that is being written. */
export type Write = (text: string) => Promise<void>

/** Only the owner can read the files of a pull: they contain personal data. */
export const privateMode = 0o600

const batchChars = 1 << 20

/** The digest of a text. */
export function digestText(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** The digest of a file; null if it does not exist. */
export async function digestFile(file: string): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
  return hash.digest('base64')
}

/** The path of the temporary file that replaces `file` later. */
export function toTemporary(file: string): string {
  return `${file}.tmp`
}

/** Writes and syncs the temporary file of `file`. @returns its digest. */
export async function writeTemporary(file: string, fill: (write: Write) => Promise<void>): Promise<string> {
  const temporaryFile = toTemporary(file)
  // A file that a killed pull left is removed, not opened: it could be a link, or readable by others.
  await rm(temporaryFile, { force: true })
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const handle = await open(temporaryFile, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, privateMode)
  const hash = createHash('sha256')
  let batch = ''
  const flush = async (): Promise<void> => {
    const part = Buffer.from(batch)
    batch = ''
    hash.update(part)
    await handle.writeFile(part)
  }
  try {
    await fill(async (text) => {
      batch += text
      if (batch.length > batchChars) await flush()
    })
    await flush()
    // The owner may have changed the mode of the file that is replaced.
    const mode = await readMode(file)
    if (mode !== undefined) await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return hash.digest('base64')
}

/** Replaces a file by its temporary file in one durable step. */
export async function replaceFile(file: string): Promise<void> {
  await rename(toTemporary(file), file)
  // Windows cannot sync a folder, and does not need it.
  if (process.platform === 'win32') return
  const folder = await open(dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Appends to a file and syncs it. */
export async function appendDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a', privateMode)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether a file exists. */
export async function hasFile(file: string): Promise<boolean> {
  return (await readMode(file)) !== undefined
}

/** Whether an error means that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** A line of a file, without its end. */
export interface Line {
  readonly text: string
  /** Bytes from the start of the file to the end of the line. */
  readonly end: number
}

/**
 * The complete lines of a file: text after the last line feed is skipped.
 *
 * Not `node:readline`, which also ends a line at U+2028; a name can contain that.
 */
export async function* readLines(file: string): AsyncGenerator<Line, void, undefined> {
  let rest: Buffer[] = []
  let end = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0
    for (;;) {
      const at = chunk.indexOf(0x0a, start)
      if (at === -1) break
      const text = Buffer.concat([...rest, chunk.subarray(start, at)])
      end += text.length + 1
      yield { text: text.toString(), end }
      rest = []
      start = at + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
}

/** Line ends, within a JSON text, of other programs such as Python's `splitlines`. */
const otherLineEnds = /[\u0085\u2028\u2029]/g

/** A value as one line of JSON, for every definition of a line. */
export function toLine(value: unknown): string {
  return `${JSON.stringify(value).replace(otherLineEnds, escapeUnprintable)}\n`
}

/** The object that a line of JSON contains; undefined for any other text. */
export function parseLine(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A value as one line of JSON that is safe to print. */
export function toPrintableLine(value: unknown): string {
  return `${escapeUnprintable(JSON.stringify(value))}\n`
}

async function readMode(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mode & 0o777
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
