import { expect, test } from 'vitest'
import { findRejected, isConnectionLost, ResultError, toDatabaseError } from '../../../src/database/errors.js'
import { Problem } from '../../../src/problems.js'

/* The first four are of a connection that breaks. The others are errors of SHOW GRANTS too, where
 * `group_replication_consistency` is BEFORE. */
test.each([1158, 1159, 1160, 1161, 3796, 3797, 3798, 3799])(
  'error %i is not a missing statement',
  (errno) => {
    const error = Object.assign(new Error('x'), { errno, sql: 'show grants' })
    expect(toDatabaseError(error)).toBeInstanceOf(Problem)
    expect(findRejected(error)).toBeUndefined()
  },
)

test('a session is used again after a result of another type, and after no other answer that is not the result', () => {
  const isLost = (['types', 'answer', 'foreign'] as const).map((what) =>
    isConnectionLost(new ResultError(what, 'x')),
  )
  expect(isLost).toEqual([false, true, true])
})
