import { describe, expect, test } from 'vitest'
import { listCheckIns, listCheckInTimes } from '../../../../src/tools/init/check-ins.js'
import type { Content } from '../../../../src/tools/init/content.js'
import { createGraph } from '../../../../src/tools/init/graph.js'
import { describeTables } from '../../../support/described.js'

const content = (codes: readonly string[]): Content => ({
  readCodes: () =>
    Promise.resolve({ codes: codes.map((code) => ({ code, rows: 1 })), isComplete: false, isWhole: true }),
  readTexts: () => Promise.resolve([]),
  readCurrencies: () => Promise.resolve([]),
  readPaths: () => Promise.resolve([]),
  hasNull: () => Promise.resolve(false),
  readFilled: () => Promise.resolve(new Map()),
  hasRows: () => Promise.resolve(true),
  hasValue: () => Promise.resolve(true),
})
const ticket = ['id INT PRIMARY KEY', 'state VARCHAR(20) NOT NULL']

async function listBest(
  tables: Readonly<Record<string, readonly string[]>>,
  codes: readonly string[] = [],
): Promise<readonly unknown[]> {
  const graph = createGraph(describeTables(tables))
  const table = graph.description.get('tickets')!
  const search = { graph, content: content(codes) }
  const found = [...(await listCheckIns(search, table, 'state')), ...(await listCheckInTimes(search, table))]
  return found.map(({ value }) => value)
}

describe('a check-in', () => {
  test('is a row of a table of check-ins that counts, with its time', async () => {
    const by = { from: 'ticket_checkins', on: 'id', key: 'ticket_id' }
    const where = [
      { column: 'type', equals: 'entry' },
      { column: 'successful', equals: 1 },
      { column: 'cancelled_at', is: 'unset' },
    ]
    const tables = {
      tickets: ticket,
      ticket_checkins: [
        ...['id INT PRIMARY KEY', 'ticket_id INT NOT NULL', 'type VARCHAR(20) NOT NULL'],
        ...['successful TINYINT NOT NULL', 'cancelled_at DATETIME', 'checked_in_at DATETIME NOT NULL'],
      ],
    }
    expect(await listBest(tables, ['exit', 'entry'])).toEqual([
      { ...by, where, is: 'set' },
      { ...by, where, column: 'checked_in_at' },
    ])
  })

  test('is any row of such a table that has nothing to tell them apart', async () => {
    const tables = { tickets: ticket, scans: ['id INT PRIMARY KEY', 'ticket_id INT NOT NULL'] }
    expect(await listBest(tables)).toEqual([
      { from: 'scans', on: 'id', key: 'ticket_id', where: [{ column: 'id', is: 'set' }], is: 'set' },
    ])
  })

  test('is a word of the status', async () => {
    expect(await listBest({ tickets: ticket }, ['Booked', 'Attended'])).toEqual([
      { column: 'state', equals: 'Attended' },
    ])
    expect(await listBest({ tickets: ticket }, ['Booked', 'Paid'])).toEqual([])
  })

  test('is a day or a time of the day that is set', async () => {
    expect(await listBest({ tickets: [...ticket, 'checked_in_on DATE', 'arrival_time TIME'] })).toEqual([
      { column: 'checked_in_on', is: 'set' },
      { column: 'arrival_time', is: 'set' },
    ])
  })

  test('is no row of another table, and no row of a table that leads elsewhere', async () => {
    const tables = {
      tickets: ticket,
      ticket_notes: ['id INT PRIMARY KEY', 'ticket_id INT NOT NULL'],
      scans: ['id INT PRIMARY KEY', 'door_id INT NOT NULL'],
    }
    expect(await listBest(tables)).toEqual([])
  })
})
