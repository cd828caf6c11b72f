import { appendFile, readFile, rm } from 'node:fs/promises'
import type { StoredRange, StoredRecord } from '../client/scrub.js'
import { renderTarget, requireTarget, toFileError } from './copy.js'
import type { Copy, CopySync, Target } from './copy.js'
import {
  createPrivate,
  digestFile,
  nullIfMissing,
  parseLine,
  readLines,
  replaceFile,
  toLine,
  toTemporary,
  writeTemporary,
} from './files.js'

/*
 * One line of JSON for each record, and the state in a file beside it, which has the digest of the copy that it is of. A
 * sync receives its pages into a third file, and merges them into the copy when it ends. Both new files are written before
 * one of them replaces its old one, so after a kill the state of the copy is the one with its digest. Only ids and times
 * are held in memory.
 */

/** The content of the file with the state, one line of JSON. */
interface Head {
  /** The format of the file. */
  readonly vitrine: 2
  readonly target: string
  /** Null before the first sync. */
  readonly state: string | null
  /** Of the copy; null if it does not exist. */
  readonly digest: string | null
  /** Records in the copy. */
  readonly total: number
}

const otherName = 'another name for --to'

interface Files {
  readonly copy: string
  readonly state: string
  readonly received: string
}

/** The last version of a record that a sync received: its line in the file, or undefined where it was removed. */
type Versions = Map<string, { readonly line: number; readonly updatedAt: string } | undefined>

/** A copy with one line of JSON for each record. The caller holds the lock. */
export function openNdjsonCopy(copy: string, target: Target): Copy {
  const files = { copy, state: `${copy}.state`, received: `${copy}.part` }
  return {
    begin: async (full) => {
      const head = await readHead(files, renderTarget(target), full)
      await createPrivate(files.received)
      return createSync(files, head)
    },
    close: () => Promise.all([files.received, toTemporary(copy)].map((file) => rm(file, { force: true }))),
  }
}

/** @throws ConfigError if the files are not of this target, or another program changed the copy */
async function readHead({ copy, state }: Files, target: string, full: boolean): Promise<Head> {
  const digest = await digestFile(copy)
  const found = await findState(state, digest)
  if (found !== null) requireTarget(state, found.target, target)
  if (found?.digest === digest) return found
  // A copy that was removed is created again.
  if (digest === null) return { vitrine: 2, target, state: null, digest: null, total: 0 }
  if (found === null)
    throw toFileError(copy, 'a file that pull did not create, or whose state is missing', otherName)
  if (full) return { ...found, digest: null }
  const allowed = 'the unchanged file, or --full to read all records again'
  throw toFileError(copy, 'a copy that was changed since the last pull', allowed)
}

/** The state with this digest, or else the one that is there. @throws ConfigError for a file that is not a state */
async function findState(file: string, digest: string | null): Promise<Head | null> {
  const head = await readState(file)
  if (head === undefined) throw toFileError(file, 'a file that is not the state of a pull', otherName)
  const next = await readState(toTemporary(file))
  if (head?.digest === digest || next?.digest !== digest) return head
  // The pull was killed when it had replaced the copy, and not yet the state.
  await replaceFile(file)
  return next
}

/** @returns null if the file does not exist, undefined if it is not a state */
async function readState(file: string): Promise<Head | null | undefined> {
  const text = await readFile(file, 'utf8').catch(nullIfMissing)
  if (text === null) return null
  // Earlier releases kept changes in further lines.
  const line = parseLine(text.split('\n', 1).join(''))
  return line['vitrine'] === 2 ? (line as unknown as Head) : undefined
}

function createSync(files: Files, head: Head): CopySync {
  const versions: Versions = new Map()
  let received = 0
  let { state } = head
  return {
    held: head.total,
    readState: () => Promise.resolve(state),
    readIds: () => Promise.resolve(readIds(files.copy)),
    readRange: (range) => Promise.resolve(readRange(files.copy, versions, range)),
    write: async ({ records, removedIds, state: next }) => {
      await appendFile(files.received, records.map(toLine).join(''))
      for (const { id, updatedAt } of records) versions.set(id, { line: (received += 1), updatedAt })
      for (const id of removedIds) versions.set(id, undefined)
      state = next
    },
    commit: async () => {
      if (versions.size === 0 && state === head.state) return head.total
      const merged = versions.size > 0 || head.digest === null ? await merge(files, versions) : {}
      const next = { ...head, state, ...merged }
      await writeTemporary(files.state, [toLine(next)])
      if ('digest' in merged) await replaceFile(files.copy)
      await replaceFile(files.state)
      return next.total
    },
  }
}

/**
 * Writes the temporary file of the copy: one line for each record, in its last version. The last version is the newest
 * whatever its `updatedAt` is, since a transaction that commits late can set it back.
 */
async function merge(files: Files, versions: Versions): Promise<Pick<Head, 'digest' | 'total'>> {
  let total = 0
  async function* readMerged(): AsyncGenerator<string, void, undefined> {
    for await (const { id, text } of readCopy(files.copy)) {
      if (versions.has(id)) continue
      total += 1
      yield `${text}\n`
    }
    let line = 0
    for await (const { id, text } of readCopy(files.received)) {
      if (versions.get(id)?.line !== (line += 1)) continue
      total += 1
      yield `${text}\n`
    }
  }
  const digest = await writeTemporary(files.copy, readMerged())
  return { digest, total }
}

async function* readIds(copy: string): AsyncGenerator<string, void, undefined> {
  for await (const { id } of readCopy(copy)) yield id
}

async function* readRange(
  copy: string,
  versions: Versions,
  { from, to }: StoredRange,
): AsyncGenerator<StoredRecord, void, undefined> {
  const isIn = (updatedAt: string): boolean => from <= updatedAt && updatedAt < to
  for await (const one of readCopy(copy)) if (!versions.has(one.id) && isIn(one.updatedAt)) yield one
  for (const [id, version] of versions)
    if (version !== undefined && isIn(version.updatedAt)) yield { id, updatedAt: version.updatedAt }
}

/** The records of a file. Another program can have added lines that are not records. */
async function* readCopy(
  file: string,
): AsyncGenerator<StoredRecord & { readonly text: string }, void, undefined> {
  for await (const text of readLines(file)) {
    const { id, updatedAt } = parseLine(text)
    if (typeof id === 'string') yield { id, updatedAt: String(updatedAt), text }
  }
}
