import { expect, test, vi } from 'vitest'
import { createTemplateCache } from '../../../src/query/table-sql.js'
import { resolvePlain } from '../../support/plain-mapping.js'

test('templates are built once, and a bounded number of them is kept', () => {
  const { table } = resolvePlain().invoices
  const find = createTemplateCache()
  const compile = vi.fn(() => ({ sql: '', bindings: [] }))
  for (let at = 0; at < 2; at += 1) find(table, 'first', compile)
  expect(compile).toHaveBeenCalledTimes(1)
  for (let at = 0; at < 500; at += 1) find(table, String(at), compile)
  find(table, 'first', compile)
  expect(compile).toHaveBeenCalledTimes(502)
})
