import { describe, expect, test } from 'vitest'
import { builder, raw, toStatement } from '../../../src/database/builder-sql.js'
import {
  bind,
  equals,
  hint,
  Hole,
  prepare,
  quote,
  quoteColumn,
  sql,
  toOperand,
} from '../../../src/database/sql.js'
import type { Sql } from '../../../src/database/sql.js'
import { buildColumn } from '../../support/schema.js'

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
    expect(quote(name).text).toBe(quoted)
  })

  test('of a column of a table is two identifiers', () => {
    expect(quoteColumn('a?', buildColumn('b`', 'int')).text).toBe('`a?`.`b```')
  })
})

describe('a comparison', () => {
  const compare = (definition: string): Sql =>
    equals(buildColumn('c', definition), quote('c'), new Hole('wanted'))

  test.each([
    ...['bigint unsigned', 'char(26) ascii_bin', 'varchar(9) utf8mb4_0900_bin'],
    ...['varchar(9) utf8mb4_0900_ai_ci', 'enum() utf8mb4_bin'],
  ])('compares the bytes too, whatever the column is known to be: %s', (definition) => {
    expect(compare(definition)).toEqual({
      text: '`c` = ? and cast(convert(`c` using utf8mb4) as binary) = cast(? as binary)',
      values: [new Hole('wanted'), new Hole('wanted')],
    })
  })

  test('with an integer that is shown with leading zeros leaves them out', () => {
    expect(compare('int zerofill').text).toBe(
      "`c` = ? and cast(trim(leading '0' from convert(`c` using utf8mb4)) as binary)" +
        " = cast(trim(leading '0' from ?) as binary)",
    )
  })

  test('of order with an integer or a time takes the bare value', () => {
    for (const definition of ['bigint', 'datetime(6)', 'timestamp'])
      expect(toOperand(buildColumn('c', definition), new Hole('after')).text).toBe('?')
  })

  test('with a text of an older character set converts the value', () => {
    expect(compare('varchar(9) latin1_swedish_ci').text).toContain(
      '`c` = convert(cast(? as char) using latin1) collate latin1_swedish_ci and ',
    )
  })
})

describe('a statement', () => {
  const text = sql`select ${'=1?'}, ${new Hole('wanted')} limit ${new Hole('limit')}`

  test('has the values of a request in its holes, and its own values beside them', () => {
    const { sql: sent, values } = bind(prepare(text), new Map(Object.entries({ limit: '1', wanted: null })))
    expect([sent, values]).toEqual(['select ?, ? limit ?', ['=1?', null, '1']])
  })

  test('without a value for a hole is an error of the program', () => {
    expect(() => bind(prepare(text), new Map([['limit', '26']]))).toThrow('No value for the hole wanted')
  })

  test('keeps the text without index hints only where it differs', () => {
    const hinted = sql`select 1 from t${hint('a`b')} where ${'x'}`
    const { sql: sent, withoutIndexHint } = bind(prepare(hinted), new Map())
    expect([sent, withoutIndexHint]).toEqual([
      'select 1 from t force index (`a``b`) where ?',
      'select 1 from t where ?',
    ])
    expect(bind(prepare(sql`select 1${hint()}`), new Map()).withoutIndexHint).toBeUndefined()
  })

  test('of the ordinary builder binds plain values', () => {
    const query = builder
      .select(raw('?', raw('`a`')))
      .from('t')
      .limit(3)
    expect(toStatement(query)).toEqual({ sql: 'select `a` from `t` limit 3', values: [] })
  })
})
