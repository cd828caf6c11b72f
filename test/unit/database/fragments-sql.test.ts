import { describe, expect, test } from 'vitest'
import {
  bindTemplate,
  builder,
  constant,
  equalsExactly,
  placeholder,
  quoteColumn,
  quoteName,
  raw,
  slot,
  toTemplate,
} from '../../../src/database/fragments-sql.js'
import type { Template } from '../../../src/database/fragments-sql.js'
import { buildColumn } from '../../support/schema.js'

function select(name: string): Template {
  return toTemplate(builder.select(quoteName(name)).from(quoteName('t')))
}

describe('a name', () => {
  test.each([
    ['plain', '`plain`'],
    ['a.b', '`a.b`'],
    ['a as b', '`a as b`'],
    ['*', '`*`'],
    ['first`name', '`first``name`'],
    ['`; drop table t; --', '```; drop table t; --`'],
    ['what?', '`what?`'],
    ['??', '`??`'],
    ['a\\?b', '`a\\?b`'],
    ['a\\', '`a\\`'],
    [':a', '`:a`'],
    ['$1', '`$1`'],
  ])('%s is one identifier: %s', (name, quoted) => {
    expect(select(name)).toEqual({ sql: `select ${quoted} from \`t\``, bindings: [] })
  })

  test('of an aliased column is two identifiers', () => {
    const query = builder.select(quoteColumn('a?', buildColumn('b`', 'int'))).from(quoteName('t'))
    expect(toTemplate(query).sql).toBe('select `a?`.`b``` from `t`')
  })
})

describe('a comparison', () => {
  function compare(definition: string): Template {
    const column = buildColumn('c', definition)
    return toTemplate(
      builder
        .select(raw('1'))
        .from(quoteName('t'))
        .where(equalsExactly(column, quoteName('c'), slot('wanted'))),
    )
  }

  test.each([
    'bigint unsigned',
    'char(26) ascii_bin',
    'varchar(9) utf8mb4_0900_bin',
    'varchar(9) utf8mb4_0900_ai_ci',
    'enum() utf8mb4_bin',
  ])('compares the bytes too, whatever the column is known to be: %s', (definition) => {
    expect(compare(definition)).toEqual({
      sql: 'select 1 from `t` where `c` = ? and cast(convert(`c` using utf8mb4) as binary) = cast(? as binary)',
      bindings: [{ slot: 'wanted' }, { slot: 'wanted' }],
    })
  })

  test('with an integer that is shown with leading zeros leaves them out', () => {
    expect(compare('int zerofill')).toEqual({
      sql:
        "select 1 from `t` where `c` = ? and cast(trim(leading '0' from convert(`c` using utf8mb4)) as binary)" +
        " = cast(trim(leading '0' from ?) as binary)",
      bindings: [{ slot: 'wanted' }, { slot: 'wanted' }],
    })
  })

  test('of order with an integer or a time takes the bare value', () => {
    for (const definition of ['bigint', 'datetime(6)', 'timestamp']) {
      const query = builder
        .select(raw('1'))
        .from(quoteName('t'))
        .where(raw('? > ?', quoteName('c'), placeholder(buildColumn('c', definition), slot('after'))))
      expect(toTemplate(query).sql).toBe('select 1 from `t` where `c` > ?')
    }
  })
})

describe('a template', () => {
  const template = toTemplate(
    builder
      .select(raw('1'))
      .from(quoteName('t?'))
      .where(raw('? = ?', quoteName('c'), constant('=1?')))
      .where(raw('? = ?', quoteName('d'), slot('wanted')))
      .orderByRaw(raw('? limit ?', quoteName('c'), slot('limit'))),
  )

  test('binds each value to its slot, and constants unchanged', () => {
    const values = new Map([
      ['limit', '26'],
      ['wanted', 'x'],
      ['unused', 'y'],
    ])
    expect(bindTemplate(template, values)).toEqual({
      sql: 'select 1 from `t?` where `c` = ? and `d` = ? order by `c` limit ?',
      values: ['=1?', 'x', '26'],
    })
  })

  test('binds what knex binds as a constant', () => {
    const query = builder.select(raw('1')).from(quoteName('t')).whereIn('name', ['x', 'y']).limit(2)
    expect(bindTemplate(toTemplate(query))).toEqual({
      sql: 'select 1 from `t` where `name` in (?, ?) limit ?',
      values: ['x', 'y', '2'],
    })
  })

  test('is not bound while a value is missing', () => {
    expect(() => bindTemplate(template, new Map([['limit', '26']]))).toThrow('No value for the slot wanted')
  })

  test('keeps a NULL and the text without the index hint', () => {
    const bound = bindTemplate(
      { ...template, withoutIndexHint: 'select 2' },
      new Map([
        ['limit', '1'],
        ['wanted', null],
      ]),
    )
    expect(bound.values).toEqual(['=1?', null, '1'])
    expect(bound.withoutIndexHint).toBe('select 2')
  })
})
