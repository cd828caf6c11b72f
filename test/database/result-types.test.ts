import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import type { Column } from '../../src/database/column.js'
import { readSchema } from '../../src/database/schema.js'
import { openDatabase } from '../../src/mapping/load-configuration.js'
import { runStatements } from '../product/server.js'
import { useThrowaway } from '../support/service.js'

/*
 * A result is compared with what information_schema says of its columns. Both servers say it of every type, and of every expression
 * of a view: a difference between the two would be an answer of 503 for ever.
 */

const throwaway = useThrowaway()

const types =
  `tinyint, tinyint unsigned, tinyint(1), smallint, mediumint unsigned, int, int unsigned, int(8) unsigned zerofill, bigint,
  bigint unsigned, decimal(12;0), decimal(12;2), decimal(20;4) unsigned, float, double, bit(1), bit(8), date, datetime, datetime(3),
  datetime(6), timestamp null, timestamp(3) null, year, time, char(3), char(3) character set latin1, char(3) character set ascii,
  varchar(20), varchar(20) collate utf8mb4_bin, varchar(20) character set latin1 collate latin1_bin, varchar(20) character set ucs2,
  tinytext, text, longtext, json, binary(16), varbinary(20), blob, enum('a';'b'), enum('a';'b') collate utf8mb4_bin, set('a';'b')`
    .split(',')
    .map((type) => type.trim().replaceAll(';', ','))

/** Of each column. */
const expressions = [
  'c',
  'coalesce(c, c)',
  'case when id = 1 then c end',
  'nullif(c, c)',
  '(select c limit 1)',
]
/** Of no column. */
const constants =
  `null, 1, 0, true, -1, 1.5, id + 1, id * 1.10, count(*), sum(id), avg(id), now(), now(3), curdate(), unix_timestamp(),
  unix_timestamp(now(3)), 'a', '', concat(id;'x'), date(now()), from_unixtime(1), id = 1, id is null, if(id = 1;'a';null), hex(id),
  cast(id as char), cast(id as unsigned), cast(id as decimal(10;2)), cast('a' as binary), round(id / 3;2), year(now()), uuid(),
  timestamp('2020-01-01 00:00:00'), convert('a' using latin1), json_extract('{"a": 1}';'$.a'), exists(select 1), coalesce(b;0),
  coalesce(b;b), b + 0, max(now())`
    .split(',')
    .map((one) => one.trim().replaceAll(';', ','))

/** How statements read a column: as it is, or its type alone, from a table, a derived table, a UNION and a lookup. */
function listForms(table: string, { name }: Column): readonly string[] {
  const rows = `select ${name} from ${table} limit 3`
  return [
    `select ${name} from ${table}`,
    `select (select ${name} from ${table} limit 0) as ${name}`,
    ...[
      `(${rows}) as p`,
      `((${rows}) union all (${rows}) limit 3) as p`,
      `(select 1 as one) as o left join ${table} as p on p.id = 7`,
    ].flatMap((from) => [
      `select p.${name} from ${from}`,
      `select if(false, p.${name}, null) as ${name} from ${from}`,
    ]),
  ]
}

test('the columns of every result have the types of the schema', async () => {
  const { adminUrl } = await throwaway.createProduct('plain')
  const columns = types.map((type, at) => `c${at} ${type}`).join(', ')
  const views = expressions.map((one, view) => {
    const cells = types.map((_, at) => `${one.replace(/\bc\b/g, `c${at}`)} as c${at}`)
    return `create view v${view} as select id, ${cells.join(', ')} from every_type`
  })
  const others = constants.map(
    (one, view) =>
      `create view w${view} as select ${one} as c, max(id) as id from (select 1 as id, b'1' as b) as o group by o.id, o.b`,
  )
  const tables = ['every_type', ...views.map((_, at) => `v${at}`), ...others.map((_, at) => `w${at}`)]
  await runStatements(adminUrl, [
    `create table every_type (id int primary key, ${columns}) character set utf8mb4`,
    'insert into every_type (id) values (1), (2)',
    ...views,
    ...others,
  ])
  const database = openDatabase(parseConfig({ DATABASE_URL: adminUrl, DATABASE_POOL_SIZE: '1' }))
  try {
    const schema = await readSchema(database.runQuery, tables)
    expect([...schema.keys()]).toEqual(tables)
    const wrong: string[] = []
    for (const [table, { columns: all }] of schema)
      for (const column of all.values())
        for (const sql of listForms(table, column))
          await database
            .runQuery({ sql, values: [], columns: [{ name: column.name, column }] })
            .catch((error: unknown) => wrong.push(`${sql}: ${column.type}: ${String(error)}`))
    expect(wrong).toEqual([])
  } finally {
    await database.close()
  }
})
