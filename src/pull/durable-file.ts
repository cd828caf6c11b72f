import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What a file holds, told apart from whatever else it could hold. */
export interface Digest {
  readonly bytes: number
  readonly sha256: string
}

/** Takes text for a file; it reaches the disk by the end. */
export type Write = (text: string) => Promise<void>

/** Files that a pull makes hold personal data: only their owner may read them. */
export const privateMode = 0o600

const batchChars = 1 << 20

/** The digest of a file; null where there is none. */
export async function digestFile(file: string): Promise<Digest | null> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Whether two digests are of the same content; no file is the same as no file. */
export function isSameDigest(one: Digest | null, other: Digest | null): boolean {
  return one?.sha256 === other?.sha256
}

/** Writes a file beside the one that it is to replace, down to the disk. */
export async function writeBeside(
  file: string,
  fill: (write: Write) => Promise<void>,
): Promise<{ readonly besideFile: string; readonly digest: Digest }> {
  const besideFile = `${file}.tmp`
  const hash = createHash('sha256')
  let bytes = 0
  let batch = ''
  const handle = await createFile(besideFile)
  const flush = async (): Promise<void> => {
    const part = Buffer.from(batch)
    batch = ''
    hash.update(part)
    bytes += part.length
    await handle.writeFile(part)
  }
  try {
    await fill(async (text) => {
      batch += text
      if (batch.length > batchChars) await flush()
    })
    await flush()
    // The one that it replaces may have been opened to others, or closed.
    const mode = await readMode(file)
    if (mode !== undefined) await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { besideFile, digest: { bytes, sha256: hash.digest('hex') } }
}

/** Puts a file into the place of another, in one step that lasts. */
export async function moveInto(besideFile: string, file: string): Promise<void> {
  await rename(besideFile, file)
  // Windows has no such thing, and needs none.
  if (process.platform === 'win32') return
  const folder = await open(dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Appends to a file, down to the disk. */
export async function appendDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a', privateMode)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether an error says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/**
 * Creates a file in the place of one that a killed pull left. What lies there is removed and never opened: it could be a
 * link to another file, or readable to others.
 */
async function createFile(file: string): Promise<FileHandle> {
  await rm(file, { force: true })
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  return open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, privateMode)
}

async function readMode(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mode & 0o777
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
