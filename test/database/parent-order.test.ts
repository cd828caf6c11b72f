import { describe, expect, test } from 'vitest'
import { counted, renderLookupTables } from '../support/lookup-tables.js'
import { page, tail, toIds, useMeasuredPages } from '../support/measured-pages.js'

/* What a page costs whose `updatedAt` is that of a parent row, counted by the server. */

const orders = 20_000
const perOrder = 3

const { resolve, measure } = useMeasuredPages([
  ...renderLookupTables([3]),
  `CREATE TABLE orders (id INT PRIMARY KEY, account_id INT NOT NULL, changed DATETIME NOT NULL, KEY sync (account_id, changed),
     KEY times (changed)) ${counted}`,
  `INSERT INTO orders SELECT n, n % 2, TIMESTAMP('2026-01-01') + INTERVAL IF(n DIV 100 = 50, 5000, n) SECOND
     FROM numbers WHERE n < ${orders}`,
  // No tickets, and tickets of another account, lie between those that a page reads.
  `CREATE TABLE seats (id INT PRIMARY KEY, event_id INT NOT NULL, order_id INT NULL, state_id INT NOT NULL, is_cancelled TINYINT NOT NULL,
     touched DATETIME NOT NULL, KEY of_order (order_id)) ${counted}`,
  `INSERT INTO seats SELECT n, IF(n = 30000, 99, n % 7), (n * 7919) % ${orders}, 1 + n % 3, 0, '2026-01-01'
     FROM numbers WHERE n < ${perOrder} * ${orders}`,
  'ANALYZE TABLE orders, seats',
])

const changed = { from: 'orders', on: 'order_id', column: 'changed' }
const ofOrder = (id: number): number => (id * 7919) % orders
const toSecond = (order: number): number => (Math.floor(order / 100) === 50 ? 5000 : order)
/** The seats of an account, or of all, in the order of lists. */
const inOrder = (account: number | undefined): readonly number[] =>
  Array.from({ length: perOrder * orders }, (_, id) => id)
    .filter((id) => account === undefined || ofOrder(id) % 2 === account)
    .sort((a, b) => toSecond(ofOrder(a)) - toSecond(ofOrder(b)) || a - b)
const toTime = (seat: number): string =>
  new Date(Date.UTC(2026, 0, 1) + toSecond(ofOrder(seat)) * 1000).toISOString().slice(0, 19).replace('T', ' ')

describe.each([
  ['a workspace of the parent row', { from: 'orders', on: 'order_id', column: 'account_id' }, 1],
  ['one workspace', { constant: '1' }, undefined],
] as const)('with %s', (_, workspace, account) => {
  const all = inOrder(account)
  const begins = [
    0,
    100,
    all.findIndex((seat) => toSecond(ofOrder(seat)) === 5000) + 40,
    all.length - 4 * page,
  ]

  test.each([...begins.keys()])('page %i reads its own rows twice, and rows of the same time', async (at) => {
    const table = await resolve('seats', workspace, { updatedAt: changed })
    const begin = begins[at]!
    const [before] = begin === 0 ? [] : [all[begin - 1]!]
    const behind = before === undefined ? undefined : { updatedAt: toTime(before), id: String(before) }
    const read = await measure({ table, workspaceId: '1', ...(behind && { behind }) })
    expect(toIds(read)).toEqual(all.slice(begin, begin + page))
    expect(read.statements).toBe(1)
    const times = new Set(all.slice(begin - 1, begin + page + 1).map((seat) => toSecond(ofOrder(seat))))
    const same = all.filter((seat) => times.has(toSecond(ofOrder(seat)))).length
    expect(read.entries).toBeLessThanOrEqual(4 * (page + same) + tail)
    expect(read.keys).toBeLessThanOrEqual(6 * page + 2 * same + tail)
  })

  test('a filter has no index of its own: a frequent value reads others between, a rare one the whole workspace at most once', async () => {
    const table = await resolve('seats', workspace, { updatedAt: changed })
    const frequent = await measure({ table, workspaceId: '1', search: 'eventId=3' })
    expect(toIds(frequent)).toEqual(all.filter((seat) => seat % 7 === 3 && seat !== 30_000).slice(0, page))
    expect(frequent.entries).toBeLessThanOrEqual(4 * 7 * page + tail)
    const rare = await measure({ table, workspaceId: '1', search: 'eventId=99' })
    expect(toIds(rare)).toEqual(all.filter((seat) => seat === 30_000))
    expect(rare.entries).toBeLessThanOrEqual(all.length + orders + 4 * page + tail)
  })
})
