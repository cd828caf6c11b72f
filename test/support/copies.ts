import { join } from 'node:path'
import { beforeEach, describe } from 'vitest'
import type { MirrorChange } from '../../src/client/index.js'
import type { View } from '../product/index.js'
import type { AnyRecord, Copy } from '../../src/pull/copy.js'
import { openCopy } from '../../src/pull/open-copy.js'
import { hasSqlite, readNdjson, readSqlite } from './pulling.js'
import { makeFolder } from './folder.js'

/** The target of every copy in these tests. */
export const target = {
  collection: 'registrations',
  url: 'http://a.test',
  eventId: undefined,
  status: undefined,
} as const

/** Locks that a process which holds one proves at once. `quick` soon takes over from one that does not. */
export const patient = { beatMs: 10, pollMs: 5, polls: 100_000 }
export const quick = { ...patient, polls: 3 }

/** The copy of a test; each test has a new one. */
export interface TestCopy {
  file: string
  copy: Copy
  readonly reopen: () => Promise<void>
  readonly read: () => Promise<readonly View[]>
}

type Form = 'ndjson' | 'sqlite'

/** Runs tests over a new copy of each form; without SQLite in this Node its tests are skipped. */
export function describeCopies(
  title: string,
  forms: readonly Form[],
  run: (one: TestCopy, form: Form) => void,
): void {
  for (const form of forms) {
    const isSkipped = form === 'sqlite' && !hasSqlite
    const reason = isSkipped ? ` (skipped, Node ${process.version} has no node:sqlite)` : ''
    describe.skipIf(isSkipped)(`${title.replace('%s', `.${form}`)}${reason}`, () => {
      const one = {
        reopen: async () => {
          one.copy.close()
          one.copy = await openCopy(one.file, target, patient)
        },
        read: async () =>
          form === 'ndjson' ? await readNdjson(one.file) : readSqlite(one.file, 'registrations'),
      } as TestCopy
      beforeEach(async () => {
        one.file = join(makeFolder(), `copy.${form}`)
        one.copy = await openCopy(one.file, target, patient)
        return () => one.copy.close()
      })
      run(one, form)
    })
  }
}

/** A record whose name identifies its version. */
export function record(id: string, name = id): AnyRecord {
  const time = '2026-03-01T09:00:00.000Z'
  const rest = { eventId: 'E', status: 'S', email: 'e', checkedIn: false, checkedInAt: null }
  return { id, name, ...rest, createdAt: time, updatedAt: time }
}

/** A change, as a mirror writes it. */
export function change(
  state: string,
  records: readonly AnyRecord[] = [],
  removedIds: readonly string[] = [],
): MirrorChange<AnyRecord> {
  return { records, removedIds, state }
}

/** A complete sync that writes these changes; the records in the copy then. */
export async function sync(
  copy: Copy,
  full: boolean,
  ...changes: readonly MirrorChange<AnyRecord>[]
): Promise<number> {
  const { write, commit } = await copy.begin(full)
  for (const one of changes) await write(one)
  return commit()
}
