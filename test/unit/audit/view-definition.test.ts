import { describe, expect, test } from 'vitest'
import { readViewText } from '../../../src/audit/view-definition.js'

const head = 'CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW `a AS b` AS '

describe('the text of a view', () => {
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
    ['select `v`.`a` AS `a` from `v` union select `w`.`a` AS `a` from `w`', ['v', 'w']],
  ])('names what it reads: %s', (select, expected) => {
    const { reads } = readViewText(head + select)
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
  ])('names every column, whatever its literals hold: %s', (select) => {
    const { names } = readViewText(head + select)
    expect(names).toContain('secret')
    expect(names).not.toContain('root')
  })

  test('tells stored functions from those of the server, and from lists of columns', () => {
    const select =
      'with `c` (`x`) as (select `leak`(`t`.`id`) AS `x` from `t`) select concat(`c`.`x`) AS `y`,`db`.`f`() AS `z` from `c` where `c`.`x` in (1,2)'
    expect(readViewText(head + select).functions).toEqual(['leak', 'f'])
    const named = 'with `leak` as (select 1 AS `1`) select `leak`(`leak`.`1`) AS `y` from `leak`'
    expect(readViewText(head + named).functions).toEqual(['leak'])
  })

  test('without quoted names gives none, so that it is taken for unread', () => {
    expect(readViewText('CREATE VIEW v AS select b.secret AS n from b').names).toEqual([])
  })
})
