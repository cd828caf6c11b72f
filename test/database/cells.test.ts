import { beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../src/database/account.js'
import { openConnection, runOn } from '../../src/database/connection.js'
import { createPool, endPool } from '../../src/database/pool.js'
import type { Row, RowReader, RunStatement } from '../../src/database/statement.js'
import { parseConfig } from '../../src/config.js'
import { runStatements } from '../product/server.js'
import { afterFile } from '../support/after-file.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let run: RunStatement

/** A literal of each type that a mapping accepts, at the ends of its range. */
const literals = [
  ['-128', 'tinyint'],
  ['255', 'tinyint unsigned'],
  ['-32768', 'smallint'],
  ['65535', 'smallint unsigned'],
  ['-8388608', 'mediumint'],
  ['16777215', 'mediumint unsigned'],
  ['4294967295', 'int unsigned'],
  ['-2147483648', 'int'],
  ['-9223372036854775808', 'bigint'],
  ['18446744073709551615', 'bigint unsigned'],
  ['-12345678901234567890.123456789', 'decimal(65,9)'],
  ['0.1', 'float'],
  ['-1.7976931348623157e308', 'double'],
  ["b'101'", 'bit(9)'],
  ['2155', 'year'],
  ["'2024-02-29'", 'date'],
  ["'0000-00-00'", 'date'],
  ["'9999-12-31 23:59:59'", 'datetime'],
  ["'2026-03-01 00:00:00.120'", 'datetime(3)'],
  ["'2026-03-01 09:30:00.000001'", 'datetime(6)'],
  ["'0000-00-00 00:00:00'", 'datetime(6)'],
  ["'2026-02-31 00:00:00'", 'datetime(1)'],
  ["'1970-01-02 00:00:01.5'", 'timestamp(6)'],
  ["'a ب 😀 \\\\ \"'", 'varchar(40)'],
  ["''", 'char(5)'],
  ["repeat('ب', 200)", 'varchar(300)'],
  ["repeat('x', 250)", 'varchar(300)'],
  ["repeat('x', 251)", 'varchar(300)'],
  ["repeat('x', 70000)", 'mediumtext'],
  ["x'00ff10'", 'varbinary(16)'],
  ["x'00112233445566778899aabbccddeeff'", 'binary(16)'],
  ["'b'", "enum('a','b')"],
  ["'a,b'", "set('a','b')"],
  ['null', 'int'],
  ['null', 'datetime'],
  ['null', 'text'],
] as const

beforeAll(async () => {
  const product = await throwaway.createProduct('plain', { registrations: 1 })
  const columns = literals.map(([, type], at) => `c${at} ${type} NULL`)
  await runStatements(product.adminUrl, [
    `CREATE TABLE cells (${columns.join()}) CHARACTER SET utf8mb4`,
    "SET SESSION sql_mode = 'ALLOW_INVALID_DATES'",
    `INSERT INTO cells VALUES (${literals.map(([literal]) => literal).join()})`,
  ])
  const { database } = parseConfig({ DATABASE_URL: product.adminUrl })
  const pool = createPool(
    { ...database, account: createAccount(database), tlsCa: undefined },
    database.hosts[0]!,
  )
  const { connection } = await openConnection(pool, 5000)
  run = runOn(connection, 5000)
  afterFile(() => endPool(pool))
})

/** The driver writes no fraction where it is 0. */
function toComparable(cell: unknown): unknown {
  return typeof cell === 'string' ? cell.replace(/(:\d\d)\.0+$/, '$1') : cell
}

function createRows(): RowReader<readonly Row[]> {
  const rows: Row[] = []
  return { read: (cells) => rows.push(cells.toRow()), end: () => rows }
}

test.each(literals.map(([literal, type], at) => [literal, type, at] as const))(
  'a cell has the value that the driver reads: %s of %s',
  async (_, __, at) => {
    const statement = { sql: `select c${at} as cell, null as nothing, c0 as behind from cells`, values: [] }
    const [expected] = await run(statement)
    const [found] = await run({ ...statement, createReader: createRows })
    expect(Object.values(found!).map(toComparable)).toEqual(Object.values(expected!).map(toComparable))
  },
)
