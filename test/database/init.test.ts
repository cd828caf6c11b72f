import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { readSchema } from '../../src/database/schema.js'
import { isNeverRead, listMappedTables } from '../../src/mapping/mapped-columns.js'
import { readMapping } from '../../src/mapping/load-configuration.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { readFacts } from '../../src/tools/facts/read-facts.js'
import { proposeMapping } from '../../src/tools/init/propose.js'
import type { Choice, Proposal } from '../../src/tools/init/propose.js'
import { renderMapping } from '../../src/tools/init/render-mapping.js'
import { renderKeyTable } from '../../src/tools/commands/key.js'
import { runStatements, splitStatements } from '../product/index.js'
import { createOwnDatabase, withDatabase } from '../support/own-database.js'
import { useThrowaway } from '../support/service.js'

/*
 * Products of five shapes with the mapping that a person wrote: what the skeleton decides is what that person decided. A column
 * with the comment `secret` must stand in neverRead.
 */

const throwaway = useThrowaway()
const products = [
  { name: 'association', decided: 19, registrations: 'events_registrant' },
  { name: 'campus', decided: 20, registrations: 'campusActivityStudent' },
  { name: 'gatherings', decided: 22, registrations: 'attendees' },
  { name: 'ninja', decided: 10, registrations: undefined },
  { name: 'terse', decided: 23, registrations: 'reg' },
] as const

type Content = Record<string, unknown>

/** So many rows of an INSERT. */
const listRows = (count: number, row: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `(${row(i)})`).join(', ')

describe.each(products)('the skeleton for $name', ({ name, decided, registrations }) => {
  let url: string
  let proposal: Proposal
  let written: Content
  beforeAll(async () => {
    const read = (end: string): Promise<string> =>
      readFile(new URL(`../init/${name}.${end}`, import.meta.url), 'utf8')
    url = await createOwnDatabase(throwaway, splitStatements(await read('sql')))
    written = parse(await read('yaml')) as Content
    proposal = proposeMapping(await withDatabase(url, readFacts))
  })

  test('decides what a person decided, and leaves open what it does not know', () => {
    const sure = proposal.choices.filter(({ value }) => value !== 'TODO')
    const wrong = sure.filter(({ path, value }) => toText(path, value) !== toText(path, at(written, path)))
    expect(wrong.map(({ path, value }) => [path, value, at(written, path)])).toEqual([])
    expect(sure.length).toBeGreaterThanOrEqual(decided)
    expect(at(toMapping(proposal), 'registrations.table')).toBe(registrations)
  })

  test('a TODO has its candidates beside it, which a reader of the file reports', () => {
    const text = renderMapping(proposal)
    const open = proposal.choices.filter(({ value }) => value === 'TODO')
    expect(text.match(/: TODO # candidates: \S/g)).toHaveLength(open.length)
    for (const { wanted } of proposal.choices) expect(text).toContain(`# ${wanted}: `)
    expect(text.match(/^ *# [a-z].*: /gm)?.length).toBeGreaterThanOrEqual(proposal.choices.length)
    const paths = open.map(({ path }): unknown =>
      expect.objectContaining({ path, found: expect.stringContaining('candidates') as unknown }),
    )
    expect(() => readMapping(text)).toThrow(
      expect.objectContaining({ issues: expect.arrayContaining(paths) as unknown }) as Error,
    )
  })

  test('leaves no secret open', async () => {
    const sql =
      "select concat(table_name, '.', column_name) as secret from information_schema.columns where table_schema = database() and column_comment = 'secret'"
    const secrets = (await withDatabase(url, (run) => run({ sql, values: [] }))).map(({ secret }) =>
      String(secret),
    )
    expect(secrets.length).toBeGreaterThan(2)
    const patterns = proposal.neverRead
    expect(
      secrets.filter(
        (one) => !isNeverRead(patterns, one.slice(0, one.indexOf('.')), one.slice(one.indexOf('.') + 1)),
      ),
    ).toEqual([])
  })

  test('is a mapping that fits the tables, once each TODO has the first of its candidates, or without one what the person wrote', async () => {
    const content = toMapping(proposal)
    for (const { path, value, candidates } of proposal.choices)
      if (value === 'TODO')
        set(content, path.split('.'), candidates.length === 0 ? at(written, path) : candidates[0]?.value)
    const mapping = readMapping(stringify(content))
    await runStatements(url, splitStatements(renderKeyTable(proposal.apiKeys)))
    const schema = await withDatabase(url, (run) => readSchema(run, listMappedTables(mapping)))
    expect(resolveMapping(mapping, schema).issues).toEqual([])
  })
})

test('a place where facts differ is decided by them: NULL until the first change, epochs, types, soft deletes', async () => {
  const url = await createOwnDatabase(throwaway, [
    'CREATE TABLE clubs (id INT PRIMARY KEY, name VARCHAR(80))',
    'CREATE TABLE events (id INT PRIMARY KEY, club_id INT NOT NULL, title VARCHAR(80), starts_at DATETIME)',
    `CREATE TABLE bookings (id INT PRIMARY KEY, club_id INT NOT NULL, event_id INT NOT NULL, type VARCHAR(20) NOT NULL, name VARCHAR(80), email VARCHAR(120),
      status ENUM('open','done') NOT NULL, is_deleted TINYINT(1) NOT NULL, checked_in INT, created_at TIMESTAMP NOT NULL, updated_at TIMESTAMP NULL)`,
    "INSERT INTO clubs VALUES (1, 'North'), (2, 'South')",
    "INSERT INTO events VALUES (1, 1, 'Fair', '2026-05-01 09:00:00'), (2, 2, 'Run', '2026-05-02 09:00:00')",
    `INSERT INTO bookings VALUES ${Array.from({ length: 12 }, (_, i) => `(${i}, ${1 + (i % 2)}, ${1 + (i % 2)}, '${i % 3 === 0 ? 'guest' : 'hotel'}', 'P ${i}', 'p${i}@example.com', 'open', 0, ${1_770_000_000 + i}, '2026-01-01 00:00:00', ${i < 4 ? 'NULL' : "'2026-01-02 00:00:00'"})`).join(', ')}`,
  ])
  const proposal = proposeMapping(await withDatabase(url, readFacts), {
    registrations: 'bookings',
    invoices: 'none',
  })
  expect(toMapping(proposal)['registrations']).toMatchObject({
    workspace: 'club_id',
    where: [{ column: 'type', equals: 'guest' }],
    archived: { column: 'is_deleted', equals: 1 },
    fields: {
      status: { column: 'status', values: ['open', 'done'] },
      checkedInAt: { column: 'checked_in', epoch: 's' },
      updatedAt: { first: ['updated_at', 'created_at'] },
    },
  })
  // One value for all rows, or rows without one: what a tenant is, only a person knows.
  await runStatements(url, ['UPDATE bookings SET club_id = 1', 'UPDATE events SET club_id = 1'])
  // `first` takes columns of one type only.
  await runStatements(url, ['ALTER TABLE bookings MODIFY created_at DATETIME NOT NULL'])
  const one = proposeMapping(await withDatabase(url, readFacts), { registrations: 'bookings' })
  expect(at(toMapping(one), 'registrations.workspace')).toBe('TODO')
  expect(at(toMapping(one), 'registrations.fields.updatedAt')).toBe('TODO')
  expect(
    one.choices.find(({ path }) => path === 'registrations.workspace')?.candidates.map(({ value }) => value),
  ).toContainEqual({ constant: '1' })
})

test('the shortest way to an event, a table that links it, a log of scans, and the share of rows without a name', async () => {
  const url = await createOwnDatabase(throwaway, [
    'CREATE TABLE events (id SMALLINT PRIMARY KEY, title VARCHAR(80), starts_at DATETIME)',
    "INSERT INTO events VALUES (0, 'Fair', '2026-05-01'), (1, 'Run', '2026-05-02')",
    'CREATE TABLE attendees (id INT PRIMARY KEY, event_id SMALLINT NOT NULL, display_name VARCHAR(80), email VARCHAR(80) NOT NULL)',
    `INSERT INTO attendees VALUES ${listRows(20, (i) => `${i}, ${i % 2}, ${i < 5 ? `'P ${i}'` : 'NULL'}, 'p${i}@example.com'`)}`,
    'CREATE TABLE gate_scans (id INT PRIMARY KEY, attendee_id INT NOT NULL, scanned_at INT NOT NULL, deleted TINYINT(1) NOT NULL)',
    `INSERT INTO gate_scans VALUES ${listRows(20, (i) => `${i}, ${i >> 1}, ${1_770_000_000 + i}, 0`)}`,
    'CREATE TABLE invoices (id INT PRIMARY KEY, attendee_id INT NOT NULL, for_event SMALLINT NOT NULL, number VARCHAR(20) NOT NULL)',
    `INSERT INTO invoices VALUES ${listRows(20, (i) => `${i}, ${i}, ${i % 2}, 'N-${i}'`)}`,
  ])
  const read = async (): Promise<(path: string) => Choice | undefined> => {
    const named = { registrations: 'attendees', invoices: 'invoices' }
    const { choices } = proposeMapping(await withDatabase(url, readFacts), named)
    return (path) => choices.find((one) => one.path === path)
  }
  const find = await read()
  expect(find('registrations.fields.name')).toMatchObject({
    value: 'TODO',
    reason: 'what of the 75 % of rows without display_name?',
    candidates: [{ value: 'display_name' }],
  })
  const where = [{ column: 'deleted', equals: 0 }]
  const scan = { from: 'gate_scans', on: 'id', key: 'attendee_id', where }
  expect(find('registrations.fields.checkedIn')?.candidates[0]?.value).toEqual({ ...scan, is: 'set' })
  expect(find('registrations.fields.checkedInAt')).toMatchObject({
    value: 'TODO',
    candidates: [{ value: { ...scan, column: 'scanned_at', epoch: 's' } }],
  })
  expect(find('invoices.eventId')?.value).toBe('for_event')
  await runStatements(url, [
    'CREATE TABLE bookings (id INT PRIMARY KEY, invoice_id INT NOT NULL, event_id SMALLINT NOT NULL)',
    'INSERT INTO bookings SELECT id, id, for_event FROM invoices',
    'ALTER TABLE invoices DROP COLUMN for_event, DROP COLUMN attendee_id',
  ])
  const link = { table: 'bookings', invoice: 'invoice_id', event: 'event_id' }
  expect((await read())('invoices.eventId')?.value).toEqual(link)
  await runStatements(url, ['DELETE FROM bookings WHERE id > 4'])
  expect((await read())('invoices.eventId')).toMatchObject({
    value: 'TODO',
    reason: 'have invoices without a row of bookings no event?',
    candidates: [{ value: link }, { value: null }],
  })
})

test('dates of an event are events; a zone, net with tax, codes, drafts and other persons are asked about', async () => {
  const times = "'2026-01-01', '2026-01-02'"
  const url = await createOwnDatabase(throwaway, [
    'CREATE TABLE einstellungen (mandant INT, schluessel VARCHAR(40), wert VARCHAR(80), PRIMARY KEY (mandant, schluessel))',
    "INSERT INTO einstellungen VALUES (1, 'zeitzone', 'Europe/Berlin'), (1, 'sprache', 'de'), (1, 'waehrung', 'AED'), (2, 'db.time_zone', 'SYSTEM')",
    'CREATE TABLE hotels (id INT PRIMARY KEY, name VARCHAR(80), email VARCHAR(120))',
    "INSERT INTO hotels VALUES (1, 'Inn', 'inn@example.com')",
    'CREATE TABLE courses (id INT PRIMARY KEY, title VARCHAR(80))',
    "INSERT INTO courses VALUES (0, 'Go'), (1, 'SQL')",
    'CREATE TABLE sessions (id INT PRIMARY KEY, organizer_id INT NOT NULL)',
    'INSERT INTO sessions VALUES (0, 1), (1, 2)',
    'CREATE TABLE course_dates (id INT PRIMARY KEY, course_id INT NOT NULL, session_id INT NOT NULL, starts_at DATETIME)',
    `INSERT INTO course_dates VALUES ${listRows(12, (i) => `${i}, ${i % 2}, ${i % 2}, '2026-05-01'`)}`,
    `CREATE TABLE enrolments (id INT PRIMARY KEY, course_date_id INT NOT NULL, state TINYINT NOT NULL COMMENT '1=booked, 2: paid, 9=test', full_name VARCHAR(80), hotel_id INT NOT NULL,
      created_at DATETIME NOT NULL, updated_at TIMESTAMP NOT NULL)`,
    `INSERT INTO enrolments VALUES ${listRows(12, (i) => `${i}, ${i}, ${1 + (i % 3)}, 'P', 1, ${times}`)}`,
    `CREATE TABLE bills (id INT PRIMARY KEY, number VARCHAR(20) NOT NULL, status VARCHAR(20) NOT NULL, net_amount DECIMAL(9,2) NOT NULL, vat_amount DECIMAL(9,2) NOT NULL,
      created_at TIMESTAMP NOT NULL, updated_at TIMESTAMP NOT NULL)`,
    `INSERT INTO bills VALUES ${listRows(12, (i) => `${i}, 'B${i}', '${i % 2 ? 'draft' : 'sent'}', 10, 2, ${times}`)}`,
  ])
  const named = { registrations: 'enrolments', invoices: 'bills' }
  const { choices } = proposeMapping(await withDatabase(url, readFacts), named)
  const find = (path: string): Choice | undefined => choices.find((one) => one.path === path)
  const zones = [{ value: 'Europe/Berlin' }, { value: '+00:00' }]
  expect(find('timezone')).toMatchObject({ value: 'TODO', candidates: zones })
  const on = { from: 'course_dates', on: 'course_date_id', column: 'session_id' }
  const tenant = { from: 'sessions', on, column: 'organizer_id' }
  expect(find('registrations.workspace')?.candidates).toMatchObject([{ value: tenant }, {}])
  expect(find('registrations.fields.eventId')?.value).toBe('course_date_id')
  expect(find('registrations.fields.email')).toMatchObject({
    value: 'TODO',
    candidates: [{ value: { from: 'hotels', on: 'hotel_id', column: 'email' } }],
  })
  expect(find('registrations.where')?.reason).toBe('which rows by TEST belong here?')
  expect(find('registrations.fields.status')).toMatchObject({
    value: 'TODO',
    candidates: [{ value: { column: 'state', values: { 1: 'BOOKED', 2: 'PAID', 3: 'WORD' } } }],
  })
  expect(find('invoices.fields.total')).toMatchObject({
    value: 'TODO',
    candidates: [{ value: { sum: ['net_amount', 'vat_amount'] } }, {}, {}],
  })
  expect(find('invoices.fields.currency')?.candidates).toMatchObject([{ value: { constant: 'AED' } }])
  expect(find('invoices.where')).toMatchObject({ value: 'TODO', reason: 'which rows by draft belong here?' })
})

test('what a booking, its customer and a setting have is a candidate; a column of the same name elsewhere is never read', async () => {
  const url = await createOwnDatabase(throwaway, [
    'CREATE TABLE options (id INT PRIMARY KEY, name VARCHAR(40), value VARCHAR(80))',
    "INSERT INTO options VALUES (1, 'currency', 'AED'), (2, 'language', 'en')",
    'CREATE TABLE hosts (id INT PRIMARY KEY, tenant_id INT NOT NULL, email VARCHAR(120), name VARCHAR(80))',
    "INSERT INTO hosts VALUES (1, 1, 'h@example.com', 'H'), (2, 2, 'i@example.com', 'I')",
    'CREATE TABLE customers (id INT PRIMARY KEY, full_name VARCHAR(80), email VARCHAR(120), phone VARCHAR(20))',
    `INSERT INTO customers VALUES ${listRows(12, (i) => `${i}, 'C', 'c@example.com', '1'`)}`,
    "CREATE TABLE bookings (id INT PRIMARY KEY, customer_id INT, host_id INT, state TINYINT COMMENT '1=booked, 2: paid')",
    `INSERT INTO bookings VALUES ${listRows(12, (i) => `${i}, ${i}, ${1 + (i % 2)}, ${1 + (i % 2)}`)}`,
    'CREATE TABLE seats (id INT PRIMARY KEY, booking_id INT NOT NULL, full_name VARCHAR(80), email VARCHAR(120), created_at TIMESTAMP, updated_at TIMESTAMP)',
    `INSERT INTO seats VALUES ${listRows(12, (i) => `${i}, ${i}, 'S', ${i % 2 ? "'s@example.com'" : 'NULL'}, '2026-01-01', '2026-01-02'`)}`,
    'CREATE VIEW api_seats AS SELECT id AS seat_id, booking_id, full_name, email, 0 AS seat_deleted, created_at, updated_at FROM seats',
    'CREATE TABLE bills (id INT PRIMARY KEY, number VARCHAR(20) NOT NULL, total DECIMAL(9,2) NOT NULL, currency CHAR(3), created_at TIMESTAMP, updated_at TIMESTAMP)',
    `INSERT INTO bills VALUES ${listRows(12, (i) => `${i}, 'B${i}', 10, ${i % 2 ? "'USD'" : 'NULL'}, '2026-01-01', '2026-01-02'`)}`,
  ])
  const facts = await withDatabase(url, readFacts)
  const proposal = proposeMapping(facts, { registrations: 'seats', invoices: 'bills' })
  const find = ({ choices }: Proposal, path: string) => choices.find((one) => one.path === path)
  const on = { from: 'bookings', on: 'booking_id', column: 'customer_id' }
  const status = { from: 'bookings', on: 'booking_id', column: 'state', values: { 1: 'BOOKED', 2: 'PAID' } }
  expect(find(proposal, 'registrations.fields.status')).toMatchObject({
    value: 'TODO',
    candidates: [{ value: status }],
  })
  expect(find(proposal, 'registrations.fields.email')?.candidates[0]?.value).toEqual({
    first: ['email', { from: 'customers', on, column: 'email' }],
  })
  expect(find(proposal, 'invoices.fields.currency')?.candidates[0]?.value).toEqual({
    first: ['currency', { constant: 'AED' }],
  })
  expect(proposal.neverRead.filter((name) => name.endsWith('email'))).toEqual(['hosts.email'])
  const ofView = proposeMapping(facts, { registrations: 'api_seats', invoices: 'none' })
  expect(find(ofView, 'registrations.fields.id')?.candidates[0]?.value).toBe('seat_id')
  expect(find(ofView, 'registrations.fields.name')?.value).toBe('full_name')
  expect(find(ofView, 'registrations.archived')?.value).toEqual({ column: 'seat_deleted', notEquals: 0 })
  expect(ofView.neverRead.filter((name) => /email|phone/.test(name))).toEqual(['customers.phone'])
})

const toMapping = (proposal: Proposal): Content => parse(renderMapping(proposal)) as Content

function at(content: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Content | undefined)?.[name], content)
}

/** One form for what the mapping file can write in several. The public words of a status are for its team to choose. */
function toText(path: Choice['path'], value: unknown): string {
  const {
    values: _,
    otherwise: __,
    ...rest
  } = (
    path.endsWith('.status') ? (typeof value === 'object' ? value : { column: value }) : { value }
  ) as Content
  const list = /archived$|where$/.test(path) ? { value: [value ?? []].flat() } : rest
  const text = JSON.stringify(sort(list))
  return path.endsWith('archived') ? text.replaceAll(':true', ':1').replaceAll(':false', ':0') : text
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(sort)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, sort(one)] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

function set(content: Content, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) set(content[name] as Content, rest, value)
  else content[name] = value
}
