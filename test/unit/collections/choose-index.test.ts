import { expect, test } from 'vitest'
import type { Index } from '../../../src/database/column.js'
import { chooseIdIndex, chooseIndex } from '../../../src/collections/choose-index.js'
import { chooseKeyIndex } from '../../../src/collections/lookup.js'
import type { Filters } from '../../../src/collections/cursor.js'
import { resolveProduct } from '../../support/plain-mapping.js'
import { buildTable } from '../../support/schema.js'
import type { StatusColumn } from '../../../src/collections/status-field.js'

const registrations = resolveProduct('plain').registrations.table

function choose(
  filters: Partial<Filters>,
  columns: readonly (readonly string[])[],
): readonly string[] | undefined {
  const indexes = columns.map((parts, at): Index => ({ name: `ix${at}`, columns: parts }))
  const values = new Map(Object.entries({ CONFIRMED: 'CONFIRMED', A: 'BOTH', B: 'BOTH' }))
  const status = { ...(registrations.status as StatusColumn), values }
  return chooseIndex({ ...registrations, status, indexes }, filters)?.columns
}

const sync = ['workspace_id', 'updated_at', 'id']
const event = ['workspace_id', 'event_id', 'updated_at', 'id']
const status = ['workspace_id', 'reg_status', 'updated_at', 'id']
const both = ['reg_status', 'event_id', 'workspace_id', 'archived_at', 'updated_at', 'id']

test.each<[string, Partial<Filters>, readonly (readonly string[])[], chosen?: readonly string[]]>([
  ['the one that fixes most', { eventId: 'E1', status: 'CONFIRMED' }, [sync, both, event], both],
  ['what is fixed by the filters that are sent', { eventId: 'E1' }, [sync, both, event], event],
  ['none of a filter that is not sent', {}, [both, event, sync], sync],
  ['the first of two that fix as much', {}, [sync, [...sync, 'reg_status']], sync],
  ['the column by which records are archived', {}, [['archived_at', ...sync]], ['archived_at', ...sync]],
  ['a status that one stored value stands for', { status: 'CONFIRMED' }, [status], status],
  ['no status that stands for several stored ones', { status: 'BOTH' }, [status]],
  ['none without the workspace', {}, [['archived_at', 'updated_at', 'id']]],
  ['none with the id before updatedAt', {}, [['workspace_id', 'id', 'updated_at']]],
  ['none of fixed columns alone', {}, [['workspace_id', 'archived_at'], []]],
])('the index of a list holds what it fixes, then updatedAt, then id: %s', (_, filters, indexes, chosen) => {
  expect(choose(filters, indexes)).toEqual(chosen)
})

test('a column that is archived by a value fixes nothing: other values are many', () => {
  const { registrations: attendees } = resolveProduct('awkward')
  const indexes = [{ name: 'x', columns: ['tenant', 'is_deleted', 'touched', 'attendee no'] }]
  expect(chooseIndex({ ...attendees.table, indexes })).toBeUndefined()
})

test('where a lookup finds the workspace, no index begins with the column that leads to it, unless a filter compares that', () => {
  const { table } = resolveProduct('ticketing').registrations
  const [changes, all, ofEvent, ids] = [
    ['updated_at', 'id'],
    ['updated_at', 'id', 'event_id'],
    ['event_id', 'updated_at', 'id'],
    ['event_id', 'id'],
  ]
  const chosen = (indexes: readonly (readonly string[])[], filters: Partial<Filters> = {}) =>
    chooseIndex({ ...table, indexes: indexes.map((columns) => ({ name: '', columns })) }, filters)?.columns
  expect(chosen([ofEvent])).toBeUndefined()
  expect(chosen([ofEvent, changes, all])).toBe(all)
  expect(chosen([changes, all], { eventId: '1' })).toBeUndefined()
  expect(chosen([changes, all, ofEvent], { eventId: '1' })).toBe(ofEvent)
  const indexes = [ids, ['id']].map((columns) => ({ name: '', columns }))
  expect(chooseIdIndex({ ...table, indexes })?.columns).toEqual(['id'])
})

test('a lookup takes the index of its key with the most tested columns, or one that makes the key unique', () => {
  const indexes = { a: ['k', 'id'], b: ['k', 'x', 'id'], PRIMARY: ['id'] }
  const lines = buildTable('lines', { id: 'int', k: 'int', x: 'int' }, indexes)
  const [id, k, x] = [...lines.columns.values()]
  const tests = [{ column: x!, is: ['1'], isNegated: false }]
  const chosen = [chooseKeyIndex(lines, k!, tests, false), chooseKeyIndex(lines, k!, [], false)]
  const unique = [chooseKeyIndex(lines, id!, [], true), chooseKeyIndex(lines, k!, [], true)]
  expect([...chosen, ...unique].map((one) => one?.name)).toEqual(['b', 'a', 'PRIMARY', undefined])
})
