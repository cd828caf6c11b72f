import { appendFile, readFile, stat } from 'node:fs/promises'
import { isCount } from '../client/forms.js'
import type { StoredRange, StoredRecord } from '../client/scrub.js'
import {
  createPrivate,
  nullIfMissing,
  parseLine,
  readLines,
  renderTarget,
  replaceFile,
  requireTarget,
  toFileError,
  toLine,
  writeTemporary,
} from './copy.js'
import type { Copy, CopySync, Lock, Target } from './copy.js'

/*
 * One line of JSON for each record, and the state in a file beside it. A sync receives its pages into a third file, and
 * merges them into the copy when it ends. The copy is replaced before its state: after a kill between the two, the next sync
 * reads the same changes again. Only ids and times are held in memory.
 */

/** The content of the file with the state, one line of JSON. */
interface Head {
  /** The format of the file. */
  readonly vitrine: number
  readonly target: string
  /** Null before the end of the first sync. */
  readonly state: string | null
  /** Records in the copy. */
  readonly total: number
}

interface Files {
  readonly copy: string
  readonly state: string
  readonly received: string
  readonly lock: Lock
}

/** The last version of a record that a sync received: its line in the file, or undefined where it was removed. */
type Versions = Map<string, { readonly line: number; readonly updatedAt: string } | undefined>

/** A copy with one line of JSON for each record. The caller holds the lock. */
export function openNdjsonCopy(copy: string, target: Target, lock: Lock): Copy {
  const files = { copy, state: `${copy}.state`, received: `${copy}.${lock.token}.part`, lock }
  return {
    begin: async () => {
      const head = await readHead(files, renderTarget(target))
      await createPrivate(files.received)
      return createSync(files, head)
    },
    close: () => undefined,
  }
}

const allowed = 'another name for --to'

/** @throws ConfigError if the files are not of this target */
async function readHead({ copy, state }: Files, target: string): Promise<Head> {
  const isThere = (await stat(copy).catch(nullIfMissing)) !== null
  const text = await readFile(state, 'utf8').catch(nullIfMissing)
  if (text === null && isThere)
    throw toFileError(copy, 'a file that pull did not create, or whose state is missing', allowed)
  const head = text === null ? undefined : parseHead(state, text)
  if (head) requireTarget(state, head.target, target)
  // A copy that was removed is created again.
  return head && isThere ? head : { vitrine: format, target, state: null, total: 0 }
}

const format = 2

/** @throws ConfigError for a text that pull did not write, or did not write to its end */
function parseHead(file: string, text: string): Head {
  // Earlier releases kept changes in further lines.
  const { vitrine, target, state, total } = parseLine(text.split('\n', 1).join(''))
  const isLater = isCount(vitrine) && vitrine > format
  const found = isLater ? 'the state of a later release' : 'a file that is not the state of a pull'
  const isState = typeof state === 'string' || state === null
  if (vitrine === format && typeof target === 'string' && isState && isCount(total))
    return { vitrine, target, state, total }
  throw toFileError(file, found, `${allowed}; or without it and its copy, all records are read again`)
}

function createSync(files: Files, head: Head): CopySync {
  const versions: Versions = new Map()
  let received = 0
  let { state } = head
  return {
    held: head.total,
    // A line has every field that the service sent.
    missing: [],
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
      let { total } = head
      if (versions.size > 0 || head.state === null) {
        total = await writeTemporary(files.copy, merge(files, versions), files.lock)
        // No copy is without a state.
        if (head.state === null) await save(files, head)
        await replaceFile(files.copy, files.lock)
      }
      await save(files, { ...head, state, total })
      return total
    },
  }
}

async function save({ state, lock }: Files, head: Head): Promise<void> {
  await writeTemporary(state, [toLine(head)], lock)
  await replaceFile(state, lock)
}

/**
 * The lines of the copy with what was received: each record in its last version. The last version is the newest whatever its
 * `updatedAt` is, since a transaction that commits late can set it back.
 */
async function* merge(files: Files, versions: Versions): AsyncGenerator<string, void, undefined> {
  let line = 0
  for await (const { id, text } of readCopy(files.copy)) if (!versions.has(id)) yield `${text}\n`
  for await (const { id, text } of readCopy(files.received))
    if (versions.get(id)?.line === (line += 1)) yield `${text}\n`
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
