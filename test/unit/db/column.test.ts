import { describe, expect, test } from 'vitest'
import { toColumn } from '../../../src/db/column.js'
import { buildColumn } from '../../support/schema.js'

describe('a comparison with = alone is trusted', () => {
  test.each([
    'char(26) ascii_bin',
    'char(26) utf8mb4_bin',
    'char(26) utf8mb4_0900_bin',
    'varchar(26) utf8mb4_0900_bin',
    'varchar(26) utf8mb4_nopad_bin',
    'varchar(26) ascii_nopad_bin',
    'text utf8mb4_0900_bin',
    'int',
    'bigint unsigned',
    'tinyint(1)',
    'bit(1)',
    'binary(16)',
    'varbinary(64)',
  ])('for %s', (definition) => {
    expect(buildColumn('c', definition).exact).toBe(true)
  })
})

describe('a comparison with = alone is not trusted', () => {
  test.each([
    ['a collation without regard to case', 'varchar(26) utf8mb4_general_ci'],
    ['a collation without regard to case, of a CHAR', 'char(26) ascii_general_ci'],
    ['a newer one', 'varchar(26) utf8mb4_0900_ai_ci'],
    ['a collation with regard to case and accents', 'varchar(26) utf8mb4_0900_as_cs'],
    ['a binary collation that pads a VARCHAR', 'varchar(26) utf8mb4_bin'],
    ['a binary collation that pads a TEXT', 'text ascii_bin'],
    ['an ENUM', 'enum() utf8mb4_bin'],
    ['an older character set', 'char(26) latin1_bin'],
    ['the three-byte character set', 'char(26) utf8mb3_bin'],
    ['its older name', 'char(26) utf8_bin'],
    ['a JSON', 'json'],
    ['a DECIMAL', 'decimal(10,2)'],
    ['a FLOAT', 'float'],
    ['a DATETIME', 'datetime(3)'],
  ])('for %s: %s', (_what, definition) => {
    expect(buildColumn('c', definition).exact).toBe(false)
  })
})

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
      exact: true,
    })
  })

  test('is signed unless the server says otherwise', () => {
    expect(buildColumn('c', 'bigint').unsigned).toBe(false)
    expect(buildColumn('c', 'bigint unsigned').unsigned).toBe(true)
  })
})
