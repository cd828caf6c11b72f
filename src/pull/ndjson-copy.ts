import { ConfigError } from '../errors.js'
import type { Copy } from './copy.js'
import { digestFile, isSameDigest, moveInto, writeBeside } from './durable-file.js'
import type { Digest } from './durable-file.js'
import { appendMerged, appendPage, hasFile, readJournal, writeHead } from './journal.js'
import type { Journal, JournalHead } from './journal.js'
import { countRemovals, findLast, mergePages } from './merge.js'
import { needsPermission, RemovalsError } from './removals.js'
import { renderTarget } from './target.js'
import type { Target } from './target.js'

/** A copy as one line of JSON for each record, its state in a file beside it; the caller holds its lock. */
export function openNdjsonCopy(copyFile: string, target: Target): Copy {
  const journalFile = `${copyFile}.state`
  const files = { copyFile, journalFile }
  const empty: JournalHead = { vitrine: 1, target, full: false, since: null, base: null, total: 0 }
  let head = empty
  let isWritten = false
  let removed = 0
  let mayRemove = false
  return {
    begin: async (full, allowRemovals = false) => {
      mayRemove = allowRemovals
      const journal = await recover(files, target, { full, mayRemove })
      const isUnderWay = journal?.last !== undefined && journal.head.full === full
      head = { ...(journal?.head ?? empty), full }
      isWritten = isUnderWay
      removed = 0
      return { since: full ? null : head.since, cursor: isUnderWay ? journal.last.cursor : null }
    },
    save: async (page) => {
      // Not before there is a page: a first try with a wrong key or address leaves nothing behind.
      if (!isWritten) await writeHead(journalFile, head)
      isWritten = true
      await appendPage(journalFile, page)
      if (page.cursor !== null) return
      const completed = await complete(files, head, { since: page.nextUpdatedSince, mayRemove })
      ;({ head, removed } = completed)
      if (completed.refusal !== undefined) throw completed.refusal
    },
    count: () => Promise.resolve({ total: head.total, removed }),
    close: () => Promise.resolve(),
  }
}

interface Files {
  readonly copyFile: string
  readonly journalFile: string
}

interface Completed {
  readonly head: JournalHead
  readonly removed: number
  /** Why the pages were dropped, instead of merged. */
  readonly refusal?: RemovalsError
}

/**
 * Merges the pages into the copy. The journal says what the copy will be before it becomes that: whoever finds the
 * copy so knows that it was done, and does the last step again.
 */
async function complete(
  { copyFile, journalFile }: Files,
  head: JournalHead,
  { since, mayRemove }: { readonly since: string; readonly mayRemove: boolean },
): Promise<Completed> {
  const last = await findLast(journalFile)
  const done = { ...head, full: false, since }
  if (last.size === 0 && !head.full && head.base !== null) {
    await writeHead(journalFile, done)
    return { head: done, removed: 0 }
  }
  const old = (await hasFile(copyFile)) ? copyFile : undefined
  const removals = head.full && old !== undefined ? await countRemovals(old, last) : { held: 0, removed: 0 }
  if (needsPermission(removals) && !mayRemove) {
    const dropped = { ...head, full: false }
    await writeHead(journalFile, dropped)
    return { head: dropped, removed: 0, refusal: new RemovalsError(removals) }
  }
  let total = 0
  const { besideFile, digest } = await writeBeside(copyFile, async (write) => {
    total = await mergePages({ journalFile, copyFile: head.full ? undefined : old, last }, write)
  })
  const merged = { base: digest, total }
  await appendMerged(journalFile, merged)
  await moveInto(besideFile, copyFile)
  const next = { ...done, ...merged }
  await writeHead(journalFile, next)
  return { head: next, removed: removals.removed }
}

interface Mode {
  readonly full: boolean
  readonly mayRemove: boolean
}

/**
 * The journal after whatever a kill left unfinished was finished; undefined where the copy starts from nothing.
 *
 * @throws ConfigError where the files are not those of this target, or the copy was changed by another hand.
 */
async function recover(files: Files, target: Target, mode: Mode): Promise<Journal | undefined> {
  const { copyFile, journalFile } = files
  const found = await digestFile(copyFile)
  const journal = await readJournalOf(journalFile, target)
  if (journal === undefined) {
    if (found === null) return undefined
    throw toFault(copyFile, 'a file that no pull made, or that lost its state', 'another name for --to')
  }
  if (isMerged(journal, found)) return toIdle(journal)
  // Whoever removed the copy wants a new one.
  if (found === null && journal.head.base !== null) return undefined
  return finishMerge(files, journal, { ...mode, found })
}

async function finishMerge(
  files: Files,
  journal: Journal,
  { found, full, mayRemove }: Mode & { readonly found: Digest | null },
): Promise<Journal> {
  const isIntact = isSameDigest(found, journal.head.base)
  if (!isIntact && !full)
    throw toFault(
      files.copyFile,
      'changed since the last pull',
      'the file as it was, or --full to read all again',
    )
  const { head, last } = journal
  if (last?.cursor !== null || (!isIntact && !head.full)) return journal
  // A refusal here drops the pages without an error: whatever sync comes next reads them again.
  const completed = await complete(files, head, { since: last.nextUpdatedSince, mayRemove })
  return { head: completed.head, last: undefined, merged: undefined }
}

/** Whether the copy is what the pages were merged into, and just the journal's new start is missing. */
function isMerged({ merged }: Journal, found: Digest | null): boolean {
  return merged !== undefined && isSameDigest(found, merged.base)
}

/** The journal as it starts again after a merge. */
function toIdle({ head, last, merged }: Journal): Journal {
  const since = last?.nextUpdatedSince ?? head.since
  return { head: { ...head, ...merged, full: false, since }, last: undefined, merged: undefined }
}

/** @throws ConfigError */
async function readJournalOf(journalFile: string, target: Target): Promise<Journal | undefined> {
  if (!(await hasFile(journalFile))) return undefined
  const journal = await readJournal(journalFile)
  if (journal === undefined) throw toFault(journalFile, 'no state of a pull', 'no file of this name')
  const own = renderTarget(journal.head.target)
  if (own !== renderTarget(target)) throw toFault(journalFile, `the state of ${own}`, renderTarget(target))
  return journal
}

function toFault(path: string, found: string, allowed: string): ConfigError {
  return new ConfigError([{ path, found, allowed }])
}
