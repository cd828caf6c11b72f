import { describe, expect, test } from 'vitest'
import { readTableText, readViewText } from '../../../src/audit/definitions.js'

const head = 'CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW `a AS b` AS '
const read = (select: string) => readViewText(head + select, 'shop')

describe('the definition of a view', () => {
  test.each([
    ['select `r`.`id` AS `id` from `reg` `r`', ['reg']],
    ['select `a`.`id` AS `id` from (`reg` `a` straight_join `bills` `b`)', ['reg', 'bills']],
    [
      'select 1 AS `1` from ((`x`.`reg` `a` left join `bills` on((`a`.`i` = `bills`.`i`))))',
      ['x.reg', 'bills'],
    ],
    ['select `d`.`id` AS `id` from (select `reg`.`id` AS `id` from `reg`) `d`', ['reg']],
    ['with `c` as (select `t`.`a` AS `a` from `t`) select `c`.`a` AS `a` from `c` join `u`', ['t', 'c', 'u']],
    ['with c(`x`) as (select `t`.`x` AS `x` from `t`)select `c`.`x` AS `x` from `c`', ['t', 'c']],
    ['with `t` as (select `t`.`a` AS `a` from `t`) select `t`.`a` AS `a` from `t`', ['t']],
    [
      "select extract(year from `t`.`a`) AS `y`,trim(leading 'x' from `t`.`b`) AS `a`,trim(`t`.`b` from `t`.`c`) AS `b`,substr(`t`.`b` from 2) AS `c` from `t`",
      ['t'],
    ],
    [
      'select extract(year from (select max(`u`.`a`) from `u`)) AS `y`,trim(both (select `v`.`b` from (`v` join `w`)) from `t`.`b`) AS `z` from `t`',
      ['u', 'v', 'w', 't'],
    ],
    ['select `v`.`a` AS `a` from `v` union select `w`.`a` AS `a` from `w`', ['v', 'w']],
  ])('names what it reads: %s', (select, expected) => {
    const names = read(select).reads.map(({ database, name }) =>
      database === 'shop' ? name : `${database}.${name}`,
    )
    expect(names).toEqual(expect.arrayContaining(expected))
    // A FROM that looks like the one of a query counts as one, so that the view is refused.
    expect(names.filter((name) => !expected.includes(name))).toEqual(
      select.includes('trim(both') ? ['t.b'] : [],
    )
  })

  test.each([
    "select concat('`',`b`.`secret`) AS `n` from `b`",
    "select concat('it\\'s `',`b`.`secret`) AS `n` from `b`",
    "select concat('''`',`b`.`secret`,\"`\") AS `n` from `b`",
    'select concat("a\\"`",`b`.`secret`) AS `n` from `b`',
    'select `b`.`a``b` AS `n`, `b`.`secret` AS `m` from `b`',
  ])('names every column, with any text in its literals: %s', (select) => {
    expect(read(select).names).toContain('secret')
    expect(read(select).names).not.toContain('root')
  })

  test.each([
    [
      'with `c` (`x`) as (select `leak`(`t`.`id`) AS `x` from `t`) select concat(`c`.`x`) AS `y`,`db`.`f`() AS `z` from `c` where `c`.`x` in (1,2)',
      ['leak', 'f'],
    ],
    [
      'with `c`(`x`) as (select 1 AS `1`) select `d`.`y` AS `y` from (select `c`.`x` AS `x` from `c`) `d` (`y`)',
      [],
    ],
    ['with `leak` as (select 1 AS `1`) select `leak`(`leak`.`1`) AS `y` from `leak`', ['leak']],
  ])(
    'names stored functions, but no function of the server and no list of columns: %s',
    (select, expected) => {
      expect(read(select).functions).toEqual(expected)
    },
  )

  test('without quoted names gives none, so that it counts as hidden', () => {
    expect(readViewText('CREATE VIEW v AS select b.secret AS n from b', 'shop').names).toEqual([])
  })
})

test('the definition of a table shows for each column which columns it is computed from', () => {
  const text = `CREATE TABLE \`t\` (
  \`id\` int(11) NOT NULL,
  \`A,b)(\` varchar(20) DEFAULT NULL COMMENT 'x ) , \`y\` it''s \\\\',
  \`ref\` varchar(40) GENERATED ALWAYS AS (concat(_utf8mb4'it\\'s \\\\ \`',\`A,b)(\`)) VIRTUAL,
  \`d\` varchar(40) DEFAULT (concat(\`id\`,_utf8mb4'b')),
  \`e\` enum('a','b,)') DEFAULT NULL,
  \`n\` int(11) DEFAULT NULL CHECK (\`n\` > \`id\`),
  PRIMARY KEY (\`id\`),
  KEY \`ref\` (\`ref\`),
  CONSTRAINT \`c\` CHECK (\`id\` > 0)
) ENGINE=InnoDB DEFAULT CHARSET=latin1
 PARTITION BY HASH (\`id\`)`
  expect([...(readTableText(text) ?? [])]).toEqual([
    ['id', []],
    ['a,b)(', []],
    ['ref', ['A,b)(']],
    ['d', ['id']],
    ['e', []],
    ['n', []],
  ])
  for (const other of ['', 'CREATE SEQUENCE `s` start with 1', 'CREATE TABLE t (id int)'])
    expect(readTableText(other)).toBeUndefined()
})
