import { describe, expect, test } from 'vitest'
import { toColumn } from '../../../src/database/column.js'
import { buildColumn } from '../../support/schema.js'

describe('a column', () => {
  test.each([
    ['char', 'text'],
    ['varchar', 'text'],
    ['tinytext', 'text'],
    ['text', 'text'],
    ['mediumtext', 'text'],
    ['longtext', 'text'],
    ['enum', 'text'],
    ['set', 'text'],
    ['json', 'json'],
    ['binary', 'binary'],
    ['varbinary', 'binary'],
    ['tinyint', 'integer'],
    ['smallint', 'integer'],
    ['mediumint', 'integer'],
    ['int', 'integer'],
    ['bigint', 'integer'],
    ['decimal', 'decimal'],
    ['float', 'float'],
    ['double', 'float'],
    ['bit', 'bit'],
    ['date', 'date'],
    ['datetime', 'datetime'],
    ['timestamp', 'timestamp'],
    ['BIGINT', 'integer'],
    ['time', 'unreadable'],
    ['year', 'unreadable'],
    ['geometry', 'unreadable'],
    ['blob', 'unreadable'],
    ['vector', 'unreadable'],
  ])('of %s is read as %s', (dataType, kind) => {
    expect(buildColumn('c', dataType).kind).toBe(kind)
  })

  test('keeps what the server says of it', () => {
    const description = {
      name: 'Attendee_No',
      dataType: 'bigint',
      columnType: 'BIGINT(20) UNSIGNED',
      nullable: true,
      length: 0,
      fractionDigits: 0,
      characterSet: null,
      collation: null,
    }
    expect(toColumn(description)).toEqual({
      name: 'Attendee_No',
      kind: 'integer',
      type: 'BIGINT(20) UNSIGNED',
      nullable: true,
      unsigned: true,
      length: 0,
      fractionDigits: 0,
      characterSet: null,
      collation: null,
      zerofill: false,
    })
  })

  test('may have leading zeros where the server says so', () => {
    expect(buildColumn('c', 'int').zerofill).toBe(false)
    expect(buildColumn('c', 'int zerofill').zerofill).toBe(true)
  })

  test('is signed unless the server says otherwise', () => {
    expect(buildColumn('c', 'bigint').unsigned).toBe(false)
    expect(buildColumn('c', 'bigint unsigned').unsigned).toBe(true)
  })
})
