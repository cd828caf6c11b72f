import { expect, test } from 'vitest'
import { checkMinorUnits } from '../../../src/check/check-minor-units.js'
import { renderTotalEndings } from '../../../src/check/sample-sql.js'
import { databaseUnavailable } from '../../../src/database/errors.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'

const { invoices } = resolveAwkward()

test('the statement reads a bounded number of rows by the id, and gives one row for each currency', () => {
  expect(renderTotalEndings(invoices, 20_000)).toEqual({
    sql:
      'select `currency`, count(distinct `total`) as `totals`, sum(`total` % 100 <> 0) as `others` from ' +
      '(select `amount_minor` as `total`, `cur` as `currency` from `bills` order by `bills`.`uid` desc limit ?) ' +
      'as `newest` where `total` <> 0 group by `currency`',
    values: ['20000'],
  })
})

test('a constant currency is not selected', () => {
  const constant = { ...invoices.fields.currency, constant: 'JPY', projection: [] }
  const fields = { ...invoices.fields, currency: constant }
  expect(renderTotalEndings({ ...invoices, fields }, 7).sql).toBe(
    'select count(distinct `total`) as `totals`, sum(`total` % 100 <> 0) as `others` from ' +
      '(select `amount_minor` as `total` from `bills` order by `bills`.`uid` desc limit ?) as `newest` where `total` <> 0',
  )
})

test('a database that does not answer in time is a warning with the reason', async () => {
  const problem = databaseUnavailable(new Error('maximum statement execution time exceeded'))
  expect(await checkMinorUnits(invoices, () => Promise.reject(problem))).toEqual([
    expect.objectContaining({
      severity: 'warning',
      object: 'bills.amount_minor',
      problem: 'the unit of totals could not be checked: maximum statement execution time exceeded',
    }),
  ])
  await expect(checkMinorUnits(invoices, () => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError)
})
