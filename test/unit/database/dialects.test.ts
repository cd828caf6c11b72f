import { describe, expect, test } from 'vitest'
import {
  findSessionIssue,
  isNewerThanKnown,
  renderSession,
  toDialect,
  toSessionState,
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
})

describe('the check of a session', () => {
  const asked = {
    time_zone: '+00:00',
    sql_mode: mode,
    character_set_client: 'utf8mb4',
    sql_quote_show_create: 'ON',
  }
  const good = {
    mysql: { ...asked, max_execution_time: '5000', transaction_read_only: 'ON' },
    mariadb: { ...asked, max_statement_time: '5.000000', tx_read_only: 'ON' },
  }
  const find = (
    change: Readonly<Record<string, string>> = {},
    dialect: keyof typeof good = 'mysql',
  ): string | undefined => {
    const variables = new Map(Object.entries({ ...good[dialect], ...change }))
    return findSessionIssue(
      toSessionState(dialect, (name) => variables.get(name) ?? ''),
      5000,
    )
  }

  test.each(['mysql', 'mariadb'] as const)(
    'passes what was asked for on %s, in any order and with more',
    (dialect) => {
      expect(find({}, dialect)).toBeUndefined()
      const more = [...mode.split(','), 'ANSI_QUOTES'].reverse().join(',')
      expect(find({ sql_mode: more }, dialect)).toBeUndefined()
    },
  )

  test.each([
    [{ time_zone: 'SYSTEM' }, 'time_zone is not +00:00'],
    [{ sql_mode: '' }, 'sql_mode is not strict'],
    [{ sql_mode: 'STRICT_ALL_TABLES' }, 'sql_mode is not strict'],
    [{ max_execution_time: '0' }, 'the statement time limit is not set'],
    [{ max_execution_time: '' }, 'the statement time limit is not set'],
    [{ transaction_read_only: 'OFF' }, 'transactions are not read-only'],
    [{ transaction_read_only: '' }, 'transactions are not read-only'],
    [{ sql_quote_show_create: 'OFF' }, 'SHOW CREATE would not quote names'],
    [{ character_set_client: 'latin1' }, 'character_set_client is not utf8mb4'],
  ])('finds %o', (wrong, fault) => {
    expect(find(wrong)).toBe(fault)
  })

  test.each([{ max_statement_time: '0.000000' }, { tx_read_only: 'OFF' }])('finds %o on MariaDB', (wrong) => {
    expect(find(wrong, 'mariadb')).toBeDefined()
  })
})
