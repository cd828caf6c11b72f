import { describe, expect, test } from 'vitest'
import { counted, renderLookupTables } from '../support/lookup-tables.js'
import { page, tail, toIds, useMeasuredPages } from '../support/measured-pages.js'

/*
 * What a page costs in three shapes of public products whose tenant is found through parent rows, counted by the server:
 * attendees of a tenant's projects, enrolments two lookups from their tenant, participants of a tenant's events without test
 * rows. Each table has the keys of its product and the index that `check` asks for.
 */

const perTenant = 15_000
const tenant = '2'
/** The parent rows of a tenant are every other one. */
const isOfEveryOther = 'event_id % 2 = 1'
/** Rows of parent rows of two tenants in turn, in an order in which neither time nor key follows the parent row. */
const row = (n: string, parents: number): string =>
  `${n}, 1 + (${n} * 7919) % ${parents}, ${n}, 1 + ${n} % 3, (${n} DIV 7) % 10 = 0, TIMESTAMP('2026-01-01') + INTERVAL (${n} * 31) % 86400 SECOND`
const columns =
  'id INT PRIMARY KEY, event_id INT NOT NULL, person INT NOT NULL, state_id INT NOT NULL, is_cancelled TINYINT NOT NULL, touched DATETIME NOT NULL'

const shapes = {
  attendees: {
    parents: 40,
    tables: (parents: number) => [
      'CREATE TABLE projects (id INT PRIMARY KEY, entity INT NOT NULL)',
      `INSERT INTO projects SELECT n, 1 + n % 2 FROM numbers WHERE n BETWEEN 1 AND ${parents}`,
    ],
    keys: 'UNIQUE KEY (event_id, person, state_id)',
    workspace: { from: 'projects', on: 'event_id', column: 'entity' },
    isOwn: isOfEveryOther,
    section: {},
  },
  enrolments: {
    parents: 60,
    tables: (parents: number) => [
      'CREATE TABLE courses (id INT PRIMARY KEY, category INT NOT NULL, KEY (category))',
      `INSERT INTO courses SELECT n, 1 + n % 2 FROM numbers WHERE n BETWEEN 1 AND ${parents}`,
      'CREATE TABLE enrols (id INT PRIMARY KEY, course_id INT NOT NULL, KEY (course_id))',
      // Two ways to enrol in each course.
      `INSERT INTO enrols SELECT n, (n + 1) DIV 2 FROM numbers WHERE n BETWEEN 1 AND ${parents}`,
    ],
    keys: 'UNIQUE KEY (event_id, person), KEY (person)',
    workspace: {
      from: 'courses',
      on: { from: 'enrols', on: 'event_id', column: 'course_id' },
      column: 'category',
    },
    isOwn: `event_id IN (SELECT enrols.id FROM enrols JOIN courses ON courses.id = course_id WHERE category = ${tenant})`,
    section: {},
  },
  participants: {
    parents: 30,
    tables: (parents: number) => [
      'CREATE TABLE happenings (id INT PRIMARY KEY, domain_id INT NOT NULL, KEY (domain_id))',
      `INSERT INTO happenings SELECT n, 1 + n % 2 FROM numbers WHERE n BETWEEN 1 AND ${parents}`,
    ],
    keys: 'KEY (event_id), KEY (person), KEY (state_id)',
    workspace: { from: 'happenings', on: 'event_id', column: 'domain_id' },
    isOwn: isOfEveryOther,
    section: { where: [{ column: 'is_cancelled', in: [0] }] },
  },
} as const

describe.each(Object.entries(shapes))('%s of a tenant', (_name, shape) => {
  const { connection, resolve, measure } = useMeasuredPages([
    ...renderLookupTables([3]),
    ...shape.tables(shape.parents),
    `CREATE TABLE seats (${columns}, ${shape.keys}, KEY sync (event_id, touched, id)) ${counted}`,
    `INSERT INTO seats SELECT ${row('n', shape.parents)} FROM numbers WHERE n < ${2 * perTenant}`,
    'ANALYZE TABLE seats',
  ])
  const isTested = 'where' in shape.section
  const isShown = isTested ? 'is_cancelled = 0' : 'TRUE'
  const listOf = async (condition: string) => {
    const found = await connection().query(
      `SELECT id, CAST(touched AS CHAR) AS touched FROM seats WHERE ${isShown} AND ${shape.isOwn} AND ${condition} ORDER BY touched, id`,
    )
    return found.map(({ id, touched }) => ({ id: Number(id), touched: String(touched) }))
  }
  const own = shape.parents / 2
  /** Of ten rows one is a test. */
  const skipped = isTested ? 2 : 1

  test('a first page, a page in the middle and one after a time read a page of each parent row', async () => {
    const table = await resolve('seats', shape.workspace, {}, shape.section)
    const all = await listOf('TRUE')
    const behind = all[Math.floor(all.length / 2)]!
    const position = { updatedAt: behind.touched, id: String(behind.id) }
    const later = await listOf("touched >= '2026-01-01 12:00:00'")
    await measure({ table, workspaceId: tenant })
    for (const [wanted, rows] of [
      [{}, all],
      [{ behind: position }, all.slice(all.indexOf(behind) + 1)],
      [{ search: 'updatedSince=2026-01-01T12:00:00Z' }, later],
    ] as const) {
      const read = await measure({ table, workspaceId: tenant, ...wanted })
      expect(toIds(read)).toEqual(rows.slice(0, page).map(({ id }) => id))
      expect(read.entries).toBeLessThanOrEqual(own * (skipped * page + 3) + 2 * shape.parents + tail)
    }
  })

  test('a page of one event reads its own rows, and of an event of another tenant none', async () => {
    const table = await resolve('seats', shape.workspace, {}, shape.section)
    const [mine] = await listOf('TRUE')
    const [row] = await connection().query(`SELECT event_id FROM seats WHERE id = ${mine!.id}`)
    const event = String(row!['event_id'])
    const read = await measure({ table, workspaceId: tenant, search: `eventId=${event}` })
    expect(toIds(read)).toEqual((await listOf(`event_id = ${event}`)).slice(0, page).map(({ id }) => id))
    expect(read.entries).toBeLessThanOrEqual(skipped * page + tail)
    const foreign = await measure({ table, workspaceId: '1', search: `eventId=${event}` })
    expect([foreign.rows.filter(({ id }) => id !== undefined), foreign.entries]).toEqual([[], 0])
  })
})
