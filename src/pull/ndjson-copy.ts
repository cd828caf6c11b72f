import { renderTarget, requireTarget, toFileError } from './copy.js'
import type { FileCopy, Target } from './copy.js'
import type { StoredRange, StoredRecord } from '../client/scrub.js'
import { format, readChanges, readJournal, writeHead } from './journal.js'
import type { Journal, JournalHead } from './journal.js'
import {
  appendDurably,
  digestFile,
  digestText,
  hasFile,
  parseLine,
  readLines,
  replaceFile,
  toLine,
  toTemporary,
  writeTemporary,
} from './text-file.js'
import type { Write } from './text-file.js'

/** A copy with one line of JSON for each record, and its journal in a file beside it. The caller holds the lock. */
export function openNdjsonCopy(copyFile: string, target: Target): FileCopy {
  const journalFile = `${copyFile}.state`
  const files = { copyFile, journalFile }
  const empty: JournalHead = {
    vitrine: format,
    target: renderTarget(target),
    full: false,
    state: null,
    digest: null,
    total: 0,
  }
  let head = empty
  /** Of the last change of the sync; undefined before the first. */
  let state: string | undefined
  return {
    begin: async (full) => {
      const journal = await recover(files, { head: empty, state: undefined }, full)
      state = full || journal.head.full ? undefined : journal.state
      head = { ...journal.head, full }
      return head.total
    },
    readState: () => Promise.resolve(state ?? head.state),
    readIds: () => Promise.resolve(readIds(copyFile)),
    readRange: (range) => Promise.resolve(readRange(files, state !== undefined, range)),
    write: async (change) => {
      // Only with the first change: a pull with a wrong key or URL leaves no file.
      if (state === undefined) await writeHead(journalFile, head)
      await appendDurably(journalFile, toLine(change))
      state = change.state
    },
    commit: async () => {
      if (state === undefined) return head.total
      const merged = await merge(files, head)
      head = { ...head, full: false, state, ...merged }
      await writeHead(journalFile, head)
      state = undefined
      // A pull that is killed before this step is continued by `recover`.
      if (merged !== undefined) await replaceFile(copyFile)
      return head.total
    },
    close: async () => {
      if (head.full && state !== undefined) await writeHead(journalFile, head)
    },
    compare: createCompare(copyFile),
  }
}

interface Files {
  readonly copyFile: string
  readonly journalFile: string
}

/**
 * Completes what a killed pull left incomplete.
 *
 * @param empty of a new copy.
 * @throws ConfigError if the files are not of this target, or another program changed the copy.
 */
async function recover({ copyFile, journalFile }: Files, empty: Journal, full: boolean): Promise<Journal> {
  const journal = await readJournal(journalFile)
  if (journal === undefined) {
    const found = 'a file that pull did not create, or whose state file is missing'
    if (await hasFile(copyFile)) throw toFileError(copyFile, found, 'another name for --to')
    return empty
  }
  const { head } = journal
  requireTarget(journalFile, 'the state', head.target, empty.head.target)
  if (head.digest !== null && head.digest === (await digestFile(toTemporary(copyFile))))
    await replaceFile(copyFile)
  const digest = await digestFile(copyFile)
  // A copy that was removed is created again.
  if (digest === null && head.digest !== null) return empty
  if (digest === head.digest || full) return journal
  const allowed = 'the unchanged file, or --full to read all records again'
  throw toFileError(copyFile, 'a copy that was changed since the last pull', allowed)
}

/**
 * Merges the changes of a sync into a temporary file: one line for each record, in its last version. The last version is
 * the newest whatever its `updatedAt` is, since a transaction that commits late can set it back. Only ids are held in memory.
 *
 * @returns undefined if the copy stays as it is.
 */
async function merge(
  { copyFile, journalFile }: Files,
  { full, digest: oldDigest }: JournalHead,
): Promise<Pick<JournalHead, 'digest' | 'total'> | undefined> {
  const lastPositions = new Map<string, number>()
  let changes = 0
  for await (const { id } of readChanges(journalFile)) lastPositions.set(id, (changes += 1))
  if (lastPositions.size === 0 && !full && oldDigest !== null) return undefined
  let total = 0
  const digest = await writeTemporary(copyFile, async (write) => {
    const add: Write = (line) => {
      total += 1
      return write(line)
    }
    // A full sync has read every record.
    if (!full)
      for await (const { id, text } of readCopy(copyFile)) if (!lastPositions.has(id)) await add(`${text}\n`)
    let position = 0
    for await (const { id, record } of readChanges(journalFile)) {
      position += 1
      if (record !== undefined && lastPositions.get(id) === position) await add(toLine(record))
    }
  })
  return { digest, total }
}

/** Reads the copy at the first comparison, and holds a digest of each line. */
function createCompare(copyFile: string): FileCopy['compare'] {
  let digests: Map<string, string> | undefined
  return async (record) => {
    if (digests === undefined) {
      digests = new Map()
      for await (const { id, text } of readCopy(copyFile)) digests.set(id, digestText(`${text}\n`))
    }
    const digest = digests.get(record.id)
    if (digest === undefined) return 'added'
    return digest === digestText(toLine(record)) ? 'unchanged' : 'changed'
  }
}

async function* readIds(copyFile: string): AsyncGenerator<string, void, undefined> {
  for await (const { id } of readCopy(copyFile)) yield id
}

/** The records of a range as the copy has them, with the changes of the journal where there are some. Only ids are held in memory. */
async function* readRange(
  { copyFile, journalFile }: Files,
  hasChanges: boolean,
  { from, to }: StoredRange,
): AsyncGenerator<StoredRecord, void, undefined> {
  const isIn = ({ updatedAt }: StoredRecord): boolean => from <= updatedAt && updatedAt < to
  const changed = new Map<string, StoredRecord | undefined>()
  if (hasChanges)
    for await (const { id, record } of readChanges(journalFile))
      changed.set(id, record && { id, updatedAt: record.updatedAt })
  for await (const one of readCopy(copyFile)) if (!changed.has(one.id) && isIn(one)) yield one
  for (const one of changed.values()) if (one !== undefined && isIn(one)) yield one
}

/** The records of a copy. Another program can have added lines that are not records. */
async function* readCopy(
  copyFile: string,
): AsyncGenerator<StoredRecord & { readonly text: string }, void, undefined> {
  if (!(await hasFile(copyFile))) return
  for await (const { text } of readLines(copyFile)) {
    const { id, updatedAt } = parseLine(text) ?? {}
    if (typeof id === 'string') yield { id, updatedAt: String(updatedAt), text }
  }
}
