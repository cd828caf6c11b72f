import type { Change } from '../breaking-proxy.js'
import { changeRecords } from '../change.js'
import type { Fields } from '../change.js'
import type { Break } from './break.js'

/** Records with other fields, or fields with other values, than the contract has. */
export const recordBreaks: readonly Break[] = [
  {
    name: 'every record has a phone',
    guarantee: 'fields',
    change: () => changeRecords('registrations', withPhone),
  },
  {
    name: 'the records of lists have a phone',
    guarantee: 'fields',
    change: () => changeRecords('registrations', withPhone, 'lists'),
  },
  {
    name: 'single records have a phone',
    guarantee: 'fields',
    change: () => changeRecords('registrations', withPhone, 'items'),
  },
  {
    name: 'some records have a subtotal',
    guarantee: 'fields',
    change: () =>
      changeRecords('invoices', (record) =>
        record['status'] === 'VOID' ? { ...record, subtotal: '1.00' } : record,
      ),
  },
  {
    name: 'a field is missing',
    guarantee: 'fields',
    change: () => changeRecords('registrations', ({ email: _, ...rest }) => rest),
  },
  {
    name: 'a field is missing where it is null',
    guarantee: 'fields',
    change: () =>
      changeRecords('registrations', ({ checkedInAt, ...rest }) =>
        checkedInAt === null ? rest : insertBefore(rest, 'createdAt', { checkedInAt }),
      ),
  },
  {
    name: 'the fields are in another order',
    guarantee: 'fields',
    change: () => changeRecords('invoices', ({ id, number, ...rest }) => ({ number, id, ...rest })),
  },
  {
    name: 'a total is a number',
    guarantee: 'field-types',
    change: () => changeField('invoices', 'total', Number),
  },
  {
    name: 'the number of an invoice is a number',
    guarantee: 'field-types',
    change: () => changeField('invoices', 'number', (text) => Number(text.replace(/\D/g, ''))),
  },
  {
    name: 'an id is a number',
    guarantee: 'field-types',
    change: () => changeField('registrations', 'id', (text) => parseInt(text, 36), 'lists'),
  },
  {
    name: 'an email is null',
    guarantee: 'field-types',
    change: () => changeField('registrations', 'email', (text) => (text.includes('7') ? null : text)),
  },
  {
    name: 'checkedIn is 0 or 1',
    guarantee: 'field-types',
    change: () =>
      changeRecords('registrations', (record) => ({ ...record, checkedIn: Number(record['checkedIn']) })),
  },
  {
    name: 'a total has an exponent',
    guarantee: 'amounts',
    change: () => changeField('invoices', 'total', (text) => Number(text).toExponential()),
  },
  {
    name: 'a total lacks the zeros of its currency',
    guarantee: 'amounts',
    change: () => changeField('invoices', 'total', (text) => String(Number(text))),
  },
  {
    name: 'a total has zeros beyond those of its currency',
    guarantee: 'amounts',
    change: () =>
      changeField('invoices', 'total', (text) =>
        text.includes('.') ? text.padEnd(text.indexOf('.') + 5, '0') : text,
      ),
  },
  {
    name: 'a total has separators of thousands',
    guarantee: 'amounts',
    change: () => changeField('invoices', 'total', (text) => text.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',')),
  },
  {
    name: 'a currency has small letters',
    guarantee: 'amounts',
    change: () => changeField('invoices', 'currency', (text) => text.toLowerCase()),
  },
  {
    name: 'a timestamp has no milliseconds',
    guarantee: 'timestamps',
    change: () => changeField('both', 'updatedAt', (text) => text.replace(/\.\d+/, '')),
  },
  {
    name: 'a timestamp has microseconds',
    guarantee: 'timestamps',
    change: () => changeField('registrations', 'createdAt', (text) => text.replace('Z', '000Z')),
  },
  {
    name: 'a timestamp has an offset',
    guarantee: 'timestamps',
    change: () => changeField('registrations', 'createdAt', (text) => text.replace('Z', '+00:00')),
  },
  {
    name: 'a day does not exist',
    guarantee: 'timestamps',
    change: () => changeField('invoices', 'issueDate', (text) => text.replace(/-\d\d-\d\d/, '-02-30')),
  },
  {
    name: 'a day is zero',
    guarantee: 'timestamps',
    change: () => changeField('invoices', 'dueDate', () => '0000-00-00'),
  },
  {
    name: 'who is not checked in has a time of it',
    guarantee: 'checked-in',
    change: () =>
      changeRecords('registrations', (record) => ({
        ...record,
        checkedInAt: record['checkedInAt'] ?? record['updatedAt'],
      })),
  },
  {
    name: 'a single record has another status than in the list',
    guarantee: 'single-record',
    change: () => changeField('registrations', 'status', (text) => `${text}_`, 'items'),
  },
  {
    name: 'a single record is older than in the list',
    guarantee: 'single-record',
    change: () => changeField('invoices', 'updatedAt', (text) => text.replace(/^\d{4}/, '2025'), 'items'),
  },
  {
    name: 'a single record has a wrapper',
    guarantee: 'fields',
    change: () => changeRecords('both', (record) => ('data' in record ? record : { data: record }), 'items'),
  },
]

function withPhone(record: Fields): Fields {
  return insertBefore(record, 'checkedIn', { phone: '+966 50 000 0000' })
}

function insertBefore(record: Fields, name: string, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(record).flatMap((entry) =>
      entry[0] === name ? [...Object.entries(fields), entry] : [entry],
    ),
  )
}

/** Changes a field of every record where it is text. */
function changeField(
  collection: 'registrations' | 'invoices' | 'both',
  name: string,
  toValue: (text: string) => unknown,
  where?: 'lists' | 'items',
): Change {
  return changeRecords(
    collection,
    (record) => {
      const value = record[name]
      return typeof value === 'string' ? { ...record, [name]: toValue(value) } : record
    },
    where,
  )
}
