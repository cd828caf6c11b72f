import { describe, expect, test } from 'vitest'
import { findRejected, isUnreachable, toDatabaseError } from '../../../src/database/errors.js'
import { Problem } from '../../../src/errors.js'

describe('an unreachable database', () => {
  test.each([
    ['a refused connection', { code: 'ECONNREFUSED', errno: -111 }],
    ['a name that is not found', { code: 'ENOTFOUND', errno: -3008 }],
    ['a name server that does not answer', { code: 'EAI_AGAIN', errno: -3001 }],
    ['no answer in time', { code: 'PROTOCOL_DEADLINE' }],
    ['a connection that is closed during the greeting', { code: 'PROTOCOL_CONNECTION_LOST' }],
    ['too many connections', { code: 'ER_CON_COUNT_ERROR', errno: 1040 }],
    ['a server that is shutting down', { code: 'ER_SERVER_SHUTDOWN', errno: 1053 }],
    ['a proxy without a server', { code: 'CR_CONN_HOST_ERROR', errno: 2003 }],
  ])('%s', (_, more) => {
    expect(isUnreachable(Object.assign(new Error('x'), more))).toBe(true)
  })

  test.each([
    ['access denied', { code: 'ER_ACCESS_DENIED_ERROR', errno: 1045 }],
    ['an unknown database', { code: 'ER_BAD_DB_ERROR', errno: 1049 }],
    ['an address that is not allowed', { code: 'ER_HOST_NOT_PRIVILEGED', errno: 1130 }],
    ['a server without TLS', { code: 'HANDSHAKE_NO_SSL_SUPPORT' }],
    ['a certificate that is not trusted', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }],
    ['a session that is not as it must be', {}],
  ])('is not %s', (_, more) => {
    expect(isUnreachable(Object.assign(new Error('x'), more))).toBe(false)
  })

  test('is no thrown text', () => {
    expect(isUnreachable('ECONNREFUSED')).toBe(false)
  })
})

/* The first four are of a connection that breaks. The others are errors of SHOW GRANTS too, where
 * `group_replication_consistency` is BEFORE. */
test.each([1158, 1159, 1160, 1161, 3796, 3797, 3798, 3799])(
  'error %i of a member that joins or leaves its group is no statement that the engine lacks',
  (errno) => {
    const error = Object.assign(new Error('x'), { errno, sql: 'show grants' })
    expect(toDatabaseError(error)).toBeInstanceOf(Problem)
    expect(findRejected(error)).toBeUndefined()
  },
)
