import { describe, expect, test } from 'vitest'
import { findSessionIssue, renderSession, toDialect } from '../../../src/database/dialects.js'

const mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ALLOW_INVALID_DATES'

test.each([
  ['26.10.1-commercial', 'mysql'],
  ['8.0.mysql_aurora.3.08.0', 'mysql'],
  ['10.11.19-MariaDB', 'mariadb'],
  ['5.5.5-12.1.2-MariaDB-1:12.1.2+maria~deb12', 'mariadb'],
  ['an unknown version', 'mysql'],
] as const)('the server %s is read as %s', (version, dialect) => {
  expect(toDialect(version)).toBe(dialect)
})

const shown = {
  mysql: { max_execution_time: '5000', transaction_read_only: 'ON', transaction_isolation: 'READ-COMMITTED' },
  mariadb: {
    ...{ max_statement_time: '5.000000', tx_read_only: 'ON', tx_isolation: 'READ-COMMITTED' },
    system_versioning_asof: 'DEFAULT',
  },
} as const
const common = {
  ...{ autocommit: 'ON', time_zone: '+00:00', sql_mode: mode, sql_select_limit: '18446744073709551615' },
  ...{
    character_set_client: 'utf8mb4',
    character_set_connection: 'utf8mb4',
    character_set_results: 'utf8mb4',
  },
  ...{ sql_big_selects: 'ON', sql_auto_is_null: 'OFF', max_sort_length: '4096', sql_quote_show_create: 'ON' },
  lock_wait_timeout: '5',
}

describe.each(['mysql', 'mariadb'] as const)('a session of %s', (dialect) => {
  const good: Readonly<Record<string, string>> = { ...common, ...shown[dialect] }
  const find = (change: Readonly<Record<string, string | undefined>> = {}): string | undefined =>
    findSessionIssue(dialect, 5000, new Map(Object.entries({ ...good, ...change })))

  test('passes what was set, with the modes in any order', () => {
    expect(find()).toBeUndefined()
    expect(find({ sql_mode: mode.split(',').reverse().join(',') })).toBeUndefined()
  })

  test.each(Object.keys({ ...common, ...shown[dialect] }))('names %s where it has another value', (name) => {
    expect(renderSession(dialect, 5000).sql).toContain(` ${name} = `)
    expect(find({ [name]: 'other' })).toMatch(new RegExp(`^${name} is other after SET SESSION ${name} = `))
    expect(find({ [name]: undefined })).toMatch(new RegExp(`^${name} is not shown `))
  })

  test('keeps a limit below a second', () => {
    expect(renderSession(dialect, 10).sql).toMatch(/max_(?:statement_time = 0\.010|execution_time = 10),/)
  })
})
