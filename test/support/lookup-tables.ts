import { stringify } from 'yaml'
import { mapKeys } from './key-table.js'

/*
 * Tables that are made for measuring: tickets of one great workspace with lookups of three sizes, and tickets whose
 * workspace is reached through their event. They are filled by the server itself, from a table of numbers.
 */

/** Rows of the lookup tables. */
export const lookupSizes = [3, 300, 300_000] as const
/** Events of each workspace that is reached through them, by its id. */
export const eventCounts = [1, 20, 500, 600] as const
/** Tickets of the great workspace: 10,000 pages of five. */
export const ticketCount = 50_010
/** Tickets of each event. */
const ticketsPerEvent = 12
/** A workspace whose events have many tickets each, and one that has some of these and many others, by their ids. */
export const largeEvents = { 26: { events: 26, tickets: 2300 }, 700: { events: 3, tickets: 900 } } as const

const digits = Array.from({ length: 10 }, (_, digit) => `(${digit})`).join(', ')

/** Table options: counted from many pages by ANALYZE TABLE alone, so that the plans of a test are the same on each run. */
export const counted = 'STATS_AUTO_RECALC=0 STATS_SAMPLE_PAGES=1000'

/** Three tickets in turn have the same time. */
const time = "TIMESTAMP('2026-01-01 00:00:00') + INTERVAL FLOOR(n / 3) SECOND"

/** Statements that make the tables, and fill what tickets look up. @param sizes rows of the lookup tables */
export const renderLookupTables = (sizes: readonly number[]): readonly string[] => [
  'CREATE TABLE digits (d INT NOT NULL PRIMARY KEY)',
  `INSERT INTO digits VALUES ${digits}`,
  'CREATE TABLE numbers (n INT NOT NULL PRIMARY KEY)',
  `INSERT INTO numbers SELECT a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d + 100000 * f.d
     FROM digits f CROSS JOIN digits e CROSS JOIN digits d CROSS JOIN digits c CROSS JOIN digits b CROSS JOIN digits a
    WHERE f.d < 3`,
  'CREATE TABLE api_keys (key_hash CHAR(64) NOT NULL, account_id INT NOT NULL)',
  ...sizes.flatMap((size) => [
    `CREATE TABLE people_${size} (id INT NOT NULL PRIMARY KEY, name VARCHAR(80) NOT NULL, filler VARCHAR(80) NOT NULL)`,
    `INSERT INTO people_${size} SELECT n, CONCAT('Person ', n), REPEAT('x', 60) FROM numbers WHERE n < ${size}`,
    `CREATE TABLE mails_${size} (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, code INT NOT NULL, mail VARCHAR(80) NOT NULL, UNIQUE KEY code (code))`,
    `INSERT INTO mails_${size} (code, mail) SELECT n, CONCAT('person', n, '@example.com') FROM numbers WHERE n < ${size}`,
    `ANALYZE TABLE people_${size}, mails_${size}`,
  ]),
  'CREATE TABLE states (id INT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL)',
  "INSERT INTO states VALUES (1, 'Paid'), (2, 'Open'), (3, 'Settled'), (4, 'Rare')",
  `CREATE TABLE tickets (
     id INT NOT NULL PRIMARY KEY, account_id INT NOT NULL, event_id INT NOT NULL, person INT NOT NULL,
     state_id INT NOT NULL, is_cancelled TINYINT NOT NULL, is_paid TINYINT NOT NULL, touched DATETIME NOT NULL,
     KEY sync (account_id, touched)) ${counted}`,
  'ANALYZE TABLE states',
]

/** Statements that fill the tickets, after those of `renderLookupTables`. */
export const ticketRows: readonly string[] = [
  'CREATE TABLE notes (part INT NOT NULL, id INT NOT NULL, person INT NOT NULL, is_main TINYINT NOT NULL, PRIMARY KEY (part, id), KEY person (person, is_main))',
  `INSERT INTO notes SELECT n % 3, n, n DIV 6, n % 2 FROM numbers WHERE n < 120000`,
  'ANALYZE TABLE notes',
  `INSERT INTO tickets SELECT n, 1, n % 7, n % 300000, IF(n % 1000 = 999, 4, 1 + n % 3), n % 2, n % 3 = 0, ${time}
     FROM numbers WHERE n < ${ticketCount}`,
  // Another workspace, whose entries lie between those of the first in time.
  `INSERT INTO tickets SELECT 1000000 + n, 2, n % 7, n, 1, 0, 0, ${time} FROM numbers WHERE n < 3000`,
  'ANALYZE TABLE tickets',
]

/** Statements that make and fill the events and their tickets, after those of `renderLookupTables`. */
export const entryTables: readonly string[] = [
  `CREATE TABLE events (id INT NOT NULL PRIMARY KEY, account_id INT NOT NULL, KEY account (account_id)) ${counted}`,
  // Events of all workspaces in turn, so that no range of ids is of one workspace.
  ...eventCounts.map(
    (count, at) =>
      `INSERT INTO events SELECT n * ${eventCounts.length} + ${at}, ${count} FROM numbers WHERE n < ${count}`,
  ),
  'CREATE TABLE entries LIKE tickets',
  'ALTER TABLE entries DROP KEY sync, ADD KEY sync (event_id, touched)',
  `INSERT INTO entries SELECT e.id * 100 + n, 0, e.id, n, 1 + n % 3, n % 2, n % 3 = 0, ${time}
     FROM events e JOIN numbers ON n < ${ticketsPerEvent}`,
  ...Object.entries(largeEvents).flatMap(([id, { events, tickets }], at) => [
    `INSERT INTO events SELECT 100000 + n * 2 + ${at}, ${id} FROM numbers WHERE n < ${events}`,
    `INSERT INTO entries SELECT e.id * 3000 + n, 0, e.id, n, 1 + n % 3, n % 2, n % 3 = 0, ${time} + INTERVAL e.id % 7 SECOND
       FROM events e JOIN numbers ON n < ${tickets} WHERE e.account_id = ${id}`,
  ]),
  `INSERT INTO events SELECT 200000 + n, 700 FROM numbers WHERE n < 100`,
  `INSERT INTO entries SELECT e.id * 3000 + n, 0, e.id, n, 1 + n % 3, n % 2, n % 3 = 0, ${time}
     FROM events e JOIN numbers ON n < ${ticketsPerEvent} WHERE e.id >= 200000`,
  'ANALYZE TABLE events, entries',
]

/** A mapping of the tickets; `changes` replace or add fields, `section` other options. */
export function mapTickets(
  table: 'tickets' | 'entries' | 'seats',
  workspace: unknown,
  changes: Readonly<Record<string, unknown>>,
  section: Readonly<Record<string, unknown>> = {},
): string {
  return stringify({
    timezone: '+00:00',
    apiKeys: mapKeys('account_id', 'registration.read'),
    registrations: {
      table,
      workspace,
      archived: [],
      ...section,
      fields: {
        id: 'id',
        eventId: 'event_id',
        status: { when: [{ column: 'is_cancelled', equals: 1, then: 'CANCELLED' }], otherwise: 'VALID' },
        name: { from: 'people_3', on: 'state_id', column: 'name' },
        email: { from: 'mails_3', on: 'state_id', key: 'code', column: 'mail' },
        checkedIn: { constant: false },
        createdAt: 'touched',
        updatedAt: { column: 'touched', neverChanges: true },
        ...changes,
      },
    },
    neverRead: ['*.nothing'],
  })
}
