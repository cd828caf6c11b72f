import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AnyRecord, Copy } from '../../../src/pull/copy.js'
import { openCopy } from '../../../src/pull/open-copy.js'
import { openSqlite } from '../../../src/pull/sqlite-module.js'

/*
 * A transaction that began early and commits late leaves a record with an older `updatedAt` than the version that
 * readers already have, and it is the newer one all the same.
 */

const target = { collection: 'invoices', url: 'http://127.0.0.1', eventId: null, status: null } as const

const toInvoice = (id: string, status: string, updatedAt: string): AnyRecord => ({
  id,
  number: '1',
  status,
  total: '1.00',
  currency: 'SAR',
  issueDate: '2026-01-01',
  dueDate: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt,
})

const hasSqlite = 'getBuiltinModule' in process && process.getBuiltinModule('node:sqlite') !== undefined

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-copy-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function save(copy: Copy, records: readonly AnyRecord[], cursor: string | null): Promise<void> {
  await copy.save({ data: [...records], cursor, nextUpdatedSince: '2026-01-02T00:00:00.000Z' })
}

test.each(['copy.ndjson', ...(hasSqlite ? ['copy.sqlite'] : [])])(
  'what comes last is kept, in one sync and over two: %s',
  async (name) => {
    const file = join(folder, name)
    const copy = await openCopy(file, target)
    await copy.begin(false)
    await save(copy, [toInvoice('a', 'NEW', '2026-01-01T10:00:00.000Z')], 'c')
    await save(
      copy,
      [toInvoice('a', 'OLDER', '2026-01-01T09:00:00.000Z'), toInvoice('b', 'B', '2026-01-01T09:00:00.000Z')],
      null,
    )
    await copy.begin(false)
    await save(copy, [toInvoice('b', 'OLDEST', '2026-01-01T08:00:00.000Z')], null)
    await copy.close()
    const rows = name.endsWith('.ndjson')
      ? (await readFile(file, 'utf8'))
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as AnyRecord)
      : (openSqlite(file).prepare('SELECT id, status FROM invoices').all() as unknown as AnyRecord[])
    expect(rows.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(['a OLDER', 'b OLDEST'])
  },
)
