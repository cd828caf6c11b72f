import { plainTables, plainYaml, replacePart } from './plain-mapping.js'
import { buildSchema, buildTable } from './schema.js'

/** The mapping of the plain product whose addresses stand in another table, by the key of the event. */
export const lookupYaml = replacePart(
  plainYaml,
  'email: attendee_email',
  'email: { from: people, on: event_id, column: mail }',
)

/** The tables of the plain product, and two that lookups can read. */
export const lookupSchema = buildSchema(
  ...Object.values(plainTables),
  buildTable(
    'people',
    { id: 'char(26) ascii_bin', mail: 'varchar(254) utf8mb4_0900_ai_ci', city: 'int' },
    { PRIMARY: ['id'] },
  ),
  buildTable(
    'cities',
    { id: 'int', code: 'int', zone: 'int', name: 'varchar(80) utf8mb4_0900_ai_ci' },
    { PRIMARY: ['id'], uq_code: ['code'], uq_zone_code: ['zone', 'code'] },
  ),
)
