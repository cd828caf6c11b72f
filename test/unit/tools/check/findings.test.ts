import { expect, test } from 'vitest'
import { attempt } from '../../../../src/tools/check/findings.js'
import { databaseUnavailable } from '../../../../src/database/errors.js'

const late = databaseUnavailable(Object.assign(new Error('maximum time exceeded'), { errno: 3024 }))

test('a question that the database does not answer in time is a warning with the reason, and any other error is none', async () => {
  expect(await attempt('bills.cur', () => Promise.reject(late))).toEqual([
    expect.objectContaining({
      severity: 'warning',
      object: 'bills.cur',
      problem: 'could not be checked: maximum time exceeded',
    }),
  ])
  await expect(attempt('bills.cur', () => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError)
})
