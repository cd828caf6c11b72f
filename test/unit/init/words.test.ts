import { expect, test } from 'vitest'
import { listNameForms, splitWords, toSingular } from '../../../src/init/words.js'

test.each(['created_at', 'createdAt', 'CREATED_AT'])('%s has the words created and at', (name) => {
  expect(splitWords(name)).toEqual(['created', 'at'])
})

test.each([
  ['invoices', 'invoice'],
  ['companies', 'company'],
  ['statuses', 'status'],
  ['status', 'status'],
  ['people', 'person'],
])('the singular of %s is %s', (word, singular) => {
  expect(toSingular(word)).toBe(singular)
})

test.each([
  ['reg_status', 'event_registrations', ['reg_status', 'status']],
  ['invoice_no', 'invoices', ['invoice_no', 'no']],
  ['email', 'attendees', ['email']],
  ['attendee', 'attendees', ['attendee']],
])('%s in %s is compared as %j', (column, table, forms) => {
  expect(listNameForms(column, table)).toEqual(forms)
})
