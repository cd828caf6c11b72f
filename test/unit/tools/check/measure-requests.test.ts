import { expect, test } from 'vitest'
import { listRequests, measureRequests } from '../../../../src/tools/check/measure-requests.js'
import type { RunOnSession } from '../../../../src/tools/check/session-status.js'
import type { Row } from '../../../../src/database/statement.js'
import { resolvePlain } from '../../../support/plain-mapping.js'

const workload = {
  collection: resolvePlain().invoices,
  size: 'largest',
  workspace: 'W1',
  isFound: true,
  workspaceRows: 1000,
  tableRows: 1000,
  id: 'I1',
  since: { seconds: 0, micros: 0 },
  filters: { eventId: 'E1', status: 'PAID' },
  position: { updatedAt: '2026-01-01 00:00:00.000', id: 'I1' },
} as const

const measure = (run: RunOnSession) => measureRequests(listRequests(workload), { run, dialect: 'mysql' })

/** A session whose counters grow by these numbers with each list, and by one with each reading of the status. */
function createSession(list: () => number): RunOnSession {
  let [read, sorted] = [0, 0]
  return ({ sql }) => {
    const rows: Row[] = []
    if (sql.startsWith('show session status')) {
      read += 1
      rows.push({ Variable_name: 'Handler_read_next', Value: String(read) })
      rows.push({ Variable_name: 'Sort_rows', Value: String(sorted) })
      // Each statement checks a pushed condition for 10 entries, of which 4 meet it.
      rows.push({ Variable_name: 'Handler_icp_attempts', Value: String(sorted * 5) })
      rows.push({ Variable_name: 'Handler_icp_match', Value: String(sorted * 2) })
    } else if (/^\(?select/.test(sql) && sql.includes('`invoices`')) {
      read += list()
      sorted += 2
    }
    return Promise.resolve(rows)
  }
}

test('the cost of a request has the entries that a pushed condition rejects, and not those of reading the status', async () => {
  const requests = await measure(createSession(() => 30))
  expect(requests).toHaveLength(13)
  for (const { measured } of requests)
    expect(measured).toMatchObject({ cost: { readRows: 36, sortedRows: 2 } })
})

test('no list is run after three that reached the time limit', async () => {
  let lists = 0
  const requests = await measure(
    createSession(() => {
      lists += 1
      throw Object.assign(new Error('time limit'), { errno: 3024 })
    }),
  )
  expect(lists).toBe(3)
  expect(requests.slice(0, 4).map(({ measured }) => measured)).toEqual([
    ...Array.from({ length: 3 }, () => ({ failure: 'time limit', isTimeLimit: true })),
    undefined,
  ])
})
