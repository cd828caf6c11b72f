import { expect, test } from 'vitest'
import { runStatements } from '../product/server.js'
import { changeMapping, findSection as find, runCheck } from '../support/checking.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

/** The check of invoices whose change is an integer of seconds with these values. */
async function checkMoved(values: string): ReturnType<typeof runCheck> {
  const product = await throwaway.createProduct('plain', { registrations: 20 })
  await runStatements(product.adminUrl, [
    'ALTER TABLE invoices ADD moved BIGINT NOT NULL DEFAULT 0',
    `UPDATE invoices SET moved = ${values}`,
  ])
  const old = 'updatedAt: updated_at\nneverRead:'
  const by = 'updatedAt: { column: moved, epoch: s }\nneverRead:'
  // The account of the service may not read a new column.
  return runCheck(await changeMapping({ ...product, readUrl: product.adminUrl }, old, by))
}

test('finds integer times that are read with a unit too small, and the unit that gives present times', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 20 })
  await runStatements(product.adminUrl, [
    'ALTER TABLE invoices ADD made BIGINT NOT NULL DEFAULT 0',
    'UPDATE invoices SET made = UNIX_TIMESTAMP(created_at)',
  ])
  // The account of the service may not read a new column.
  const database = { ...product, readUrl: product.adminUrl }
  const listTimes = async (epoch: string): Promise<readonly unknown[]> => {
    const old = 'dueDate: due_date\n    createdAt: created_at'
    const by = `dueDate: due_date\n    createdAt: { column: made, epoch: ${epoch} }`
    const { findings } = find(await runCheck(await changeMapping(database, old, by)), 'times')
    return findings
  }
  expect(await listTimes('ms')).toEqual([
    {
      severity: 'warning',
      object: 'invoices.made',
      problem: expect.stringMatching(
        /^its newest time is shown as 1970-\S+Z, which is before the year 2000$/,
      ) as string,
      fix: 'set epoch in invoices.fields.createdAt to the unit in which the product counts: with s, the time would be a recent one',
    },
  ])
  expect(await listTimes('s')).toEqual([])
})

test('finds a time of change that is read with a unit too large, so that no row can be shown', async () => {
  const report = await checkMoved('UNIX_TIMESTAMP(updated_at) * 1000')
  expect(find(report, 'times').findings).toMatchObject([
    {
      severity: 'error',
      object: 'invoices.moved',
      fix: 'set epoch in invoices.fields.updatedAt to the unit in which the product counts: with ms, the time would be a recent one',
    },
  ])
  const errors = find(report, 'sample').findings.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ problem }) => problem)).toEqual([
    expect.stringMatching(/^all \d+ rows of the sample cannot be shown: updatedAt /),
  ])
})

test('a time of change ahead of the clock, in the right unit, is no matter of the unit', async () => {
  const report = await checkMoved('UNIX_TIMESTAMP() + 7200')
  expect(find(report, 'times').findings.map(({ fix }) => fix)).toEqual([
    'correct the time of change of these rows: a sync would return them again and again',
  ])
})
