import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import { listIssues } from '../support/issues.js'

const required = { DATABASE_URL: 'mysql://reader:secret@db/product' }

describe('the lag of replicas', () => {
  const parse = (variables: Readonly<Record<string, string>>): number =>
    parseConfig({ ...required, ...variables }).database.lagMaxSeconds

  test('may be half of the overlap, unless the environment says how much', () => {
    expect(parse({ SYNC_OVERLAP_SECONDS: '61' })).toBe(30)
    expect(parse({ SYNC_OVERLAP_SECONDS: '0' })).toBe(0)
    expect(parse({ SYNC_OVERLAP_SECONDS: '61', DATABASE_REPLICA_LAG_MAX_SECONDS: '61' })).toBe(61)
  })

  test('may never be more than the overlap, since syncs would miss what they came too early for', () => {
    expect(listIssues(() => parseConfig({ ...required, DATABASE_REPLICA_LAG_MAX_SECONDS: '121' }))).toEqual([
      {
        path: 'DATABASE_REPLICA_LAG_MAX_SECONDS',
        found: '"121"',
        allowed: 'a whole number, 0 to SYNC_OVERLAP_SECONDS',
      },
    ])
  })
})
