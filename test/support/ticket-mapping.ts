import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import type { Schema } from '../../src/database/schema.js'
import { buildSchema, buildTable } from './schema.js'
import { requireWholeResolved } from './whole-mapping.js'
import type { WholeResolved } from './whole-mapping.js'

/** A product whose tables are not shaped like the public records: most of what is shown stands in other tables. */
export const lookupYaml = `
timezone: "+00:00"
apiKeys:
  table: tokens
  hash: { column: digest, algorithm: sha256, encoding: hex }
  workspace: account_id
  scopes: { grant: [registration.read, invoices.read] }
registrations:
  table: tickets
  where:
    - { column: kind, in: [guest, staff] }
    - { column: parent_id, equals: null }
  workspace: { from: events, on: event_id, column: account_id }
  archived: { column: deleted_at, is: set }
  fields:
    id: id
    eventId: event_id
    status:
      when:
        - { column: is_cancelled, equals: 1, then: CANCELLED }
        - { column: paid_at, is: set, then: PAID }
      otherwise: OPEN
    name: { from: orders, on: order_id, columns: [first_name, last_name] }
    email: { from: orders, on: order_id, column: email }
    checkedIn: { constant: false }
    createdAt: { column: created, epoch: s }
    updatedAt: { column: changed, epoch: ms }
invoices:
  table: bills
  workspace: { constant: "1" }
  archived: []
  eventId: null
  fields:
    id: id
    number: bill_no
    status: { from: statuses, on: status_id, key: code, column: name, values: { open: ISSUED, paid: PAID }, otherwise: OTHER }
    total: { sum: [net, { column: tax, scale: 4 }, { column: fee, float: 2 }], nullIsZero: true }
    currency: { from: currencies, on: { from: clients, on: client_id, column: currency_id }, column: code }
    issueDate: { column: issued, epoch: s }
    dueDate: null
    createdAt: created_at
    updatedAt: { column: created_at, neverChanges: true }
neverRead:
  - '*.secret*'
`

/** Its tables. */
export const lookupTables = {
  tokens: buildTable('tokens', { digest: 'char(64) ascii_bin', account_id: 'bigint unsigned' }),
  tickets: buildTable(
    'tickets',
    {
      id: 'bigint unsigned',
      event_id: 'bigint unsigned',
      order_id: 'bigint unsigned',
      parent_id: 'bigint unsigned null',
      kind: 'varchar(20) utf8mb4_0900_ai_ci',
      is_cancelled: 'tinyint',
      paid_at: 'datetime null',
      deleted_at: 'datetime null',
      created: 'int',
      changed: 'bigint',
    },
    { PRIMARY: ['id'], by_event: ['event_id', 'changed', 'id'] },
  ),
  events: buildTable('events', { id: 'bigint unsigned', account_id: 'bigint unsigned' }, { PRIMARY: ['id'] }),
  orders: buildTable(
    'orders',
    {
      id: 'bigint unsigned',
      first_name: 'varchar(80) utf8mb4_0900_ai_ci',
      last_name: 'varchar(80) utf8mb4_0900_ai_ci',
      email: 'varchar(200) utf8mb4_0900_ai_ci',
      secret: 'varchar(80) utf8mb4_0900_ai_ci',
    },
    { PRIMARY: ['id'] },
  ),
  bills: buildTable(
    'bills',
    {
      id: 'int',
      bill_no: 'varchar(20) utf8mb4_0900_ai_ci',
      status_id: 'varchar(8) latin1_swedish_ci',
      client_id: 'int',
      net: 'decimal(12,2) null',
      tax: 'bigint null',
      fee: 'double null',
      issued: 'int',
      created_at: 'timestamp',
    },
    { PRIMARY: ['id'], sync: ['created_at', 'id'] },
  ),
  statuses: buildTable(
    'statuses',
    { id: 'int', code: 'varchar(8) utf8mb4_0900_ai_ci', name: 'varchar(20) utf8mb4_0900_ai_ci' },
    { PRIMARY: ['id'], uq_code: ['code'] },
  ),
  clients: buildTable('clients', { id: 'int', currency_id: 'int' }, { PRIMARY: ['id'] }),
  currencies: buildTable('currencies', { id: 'int', code: 'char(3) ascii_general_ci' }, { PRIMARY: ['id'] }),
}

/** Its tables as the server describes them. */
export const lookupSchema: Schema = buildSchema(...Object.values(lookupTables))

/** Its mapping, with its columns found. */
export function resolveLookups(): WholeResolved {
  return requireWholeResolved(resolveMapping(readMapping(lookupYaml), lookupSchema))
}
