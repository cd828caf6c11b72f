import { describe, expect, test } from 'vitest'
import { parseViewDefinition } from '../../../src/check/view-definition.js'

const head = 'CREATE ALGORITHM=UNDEFINED DEFINER=`a`@`b` SQL SECURITY DEFINER VIEW `v` AS '
const parse = (select: string) => parseViewDefinition(head + select)!
const sourceOf = (select: string, name: string) => parse(select).columns.get(name)!.source

describe('the definition of a view', () => {
  const joined =
    "select `r`.`id` AS `ID`,`s`.`code` AS `status`,coalesce(`r`.`at`,'x') AS `touched` " +
    'from (`shop`.`regs` `r` left join `statuses` `s` on((`s`.`id` = `r`.`status_id`))) where (`r`.`kind` = 1)'

  test('has the table of each column, and none for an expression', () => {
    expect(sourceOf(joined, 'id')).toEqual({ table: 'r', column: 'id' })
    expect(sourceOf(joined, 'status')).toEqual({ table: 's', column: 'code' })
    expect(parse(joined).columns.get('touched')).toMatchObject({ source: undefined })
    expect([...parse(joined).columns.get('touched')!.words]).toContain('COALESCE')
  })

  test('has the tables by their aliases, and the columns that its joins compare', () => {
    const { tables, joins, hasWhere, isMaterialized } = parse(joined)
    expect([...tables]).toEqual([
      ['r', 'regs'],
      ['s', 'statuses'],
    ])
    expect(joins).toEqual([
      [
        { table: 's', column: 'id' },
        { table: 'r', column: 'status_id' },
      ],
    ])
    expect([hasWhere, isMaterialized]).toEqual([true, false])
  })

  test('has the column and the table that a subquery reads', () => {
    const select =
      'select `r`.`id` AS `id`,(select `s`.`code` from `statuses` `s` where (`s`.`id` = `r`.`status_id`)) AS `status` from `regs` `r`'
    expect(sourceOf(select, 'status')).toEqual({ table: 's', column: 'code' })
    expect(parse(select).tables.get('s')).toBe('statuses')
    expect(parse(select).hasWhere).toBe(false)
  })

  test('has the names in brackets behind the name of the view, as MySQL prints them', () => {
    const text = `${head.replace('`v`', '`v` (`a`,`b`)')}select \`t\`.\`x\` AS \`x\`,\`t\`.\`y\` AS \`y\` from \`t\``
    expect([...parseViewDefinition(text)!.columns.keys()]).toEqual(['a', 'b'])
  })

  test.each([
    ['select distinct `t`.`id` AS `id` from `t`', true],
    ['select `t`.`id` AS `id` from `t` group by `t`.`id`', true],
    ['select `t`.`id` AS `id` from `t` union select `u`.`id` AS `id` from `u`', true],
    ['select `t`.`id` AS `id` from `t` limit 5', true],
    ['select (select 1 from `u` limit 1) AS `id` from `t`', false],
  ])('says whether the server makes all its rows: %s', (select, expected) => {
    expect(parse(select).isMaterialized).toBe(expected)
  })

  test('of another form is not parsed', () => {
    expect(parseViewDefinition('CREATE TABLE `t` (`id` int)')).toBeUndefined()
    expect(parseViewDefinition(`${head}with \`c\` as (select 1) select 1`)).toBeUndefined()
  })
})
