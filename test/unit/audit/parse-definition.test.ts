import { describe, expect, test } from 'vitest'
import { parseTable, parseView } from '../../../src/audit/parse-definition.js'

const head = 'CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW `a AS b` AS '

describe('the definition of a view', () => {
  test.each([
    ['select `r`.`id` AS `id` from `reg` `r`', ['reg']],
    ['select `a`.`id` AS `id` from (`reg` `a` straight_join `bills` `b`)', ['reg', 'bills']],
    [
      'select 1 AS `1` from ((`x`.`reg` `a` left join `bills` on(`a`.`i` = `bills`.`i`)))',
      ['x.reg', 'bills'],
    ],
    ['select `d`.`id` AS `id` from (select `reg`.`id` AS `id` from `reg`) `d`', ['reg']],
    ['with `c` as (select `t`.`a` AS `a` from `t`) select `c`.`a` AS `a` from `c` join `u`', ['t', 'u']],
    ['with `c` (`x`,`y`) as (select 1 AS `1`) select `c`.`x` AS `x` from `c`', []],
    ['with `t` as (select `t`.`a` AS `a` from `t`) select `t`.`a` AS `a` from `t`', ['t']],
    ['select 1 AS `1` from (with `t` as (select 1 AS `1`) select 1 AS `1` from `t`) `d` join `t`', ['t']],
    [
      'with recursive `c` as (select 1 AS `n` union select `c`.`n` AS `n` from `c`) select `c`.`n` AS `n` from `c`',
      [],
    ],
    ['with `c` as (select 1 AS `a`) select `c`.`a` AS `a` from `c` join `x`.`c`', ['x.c']],
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
    const { reads } = parseView(head + select)
    expect(
      reads.map(({ database, name }) => (database === undefined ? name : `${database}.${name}`)),
    ).toEqual(expected)
  })

  test.each([
    "select concat('`',`b`.`secret`) AS `n` from `b`",
    "select concat('it\\'s `',`b`.`secret`) AS `n` from `b`",
    "select concat('''`',`b`.`secret`,\"`\") AS `n` from `b`",
    'select concat("a\\"`",`b`.`secret`) AS `n` from `b`',
    'select `b`.`a``b` AS `n`, `b`.`secret` AS `m` from `b`',
  ])('names every column, with any text in its literals: %s', (select) => {
    const { names } = parseView(head + select)
    expect(names).toContain('secret')
    expect(names).not.toContain('root')
  })

  test('names stored functions, but no function of the server and no list of columns', () => {
    const select =
      'with `c` (`x`) as (select `leak`(`t`.`id`) AS `x` from `t`) select concat(`c`.`x`) AS `y`,`db`.`f`() AS `z` from `c` where `c`.`x` in (1,2)'
    expect(parseView(head + select).functions).toEqual(['leak', 'f'])
    const lists =
      'with `c`(`x`) as (select 1 AS `1`) select `d`.`y` AS `y` from (select `c`.`x` AS `x` from `c`) `d` (`y`)'
    expect(parseView(head + lists).functions).toEqual([])
    const named = 'with `leak` as (select 1 AS `1`) select `leak`(`leak`.`1`) AS `y` from `leak`'
    expect(parseView(head + named).functions).toEqual(['leak'])
  })

  test('without quoted names gives none, so that it counts as hidden', () => {
    expect(parseView('CREATE VIEW v AS select b.secret AS n from b').names).toEqual([])
  })
})

describe('the definition of a table', () => {
  test('shows for each column which columns it is computed from', () => {
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
    expect([...parseTable(text)!]).toEqual([
      ['id', []],
      ['a,b)(', []],
      ['ref', ['A,b)(']],
      ['d', ['id']],
      ['e', []],
      ['n', []],
    ])
  })

  test.each([
    '',
    'CREATE SEQUENCE `s` start with 1',
    'CREATE TABLE `t` (`id` int',
    'CREATE TABLE t (id int)',
  ])('that cannot be parsed gives nothing: %s', (text) => {
    expect(parseTable(text)).toBeUndefined()
  })
})
