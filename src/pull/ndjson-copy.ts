import { needsPermission } from '../client/mirror.js'
import { RemovalsError, renderTarget, toFileError } from './copy.js'
import type { AnyRecord, FileCopy, Target } from './copy.js'
import { appendEntry, readJournal, writeHead } from './journal.js'
import type { Journal, JournalHead } from './journal.js'
import { countRemovals, findLastPositions, mergePages } from './merge.js'
import {
  digestFile,
  digestText,
  hasFile,
  isSameDigest,
  readLines,
  replaceFile,
  toLine,
  writeTemporary,
} from './text-file.js'
import type { Digest } from './text-file.js'

/** A copy with one line of JSON for each record, and its journal in a file beside it. The caller holds the lock. */
export function openNdjsonCopy(copyFile: string, target: Target): FileCopy {
  const journalFile = `${copyFile}.state`
  const files = { copyFile, journalFile }
  const empty: JournalHead = { vitrine: 1, target, full: false, since: null, base: null, total: 0 }
  let head = empty
  let isHeadWritten = false
  let removed = 0
  let mayRemove = false
  return {
    begin: async (full, allowRemovals = false) => {
      mayRemove = allowRemovals
      const journal = await recover(files, target, { full, mayRemove })
      const isInterrupted = journal?.last !== undefined && journal.head.full === full
      head = { ...(journal?.head ?? empty), full }
      isHeadWritten = isInterrupted
      removed = 0
      if (full) return { since: null, cursor: isInterrupted ? journal.last.cursor : null }
      return isInterrupted
        ? { since: head.since, cursor: journal.last.cursor }
        : { since: head.since, cursor: null, etag: head.etag ?? undefined }
    },
    save: async (page) => {
      // Only with the first page: a pull with a wrong key or URL leaves no file.
      if (!isHeadWritten) await writeHead(journalFile, head)
      isHeadWritten = true
      await appendEntry(journalFile, { page })
      if (page.cursor !== null) return
      const completion = await complete(files, head, { since: page.nextUpdatedSince, mayRemove })
      ;({ head, removed } = completion)
      if (completion.error !== undefined) throw completion.error
    },
    keep: async (state) => {
      head = { ...head, ...state }
      await writeHead(journalFile, head)
    },
    count: () => Promise.resolve({ total: head.total, removed }),
    close: () => Promise.resolve(),
    compare: createCompare(copyFile),
  }
}

/** Reads the copy at the first comparison, and holds a digest of each line. */
function createCompare(copyFile: string): FileCopy['compare'] {
  let digests: Promise<ReadonlyMap<string, string>> | undefined
  return async (record) => {
    digests ??= digestLines(copyFile)
    const digest = (await digests).get(record.id)
    if (digest === undefined) return 'added'
    return digest === digestText(toLine(record)) ? 'unchanged' : 'changed'
  }
}

async function digestLines(copyFile: string): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>()
  if (!(await hasFile(copyFile))) return digests
  for await (const { text } of readLines(copyFile)) {
    const { id } = JSON.parse(text) as AnyRecord
    digests.set(id, digestText(`${text}\n`))
  }
  return digests
}

interface Files {
  readonly copyFile: string
  readonly journalFile: string
}

interface Completion {
  readonly head: JournalHead
  readonly removed: number
  /** Why the pages were dropped instead of merged. */
  readonly error?: RemovalsError
}

/**
 * Merges the pages into the copy, in three steps: the digest of the new copy is appended to the journal, the new copy
 * replaces the old one, and the journal restarts. After a kill before the last step, `recover` repeats only that one.
 */
async function complete(
  { copyFile, journalFile }: Files,
  head: JournalHead,
  { since, mayRemove }: { readonly since: string; readonly mayRemove: boolean },
): Promise<Completion> {
  const lastPositions = await findLastPositions(journalFile)
  const restart = async (change: Partial<JournalHead>): Promise<JournalHead> => {
    const next = { ...head, full: false, ...change }
    await writeHead(journalFile, next)
    return next
  }
  if (lastPositions.size === 0 && !head.full && head.base !== null)
    return { head: await restart({ since, etag: null }), removed: 0 }
  const oldFile = (await hasFile(copyFile)) ? copyFile : undefined
  const isRemoving = head.full && oldFile !== undefined
  const removals = isRemoving ? await countRemovals(oldFile, lastPositions) : { held: 0, removed: 0 }
  if (needsPermission(removals) && !mayRemove)
    return { head: await restart({}), removed: 0, error: new RemovalsError(removals) }
  let total = 0
  const { temporaryFile, digest } = await writeTemporary(copyFile, async (write) => {
    const keptFile = head.full ? undefined : oldFile
    total = await mergePages({ journalFile, copyFile: keptFile, lastPositions }, write)
  })
  const merged = { base: digest, total }
  await appendEntry(journalFile, { merged })
  await replaceFile(temporaryFile, copyFile)
  return { head: await restart({ since, etag: null, ...merged }), removed: removals.removed }
}

interface SyncMode {
  readonly full: boolean
  readonly mayRemove: boolean
}

/**
 * Completes what a killed pull left incomplete.
 *
 * @returns the journal then; undefined for a new copy.
 * @throws ConfigError if the files are not of this target, or another program changed the copy.
 */
async function recover(files: Files, target: Target, mode: SyncMode): Promise<Journal | undefined> {
  const { copyFile, journalFile } = files
  const digest = await digestFile(copyFile)
  const journal = await readJournalOf(journalFile, target)
  if (journal === undefined) {
    if (digest === null) return undefined
    const found = 'a file that pull did not create, or whose state file is missing'
    throw toFileError(copyFile, found, 'another name for --to')
  }
  const { head, last, merged } = journal
  // The new copy is in place: only the restart of the journal is missing.
  if (merged !== undefined && isSameDigest(digest, merged.base)) {
    const since = last?.nextUpdatedSince ?? head.since
    return {
      head: { ...head, ...merged, full: false, since, etag: null },
      last: undefined,
      merged: undefined,
    }
  }
  // A copy that was removed is created again.
  if (digest === null && head.base !== null) return undefined
  return mergeCompleteSync(files, journal, { ...mode, digest })
}

/** Merges the pages of a journal if its sync is complete. */
async function mergeCompleteSync(
  files: Files,
  journal: Journal,
  { digest, full, mayRemove }: SyncMode & { readonly digest: Digest | null },
): Promise<Journal> {
  const { head, last } = journal
  const isUnchanged = isSameDigest(digest, head.base)
  if (!isUnchanged && !full) {
    const allowed = 'the unchanged file, or --full to read all records again'
    throw toFileError(files.copyFile, 'a copy that was changed since the last pull', allowed)
  }
  if (last?.cursor !== null || (!isUnchanged && !head.full)) return journal
  // A RemovalsError is dropped here with the pages: the sync that begins now reads the records again.
  const completion = await complete(files, head, { since: last.nextUpdatedSince, mayRemove })
  return { head: completion.head, last: undefined, merged: undefined }
}

/** @throws ConfigError */
async function readJournalOf(journalFile: string, target: Target): Promise<Journal | undefined> {
  if (!(await hasFile(journalFile))) return undefined
  const journal = await readJournal(journalFile)
  if (journal === undefined)
    throw toFileError(journalFile, 'a file that is not the state of a pull', 'no file of this name')
  const found = renderTarget(journal.head.target)
  const expected = renderTarget(target)
  if (found !== expected) throw toFileError(journalFile, `the state of ${found}`, expected)
  return journal
}
