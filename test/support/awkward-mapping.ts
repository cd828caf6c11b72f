import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { requireWholeResolved } from './whole-mapping.js'
import type { WholeResolved } from './whole-mapping.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import { buildSchema, buildTable } from './schema.js'

/** The mapping of a product in which nothing is as the plain one has it. */
export const awkwardYaml = `
timezone: '+03:00'
apiKeys:
  table: tokens
  hash: { column: digest, algorithm: sha256, encoding: binary }
  workspace: tenant
  scopes: { column: perms, format: json }
  expiresAt: valid_until
  revokedAt: killed_at
registrations:
  table: attendees?
  workspace: tenant
  archived:
    - { column: is_deleted, equals: 1 }
    - { column: hidden_at, is: set }
  fields:
    id: attendee no
    eventId: { column: gathering, as: uuid-swapped }
    status: { column: state, values: { 1: CONFIRMED, 2: PENDING, 3: CANCELLED, 7: CONFIRMED } }
    name: { columns: [first\`name, last_name], separator: ' ' }
    email: mail
    checkedIn: entered
    checkedInAt: entered_at
    createdAt: made
    updatedAt: touched
invoices:
  table: bills
  workspace: tenant
  archived:
    - { column: is_deleted, equals: 1 }
    - { column: hidden_at, is: set }
  invalidRows: fail
  eventId: { table: bill_gatherings, invoice: bill, event: { column: gathering, as: uuid-swapped } }
  fields:
    id: uid
    number: bill_no
    status: phase
    total: { column: amount_minor, unit: minor }
    currency: cur
    issueDate: issued
    dueDate: due
    createdAt: made
    updatedAt: touched
neverRead:
  - attendees?.gate_*
`

const shared = {
  tenant: 'bigint unsigned',
  is_deleted: 'tinyint(1)',
  hidden_at: 'datetime null',
}

/** The tables of the awkward product, without the columns that nothing maps. */
export const awkwardTables = {
  keys: buildTable('tokens', {
    digest: 'binary(32)',
    tenant: 'bigint unsigned',
    perms: 'json',
    valid_until: 'timestamp(6) null',
    killed_at: 'datetime null',
  }),
  registrations: buildTable(
    'attendees?',
    {
      ...shared,
      'attendee no': 'bigint unsigned',
      gathering: 'binary(16)',
      state: 'tinyint',
      'first`name': 'varchar(80) latin1_swedish_ci null',
      last_name: 'varchar(80) utf8mb4_general_ci null',
      mail: 'varchar(190) utf8mb4_general_ci null',
      entered: 'bit(1)',
      entered_at: 'datetime(6) null',
      made: 'datetime',
      touched: 'datetime(6) null',
    },
    {
      PRIMARY: ['attendee no'],
      by_tenant: ['tenant', 'touched', 'attendee no'],
      by_gathering: ['tenant', 'gathering', 'touched', 'attendee no'],
      by_state: ['tenant', 'state', 'touched', 'attendee no'],
    },
  ),
  invoices: buildTable(
    'bills',
    {
      ...shared,
      uid: 'binary(16)',
      bill_no: 'int unsigned',
      phase: 'varchar(20) latin1_swedish_ci',
      amount_minor: 'bigint',
      cur: 'char(3) latin1_swedish_ci',
      issued: 'datetime',
      due: 'timestamp null',
      made: 'timestamp(6) null',
      touched: 'timestamp(6) null',
    },
    { PRIMARY: ['uid'], by_tenant: ['tenant', 'touched', 'uid'] },
  ),
  links: buildTable('bill_gatherings', { bill: 'binary(16)', gathering: 'binary(16)' }),
}

/** The awkward product's tables as the server describes them. */
export const awkwardSchema = buildSchema(...Object.values(awkwardTables))

/** The awkward product's mapping, with its columns found. */
export function resolveAwkward(): WholeResolved {
  return requireWholeResolved(resolveMapping(readMapping(awkwardYaml), awkwardSchema))
}
