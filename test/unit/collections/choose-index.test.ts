import { describe, expect, test } from 'vitest'
import type { Index } from '../../../src/database/column.js'
import { chooseIndex } from '../../../src/collections/choose-index.js'
import type { IndexedShape } from '../../../src/collections/choose-index.js'
import { resolveProduct } from '../../support/plain-mapping.js'

const start: IndexedShape = { event: false }
const registrations = resolveProduct('plain').registrations.table

function choose(
  shape: Partial<IndexedShape>,
  columns: readonly (readonly string[])[],
): readonly string[] | undefined {
  const indexes = columns.map((parts, at): Index => ({ name: `ix${at}`, columns: parts }))
  return chooseIndex({ ...registrations, indexes }, { ...start, ...shape })?.columns
}

describe('the index of a list', () => {
  test('holds what the list fixes, then updatedAt, then id', () => {
    expect(chooseIndex(registrations, start)?.name).toBe('ix_reg_sync')
    expect(chooseIndex(registrations, { ...start, event: true })?.name).toBe('ix_reg_event')
  })

  test('is the one that fixes most, whatever their order in the table', () => {
    const sync = ['workspace_id', 'updated_at', 'id']
    const event = ['workspace_id', 'event_id', 'updated_at', 'id']
    const both = ['reg_status', 'event_id', 'workspace_id', 'archived_at', 'updated_at', 'id']
    expect(choose({ event: true, status: true }, [sync, both, event])).toBe(both)
    expect(choose({ event: true, status: true }, [both, event, sync])).toBe(both)
    expect(choose({ event: true }, [sync, both, event])).toBe(event)
    expect(choose({}, [both, event, sync])).toBe(sync)
  })

  test('is the first of two that fix as much', () => {
    const indexes = [
      { name: 'b', columns: ['workspace_id', 'updated_at', 'id'] },
      { name: 'a', columns: ['workspace_id', 'updated_at', 'id', 'reg_status'] },
    ]
    expect(chooseIndex({ ...registrations, indexes }, start)?.name).toBe('b')
  })

  test('may fix the column by which records are archived', () => {
    const index = ['workspace_id', 'archived_at', 'updated_at', 'id']
    expect(choose({}, [index])).toBe(index)
  })

  test.each([
    ['without the workspace', ['archived_at', 'updated_at', 'id']],
    ['without the id', ['workspace_id', 'updated_at']],
    ['with the id before updatedAt', ['workspace_id', 'id', 'updated_at']],
    ['with a column between', ['workspace_id', 'updated_at', 'event_id', 'id']],
    ['that begins with updatedAt', ['updated_at', 'id', 'workspace_id']],
    ['with a filter that is not sent', ['workspace_id', 'event_id', 'updated_at', 'id']],
    ['of fixed columns alone', ['workspace_id', 'archived_at']],
    ['without columns', []],
  ])('is none %s', (_what, columns) => {
    expect(choose({}, [columns])).toBeUndefined()
  })

  test('does not fix a status that stands for several stored ones', () => {
    const index = ['workspace_id', 'reg_status', 'updated_at', 'id']
    expect(choose({ status: true }, [index])).toBe(index)
    expect(choose({ status: false }, [index])).toBeUndefined()
  })

  test('does not fix an event that a link table knows', () => {
    const { table: source } = resolveProduct('awkward').invoices
    expect(chooseIndex(source, { ...start, event: true })?.name).toBe('by_tenant')
  })

  test('does not fix a column that is archived by a value: other values are many', () => {
    const { table: source } = resolveProduct('awkward').registrations
    const indexes = [{ name: 'x', columns: ['tenant', 'is_deleted', 'touched', 'attendee no'] }]
    expect(chooseIndex({ ...source, indexes }, start)).toBeUndefined()
  })
})
