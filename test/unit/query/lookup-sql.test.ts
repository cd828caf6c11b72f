import { describe, expect, test } from 'vitest'
import type { Statement } from '../../../src/database/statement.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { resolveMapping } from '../../../src/mapping/resolve-mapping.js'
import type { Filters } from '../../../src/query/cursor.js'
import { planList } from '../../../src/query/list-plan.js'
import type { References } from '../../../src/query/list-plan.js'
import { renderList } from '../../../src/query/list-sql.js'
import type { ResolvedTable } from '../../../src/resources/resolved-table.js'
import { exactly } from '../../support/exactly.js'
import { lookupSchema, lookupYaml } from '../../support/lookup-mapping.js'
import { replacePart } from '../../support/plain-mapping.js'

/** The plain product with an address by lookup, and with other changes. */
function resolve(...changes: readonly (readonly [part: string, by: string])[]): ResolvedTable {
  const yaml = changes.reduce((text, [part, by]) => replacePart(text, part, by), lookupYaml)
  return resolveMapping(readMapping(yaml), lookupSchema).registrations!.table
}

function render(
  table: ResolvedTable,
  filters: Partial<Filters> = {},
  references: References = {},
): Statement {
  const none = { updatedSince: undefined, eventId: undefined, status: undefined }
  const query = { limit: 25, filters: { ...none, ...filters }, crawl: undefined }
  return renderList(planList(table, 'W1', query, references))
}

const fields =
  'select `page`.`id` as `id`, `page`.`event_id` as `eventId`, `page`.`reg_status` as `status`, ' +
  '`page`.`attendee_name` as `name`, `lookup1`.`mail` as `email`, ' +
  'cast(`page`.`checked_in_at` as char) as `checkedInAt`, cast(`page`.`created_at` as char) as `createdAt`, ' +
  'cast(`page`.`updated_at` as char) as `updatedAt`, cast(utc_timestamp(6) as char) as `startedAt`'
const own = '`id`, `event_id`, `reg_status`, `attendee_name`, `checked_in_at`, `created_at`, `updated_at`'
const order = 'order by `event_registrations`.`updated_at` asc, `event_registrations`.`id` asc limit ?'
const pageOrder = ' order by `page`.`updated_at` asc, `page`.`id` asc'

describe('a list with lookups', () => {
  test('chooses its rows from its own table alone, and joins the other table by its key', () => {
    const rows = (hint: string): string =>
      `(select ${own} from \`event_registrations\`${hint} where ${exactly('`workspace_id`')} and \`archived_at\` is null ${order}) as \`page\``
    expect(render(resolve())).toEqual({
      sql: `${fields} from ${rows(' force index (`ix_reg_sync`)')} left join \`people\` as \`lookup1\` force index (\`PRIMARY\`) on \`lookup1\`.\`id\` = \`page\`.\`event_id\`${pageOrder}`,
      values: ['W1', 'W1', '26'],
      withoutIndexHint: `${fields} from ${rows('')} left join \`people\` as \`lookup1\` on \`lookup1\`.\`id\` = \`page\`.\`event_id\`${pageOrder}`,
    })
  })

  test('joins a table once for all its columns, and one that another lookup leads to after it', () => {
    const deep =
      'name: { from: cities, on: { from: people, on: event_id, column: city }, key: code, column: name }'
    const { sql } = render(resolve(['name: attendee_name', deep]))
    expect(sql).toContain(
      ' left join `people` as `lookup1` force index (`PRIMARY`) on `lookup1`.`id` = `page`.`event_id`' +
        ' left join `cities` as `lookup2` force index (`uq_code`) on `lookup2`.`code` = `lookup1`.`city`',
    )
    expect(sql.match(/`people`/g)).toHaveLength(1)
    expect(sql).toContain('`lookup2`.`name` as `name`, `lookup1`.`mail` as `email`')
  })

  test('reads nothing for a status that no case gives, such as that of an old cursor', () => {
    const status = 'status: { when: [{ column: reg_status, equals: X, then: GONE }], otherwise: HERE }'
    const table = resolve(['status: reg_status', status])
    expect(render(table, { status: 'OTHER' }).sql).toContain('where 1 = 0')
    expect(render(table, { status: 'HERE' }).sql).toContain('and (not (`reg_status` <=> ?))')
  })
})
