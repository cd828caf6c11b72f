import { describe, expect, test } from 'vitest'
import {
  findSessionIssue,
  isNewerThanKnown,
  renderSession,
  renderSessionCheck,
  toDialect,
} from '../../../src/database/dialects.js'

const mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ALLOW_INVALID_DATES'

test.each([
  ['8.0.36', 'mysql', false],
  ['9.7.4', 'mysql', false],
  ['26.7.0', 'mysql', false],
  ['26.10.1', 'mysql', false],
  ['26.10.1-commercial', 'mysql', false],
  ['26.7.0-0ubuntu0.26.04.1', 'mysql', false],
  ['27.1.0', 'mysql', true],
  ['8.0.mysql_aurora.3.08.0', 'mysql', false],
  ['8.0.11-TiDB-v8.5.1', 'mysql', false],
  ['8.0.42-33', 'mysql', false],
  ['10.11.19-MariaDB', 'mariadb', false],
  ['12.1.2-MariaDB', 'mariadb', false],
  ['12.1.2-MariaDB-ubu2404-log', 'mariadb', false],
  ['5.5.5-12.1.2-MariaDB-1:12.1.2+maria~deb12', 'mariadb', false],
  ['13.0.1-MariaDB', 'mariadb', true],
  ['an unknown version', 'mysql', false],
] as const)('the server %s is read as %s', (version, dialect, isNewer) => {
  expect(toDialect(version)).toBe(dialect)
  expect(isNewerThanKnown(version)).toBe(isNewer)
})

describe('a session', () => {
  test('of MySQL begins in UTC, strict, read-only and with a limit in milliseconds', () => {
    expect(renderSession({ dialect: 'mysql', cluster: 'alone' }, 5000)).toEqual({
      sql: `set session time_zone = '+00:00', sql_mode = '${mode}', max_execution_time = 5000, transaction_read_only = 1, lock_wait_timeout = 5, sql_quote_show_create = 1`,
      values: [],
    })
  })

  test('of MariaDB begins the same, with a limit in seconds', () => {
    expect(renderSession({ dialect: 'mariadb', cluster: 'alone' }, 5000)).toEqual({
      sql: `set session time_zone = '+00:00', sql_mode = '${mode}', max_statement_time = 5.000, tx_read_only = 1, lock_wait_timeout = 5, sql_quote_show_create = 1`,
      values: [],
    })
  })

  test('keeps a limit below a second', () => {
    expect(renderSession({ dialect: 'mariadb', cluster: 'alone' }, 10).sql).toContain(
      'max_statement_time = 0.010,',
    )
    expect(renderSession({ dialect: 'mysql', cluster: 'alone' }, 10).sql).toContain(
      'max_execution_time = 10,',
    )
  })

  test.each([
    ['mysql' as const, '@@session.max_execution_time', 'transaction_read_only'],
    ['mariadb' as const, 'round(@@session.max_statement_time * 1000)', 'tx_read_only'],
  ])('of %s is read back whole', (dialect, limit, readOnly) => {
    expect(renderSessionCheck(dialect)).toEqual({
      sql:
        `select @@session.time_zone as timeZone, @@session.sql_mode as sqlMode, ${limit} as queryTimeoutMs, ` +
        `@@session.${readOnly} as readOnly, @@session.character_set_client as characterSet, @@session.sql_quote_show_create as quoted`,
      values: [],
    })
  })
})

describe('the check of a session', () => {
  const good = {
    timeZone: '+00:00',
    sqlMode: mode,
    queryTimeoutMs: 5000,
    readOnly: 1,
    characterSet: 'utf8mb4',
    quoted: 1,
  }

  test('passes what was asked for, in any order and with more', () => {
    expect(findSessionIssue(good, 5000)).toBeUndefined()
    const more = { ...good, sqlMode: [...mode.split(','), 'ANSI_QUOTES'].reverse().join(',') }
    expect(findSessionIssue(more, 5000)).toBeUndefined()
    expect(findSessionIssue({ ...good, queryTimeoutMs: '5000', readOnly: '1' }, 5000)).toBeUndefined()
  })

  test.each([
    [{ timeZone: 'SYSTEM' }, 'time_zone is not +00:00'],
    [{ sqlMode: '' }, 'sql_mode is not strict'],
    [{ sqlMode: 'STRICT_ALL_TABLES' }, 'sql_mode is not strict'],
    [{ queryTimeoutMs: 0 }, 'the statement time limit is not set'],
    [{ queryTimeoutMs: null }, 'the statement time limit is not set'],
    [{ readOnly: 0 }, 'transactions are not read-only'],
    [{ readOnly: undefined }, 'transactions are not read-only'],
    [{ quoted: 0 }, 'SHOW CREATE would not quote names'],
    [{ characterSet: 'latin1' }, 'character_set_client is not utf8mb4'],
  ])('finds %o', (wrong, fault) => {
    expect(findSessionIssue({ ...good, ...wrong }, 5000)).toBe(fault)
  })
})
