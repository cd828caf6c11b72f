import { describe, expect, test } from 'vitest'
import type { Statement } from '../../../src/database/statement.js'
import type { ResolvedTable } from '../../../src/collections/resolved-table.js'
import { planRecord, renderRecord } from '../../../src/collections/record.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { exactly } from '../../support/exactly.js'
import { resolvePlain } from '../../support/plain-mapping.js'

const plain = resolvePlain()
const awkward = resolveAwkward()
const uuid = '00112233-4455-1677-8899-aabbccddeeff'

function render(source: ResolvedTable, workspaceId: string, id: string): Statement | undefined {
  const plan = planRecord(source, workspaceId, id)
  return plan === undefined ? undefined : renderRecord(plan)
}

describe('one record', () => {
  test('is read only in the workspace of its key and while it is not archived', () => {
    expect(render(plain.invoices.table, 'W1', 'I1')).toEqual({
      sql:
        'select `id` as `id`, `invoice_no` as `number`, `invoice_status` as `status`, `grand_total` as `total`, ' +
        '`currency_code` as `currency`, `issue_date` as `issueDate`, `due_date` as `dueDate`, ' +
        '`created_at` as `createdAt`, `updated_at` as `updatedAt` from `invoices` ' +
        `where ${exactly('`id`')} and ${exactly('`workspace_id`')} and (\`archived_at\` is null or \`archived_at\` = '0000-00-00 00:00:00') limit ?`,
      values: ['I1', 'I1', 'W1', 'W1', '2'],
    })
  })

  test('is found by the bytes of its UUID, and is archived by any of several tests', () => {
    const bytes = Buffer.from('00112233445516778899aabbccddeeff', 'hex')
    expect(render(awkward.invoices.table, '7', uuid)).toEqual({
      sql:
        'select `uid` as `id`, `bill_no` as `number`, `phase` as `status`, `amount_minor` as `total`, ' +
        '`cur` as `currency`, `issued` as `issueDate`, `due` as `dueDate`, `made` as `createdAt`, ' +
        '`touched` as `updatedAt` from `bills` ' +
        `where ${exactly('`uid`', 'bytes')} and ${exactly('`tenant`')} and not ifnull((\`is_deleted\` = ?), 0) and (\`hidden_at\` is null or \`hidden_at\` = '0000-00-00 00:00:00') limit ?`,
      values: [bytes, bytes, '7', '7', '1', '2'],
    })
  })

  test.each(['12abc', ' 12', '012', '12.0', '18446744073709551616', ''])(
    'is not looked for under an id that none is shown as: %o',
    (id) => {
      expect(render(awkward.registrations.table, '7', id)).toBeUndefined()
    },
  )

  test.each(['I1 ', 'İ1'])('is not looked for under an id that the column cannot hold: %o', (id) => {
    expect(render(plain.invoices.table, 'W1', id)).toBeUndefined()
  })

  test('is not looked for in a workspace that the column cannot hold', () => {
    expect(render(awkward.registrations.table, 'W1', '12')).toBeUndefined()
  })

  test('holds no text of a caller, however hostile', () => {
    const hostile = "x' or 1=1; -- \\ ` ?"
    const statement = render(plain.invoices.table, 'W1', hostile)
    expect(statement?.sql).toBe(render(plain.invoices.table, 'W1', 'I1')?.sql)
    expect(statement?.values).toEqual([hostile, hostile, 'W1', 'W1', '2'])
  })
})
