import { expect, test } from 'vitest'
import { listForbidden } from '../../../../src/tools/init/forbidden.js'
import { createGraph } from '../../../../src/tools/init/graph.js'
import { describeTables } from '../../../support/described.js'

const tables = describeTables({
  attendees: [
    'id INT PRIMARY KEY',
    'company_id INT',
    'email VARCHAR(80)',
    'hash CHAR(64)',
    'badge_code CHAR(8)',
    'badge_token CHAR(8)',
    'jobTitle VARCHAR(80)',
    'passport_no VARCHAR(20)',
    'seat INT',
  ],
  password_resets: ['email VARCHAR(80)', 'token VARCHAR(80)'],
  zatca_submissions: ['id INT PRIMARY KEY', 'invoice_id INT'],
  events: ['id INT PRIMARY KEY', 'notes TEXT'],
})

test('secrets, e-invoicing and personal data are forbidden: columns of mapped tables, and whole tables of others', () => {
  const forbidden = listForbidden(createGraph(tables), [{ table: 'attendees', column: 'email' }])
  expect(forbidden.map(({ pattern }) => pattern)).toEqual([
    '*.hash',
    '*.badge_code',
    '*.badge_token',
    'attendees.jobTitle',
    '*.passport_no',
    'password_resets.*',
    'zatca_submissions.*',
    'events.*',
  ])
})

test('tax numbers, parts of card numbers and codes of access are forbidden in every table, in other languages too', () => {
  const others = describeTables({
    customer_entity: ['entity_id INT PRIMARY KEY', 'taxvat VARCHAR(50)', 'email VARCHAR(80)'],
    sales_order_payment: ['entity_id INT PRIMARY KEY', 'cc_last_4 VARCHAR(4)', 'cc_number_enc VARCHAR(128)'],
    iscrizioni: ['id INT PRIMARY KEY', 'codice_accesso VARCHAR(12)', 'codice_corso VARCHAR(12)'],
    inscripciones: ['id INT PRIMARY KEY', 'codigo_de_acceso VARCHAR(12)'],
    anmeldungen: ['id INT PRIMARY KEY', 'zugangscode VARCHAR(12)', 'access VARCHAR(12)'],
  })
  const used = [...others.values()].map(({ name, primary }) => ({ table: name, column: primary[0] ?? '' }))
  expect(listForbidden(createGraph(others), used).map(({ pattern }) => pattern)).toEqual([
    '*.taxvat',
    'customer_entity.email',
    '*.cc_last_4',
    '*.cc_number_enc',
    '*.codice_accesso',
    '*.codigo_de_acceso',
    '*.zugangscode',
  ])
})

test('the amount and the rate of a tax are no tax numbers, and a flag is no address', () => {
  const others = describeTables({
    payments: [
      'id INT PRIMARY KEY',
      'tax_amount DECIMAL(13, 2)',
      'vat_rate DECIMAL(5, 2)',
      'tax_value DECIMAL(13, 2)',
      'tax_no VARCHAR(40)',
      'is_primary_address TINYINT',
    ],
    people: ['id INT PRIMARY KEY', 'primary_address TEXT', 'internalNotes TEXT'],
  })
  const used = [...others.values()].map(({ name }) => ({ table: name, column: 'id' }))
  expect(listForbidden(createGraph(others), used).map(({ pattern }) => pattern)).toEqual([
    // Of a mapped table, as an amount outside of the contract.
    'payments.tax_amount',
    '*.tax_no',
    'people.primary_address',
    'people.internalNotes',
  ])
})

test('a table with a secret that no mapped row leads to is forbidden as a whole', () => {
  const others = describeTables({
    attendees: ['id INT PRIMARY KEY', 'person_id INT NOT NULL'],
    persons: ['id INT PRIMARY KEY', 'name VARCHAR(80)', 'password VARCHAR(80)'],
    admins: ['id INT PRIMARY KEY', 'login VARCHAR(80)', 'password VARCHAR(80)'],
    pages: ['id INT PRIMARY KEY', 'title VARCHAR(80)'],
  })
  const used = [{ table: 'attendees', column: 'id' }]
  expect(listForbidden(createGraph(others), used).map(({ pattern }) => pattern)).toEqual([
    '*.password',
    'admins.*',
  ])
})

test('a document of any content is forbidden, and a short text of that name is not', () => {
  const others = describeTables({
    attendees: ['id INT PRIMARY KEY', 'answers TEXT', 'settings VARCHAR(20)', 'custom_fields JSON'],
  })
  const used = [{ table: 'attendees', column: 'id' }]
  expect(listForbidden(createGraph(others), used).map(({ pattern }) => pattern)).toEqual([
    'attendees.answers',
    'attendees.custom_fields',
  ])
})

test('a mapped column is not forbidden, neither by its name nor by a pattern of others', () => {
  const used = ['badge_code', 'hash', 'jobTitle'].map((column) => ({ table: 'attendees', column }))
  const patterns = listForbidden(createGraph(tables), [
    ...used,
    { table: 'password_resets', column: 'email' },
  ]).map(({ pattern }) => pattern)
  expect(patterns).toEqual([
    'attendees.email',
    '*.badge_token',
    '*.passport_no',
    '*.token',
    'zatca_submissions.*',
    'events.*',
  ])
})

test('a table whose rows belong to a registration is forbidden as a whole, unless the mapping reads it', () => {
  const others = describeTables({
    attendees: ['id INT PRIMARY KEY', 'email VARCHAR(80)'],
    meals: ['id INT PRIMARY KEY', 'attendee_id INT', 'kind VARCHAR(80)'],
    scans: ['id INT PRIMARY KEY', 'attendee_id INT', 'at DATETIME'],
  })
  const used = [
    { table: 'attendees', column: 'email' },
    { table: 'scans', column: 'at' },
  ]
  const patterns = listForbidden(createGraph(others), used, others.get('attendees'))
  expect(patterns.map(({ pattern }) => pattern)).toEqual(['meals.*'])
})

test('a state beside an address is a part of it, also behind other parts; one at another place is none', () => {
  const others = describeTables({
    orders: [
      'id INT PRIMARY KEY',
      'street VARCHAR(80)',
      'city VARCHAR(80)',
      'zip CHAR(9)',
      'country CHAR(2)',
      'state CHAR(2)',
    ],
    enrollments: [
      'id INT PRIMARY KEY',
      'state VARCHAR(9)',
      'diet TEXT',
      'street VARCHAR(80)',
      'zip CHAR(9)',
      'city VARCHAR(80)',
    ],
  })
  const used = [...others.values()].map(({ name }) => ({ table: name, column: 'id' }))
  const patterns = listForbidden(createGraph(others), used).map(({ pattern }) => pattern)
  expect(patterns).toContain('orders.state')
  expect(patterns).not.toContain('enrollments.state')
})

test('a description is one of a person only in a table of people', () => {
  const others = describeTables({
    registrations: ['id INT PRIMARY KEY', 'email VARCHAR(80)'],
    plans: ['id INT PRIMARY KEY', 'description TEXT'],
    speakers: ['id INT PRIMARY KEY', 'last_name VARCHAR(80)', 'description TEXT'],
  })
  const used = [{ table: 'registrations', column: 'email' }]
  const patterns = listForbidden(createGraph(others), used).map(({ pattern }) => pattern)
  expect(patterns).toEqual(['speakers.*'])
})
