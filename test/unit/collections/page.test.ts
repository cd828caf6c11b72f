import { describe, expect, test } from 'vitest'
import type { Position, Filters } from '../../../src/collections/cursor.js'
import { planPage } from '../../../src/collections/page.js'
import { renderChoice } from '../../../src/collections/parents.js'
import type { AccessPath } from '../../../src/collections/parents.js'
import { planRecord, renderRecord } from '../../../src/collections/record.js'
import { bindIdentifier } from '../../../src/collections/filters.js'
import type { ResolvedTable } from '../../../src/collections/resolved-table.js'
import { parseApiTime } from '../../../src/values/instant.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { resolvePlain } from '../../support/plain-mapping.js'
import { buildColumn } from '../../support/schema.js'
import { resolveLookups } from '../../support/ticket-mapping.js'

const since = { seconds: 1_772_357_400, micros: 123_456 }
const uuid = '00112233-4455-1677-8899-aabbccddeeff'
const [plain, awkward, tickets] = [resolvePlain(), resolveAwkward(), resolveLookups()]

interface Wanted extends Partial<Filters> {
  readonly position?: Position
  readonly path?: AccessPath
  readonly workspaceId?: string
}

function render(table: ResolvedTable, { position, path, workspaceId = '7', ...sent }: Wanted = {}) {
  const filters = { updatedSince: undefined, eventId: undefined, status: undefined, ...sent }
  const crawl = position === undefined ? undefined : { filters, startedAt: since, position }
  return planPage(table, workspaceId, { limit: 25, filters, crawl }, path).statement
}

/** The conditions of the page of a list that has one part. */
function readConditions(table: ResolvedTable, wanted: Wanted): string {
  const { sql } = render(table, { position: { updatedAt: '5', id: '5' }, ...wanted })
  return / where (.*?) order by/.exec(sql)?.[1] ?? sql
}

describe('a list', () => {
  test('reads the unarchived rows of its workspace with the clock, by the index of their order', () => {
    expect(render(plain.registrations.table, { workspaceId: 'W1' })).toMatchInlineSnapshot(`
      {
        "sql": "select \`id\` as \`id\`, \`event_id\` as \`eventId\`, \`reg_status\` as \`status\`, \`attendee_name\` as \`name\`, \`attendee_email\` as \`email\`, cast(\`checked_in_at\` as char) as \`checkedInAt\`, cast(\`created_at\` as char) as \`createdAt\`, cast(\`updated_at\` as char) as \`updatedAt\`, if(false, \`workspace_id\`, null) as \`type of workspace_id\`, cast(utc_timestamp(6) as char) as \`startedAt\` from \`event_registrations\` force index (\`ix_reg_sync\`) where \`workspace_id\` = ? and cast(convert(\`workspace_id\` using utf8mb4) as binary) = cast(? as binary) and \`archived_at\` is null order by \`event_registrations\`.\`updated_at\` asc, \`event_registrations\`.\`id\` asc limit ?",
        "values": [
          "W1",
          "W1",
          "26",
        ],
        "withoutIndexHint": "select \`id\` as \`id\`, \`event_id\` as \`eventId\`, \`reg_status\` as \`status\`, \`attendee_name\` as \`name\`, \`attendee_email\` as \`email\`, cast(\`checked_in_at\` as char) as \`checkedInAt\`, cast(\`created_at\` as char) as \`createdAt\`, cast(\`updated_at\` as char) as \`updatedAt\`, if(false, \`workspace_id\`, null) as \`type of workspace_id\`, cast(utc_timestamp(6) as char) as \`startedAt\` from \`event_registrations\` where \`workspace_id\` = ? and cast(convert(\`workspace_id\` using utf8mb4) as binary) = cast(? as binary) and \`archived_at\` is null order by \`event_registrations\`.\`updated_at\` asc, \`event_registrations\`.\`id\` asc limit ?",
      }
    `)
  })

  test('goes on behind a row, in words that an index can begin at, and without the clock', () => {
    const position = { updatedAt: '2026-03-01 09:30:00.123', id: 'R1' }
    expect(render(plain.registrations.table, { position, updatedSince: since })).toMatchInlineSnapshot(`
      {
        "sql": "select \`id\` as \`id\`, \`event_id\` as \`eventId\`, \`reg_status\` as \`status\`, \`attendee_name\` as \`name\`, \`attendee_email\` as \`email\`, cast(\`checked_in_at\` as char) as \`checkedInAt\`, cast(\`created_at\` as char) as \`createdAt\`, cast(\`updated_at\` as char) as \`updatedAt\`, if(false, \`workspace_id\`, null) as \`type of workspace_id\`, if(false, \`updated_at\`, null) as \`type of updated_at\` from \`event_registrations\` force index (\`ix_reg_sync\`) where \`workspace_id\` = ? and cast(convert(\`workspace_id\` using utf8mb4) as binary) = cast(? as binary) and \`archived_at\` is null and (\`updated_at\` >= ? and (\`updated_at\` > ? or \`id\` > ?)) order by \`event_registrations\`.\`updated_at\` asc, \`event_registrations\`.\`id\` asc limit ?",
        "values": [
          "7",
          "7",
          "2026-03-01 09:30:00.123",
          "2026-03-01 09:30:00.123",
          "R1",
          "26",
        ],
        "withoutIndexHint": "select \`id\` as \`id\`, \`event_id\` as \`eventId\`, \`reg_status\` as \`status\`, \`attendee_name\` as \`name\`, \`attendee_email\` as \`email\`, cast(\`checked_in_at\` as char) as \`checkedInAt\`, cast(\`created_at\` as char) as \`createdAt\`, cast(\`updated_at\` as char) as \`updatedAt\`, if(false, \`workspace_id\`, null) as \`type of workspace_id\`, if(false, \`updated_at\`, null) as \`type of updated_at\` from \`event_registrations\` where \`workspace_id\` = ? and cast(convert(\`workspace_id\` using utf8mb4) as binary) = cast(? as binary) and \`archived_at\` is null and (\`updated_at\` >= ? and (\`updated_at\` > ? or \`id\` > ?)) order by \`event_registrations\`.\`updated_at\` asc, \`event_registrations\`.\`id\` asc limit ?",
      }
    `)
  })

  test('compares the bytes of every filter, in the form in which they are stored', () => {
    const filters = { updatedSince: since, eventId: uuid, status: 'CONFIRMED' }
    expect(render(awkward.registrations.table, filters)).toMatchInlineSnapshot(`
      {
        "sql": "select \`attendee no\` as \`id\`, \`gathering\` as \`eventId\`, \`state\` as \`status\`, \`first\`\`name\` as \`name\`, \`last_name\` as \`name2\`, \`mail\` as \`email\`, \`entered\` as \`checkedIn\`, cast(\`entered_at\` as char) as \`checkedInAt\`, cast(\`made\` as char) as \`createdAt\`, cast(\`touched\` as char) as \`updatedAt\`, if(false, \`tenant\`, null) as \`type of tenant\`, if(false, \`is_deleted\`, null) as \`type of is_deleted\`, if(false, \`touched\`, null) as \`type of touched\`, cast(utc_timestamp(6) as char) as \`startedAt\` from \`attendees?\` force index (\`by_gathering\`) where \`tenant\` = ? and cast(convert(\`tenant\` using utf8mb4) as binary) = cast(? as binary) and not ifnull((\`is_deleted\` = ?), 0) and \`hidden_at\` is null and \`gathering\` = ? and cast(\`gathering\` as binary) = cast(? as binary) and (\`state\` = ? and cast(convert(\`state\` using utf8mb4) as binary) = cast(? as binary) or \`state\` = ? and cast(convert(\`state\` using utf8mb4) as binary) = cast(? as binary)) and \`touched\` >= ? order by \`attendees?\`.\`touched\` asc, \`attendees?\`.\`attendee no\` asc limit ?",
        "values": [
          "7",
          "7",
          "1",
          {
            "data": [
              22,
              119,
              68,
              85,
              0,
              17,
              34,
              51,
              136,
              153,
              170,
              187,
              204,
              221,
              238,
              255,
            ],
            "type": "Buffer",
          },
          {
            "data": [
              22,
              119,
              68,
              85,
              0,
              17,
              34,
              51,
              136,
              153,
              170,
              187,
              204,
              221,
              238,
              255,
            ],
            "type": "Buffer",
          },
          "1",
          "1",
          "7",
          "7",
          "2026-03-01 12:30:00.123456",
          "26",
        ],
        "withoutIndexHint": "select \`attendee no\` as \`id\`, \`gathering\` as \`eventId\`, \`state\` as \`status\`, \`first\`\`name\` as \`name\`, \`last_name\` as \`name2\`, \`mail\` as \`email\`, \`entered\` as \`checkedIn\`, cast(\`entered_at\` as char) as \`checkedInAt\`, cast(\`made\` as char) as \`createdAt\`, cast(\`touched\` as char) as \`updatedAt\`, if(false, \`tenant\`, null) as \`type of tenant\`, if(false, \`is_deleted\`, null) as \`type of is_deleted\`, if(false, \`touched\`, null) as \`type of touched\`, cast(utc_timestamp(6) as char) as \`startedAt\` from \`attendees?\` where \`tenant\` = ? and cast(convert(\`tenant\` using utf8mb4) as binary) = cast(? as binary) and not ifnull((\`is_deleted\` = ?), 0) and \`hidden_at\` is null and \`gathering\` = ? and cast(\`gathering\` as binary) = cast(? as binary) and (\`state\` = ? and cast(convert(\`state\` using utf8mb4) as binary) = cast(? as binary) or \`state\` = ? and cast(convert(\`state\` using utf8mb4) as binary) = cast(? as binary)) and \`touched\` >= ? order by \`attendees?\`.\`touched\` asc, \`attendees?\`.\`attendee no\` asc limit ?",
      }
    `)
  })

  test('asks a link table for the event, and converts a filter for an older character set', () => {
    const { sql } = render(awkward.invoices.table, { eventId: uuid, status: 'Zurück' })
    expect(/where (.*) order/.exec(sql)?.[1]).toMatchInlineSnapshot(
      `"\`tenant\` = ? and cast(convert(\`tenant\` using utf8mb4) as binary) = cast(? as binary) and not ifnull((\`is_deleted\` = ?), 0) and \`hidden_at\` is null and (select 1 from \`bill_gatherings\` as \`link\` where \`link\`.\`bill\` = \`bills\`.\`uid\` and \`link\`.\`gathering\` = ? and cast(\`link\`.\`gathering\` as binary) = cast(? as binary) limit 1) = 1 and (\`phase\` = convert(cast(? as char) using latin1) collate latin1_swedish_ci and cast(convert(\`phase\` using utf8mb4) as binary) = cast(? as binary))"`,
    )
  })

  test('joins its lookups to the rows of a page that is already chosen', () => {
    expect(render(tickets.invoices.table)).toMatchInlineSnapshot(`
      {
        "sql": "select \`page\`.\`id\` as \`id\`, \`page\`.\`bill_no\` as \`number\`, \`lookup1\`.\`name\` as \`status\`, \`page\`.\`net\` as \`total\`, \`page\`.\`tax\` as \`total2\`, \`page\`.\`fee\` as \`total3\`, \`lookup3\`.\`code\` as \`currency\`, \`page\`.\`issued\` as \`issueDate\`, cast(\`page\`.\`created_at\` as char) as \`createdAt\`, cast(\`page\`.\`created_at\` as char) as \`updatedAt\`, cast(utc_timestamp(6) as char) as \`startedAt\` from (select \`id\`, \`bill_no\`, \`status_id\`, \`net\`, \`tax\`, \`fee\`, \`client_id\`, \`issued\`, \`created_at\` from \`bills\` force index (\`sync\`) where cast(? as binary) = cast(? as binary) order by \`bills\`.\`created_at\` asc, \`bills\`.\`id\` asc limit ?) as \`page\` left join \`statuses\` as \`lookup1\` force index (\`uq_code\`) on \`lookup1\`.\`code\` = convert(\`page\`.\`status_id\` using utf8mb4) collate utf8mb4_0900_ai_ci and cast(convert(\`lookup1\`.\`code\` using utf8mb4) as binary) = cast(convert(\`page\`.\`status_id\` using utf8mb4) as binary) left join \`clients\` as \`lookup2\` force index (\`PRIMARY\`) on \`lookup2\`.\`id\` = \`page\`.\`client_id\` left join \`currencies\` as \`lookup3\` force index (\`PRIMARY\`) on \`lookup3\`.\`id\` = \`lookup2\`.\`currency_id\` order by \`page\`.\`created_at\` asc, \`page\`.\`id\` asc",
        "values": [
          "7",
          "1",
          "26",
        ],
        "withoutIndexHint": "select \`page\`.\`id\` as \`id\`, \`page\`.\`bill_no\` as \`number\`, \`lookup1\`.\`name\` as \`status\`, \`page\`.\`net\` as \`total\`, \`page\`.\`tax\` as \`total2\`, \`page\`.\`fee\` as \`total3\`, \`lookup3\`.\`code\` as \`currency\`, \`page\`.\`issued\` as \`issueDate\`, cast(\`page\`.\`created_at\` as char) as \`createdAt\`, cast(\`page\`.\`created_at\` as char) as \`updatedAt\`, cast(utc_timestamp(6) as char) as \`startedAt\` from (select \`id\`, \`bill_no\`, \`status_id\`, \`net\`, \`tax\`, \`fee\`, \`client_id\`, \`issued\`, \`created_at\` from \`bills\` where cast(? as binary) = cast(? as binary) order by \`bills\`.\`created_at\` asc, \`bills\`.\`id\` asc limit ?) as \`page\` left join \`statuses\` as \`lookup1\` on \`lookup1\`.\`code\` = convert(\`page\`.\`status_id\` using utf8mb4) collate utf8mb4_0900_ai_ci and cast(convert(\`lookup1\`.\`code\` using utf8mb4) as binary) = cast(convert(\`page\`.\`status_id\` using utf8mb4) as binary) left join \`clients\` as \`lookup2\` on \`lookup2\`.\`id\` = \`page\`.\`client_id\` left join \`currencies\` as \`lookup3\` on \`lookup3\`.\`id\` = \`lookup2\`.\`currency_id\` order by \`page\`.\`created_at\` asc, \`page\`.\`id\` asc",
      }
    `)
  })

  test.each([
    [
      'a row without a time',
      { updatedAt: null, id: '5' },
      '((`touched` is null and `attendee no` > ?) or `touched` is not null)',
    ],
    [
      'a row without an id',
      { updatedAt: '2026-03-01 09:30:00.123', id: null },
      '(`touched` >= ? and (`touched` > ? or `attendee no` is not null))',
    ],
    [
      'a row without both',
      { updatedAt: null, id: null },
      '((`touched` is null and `attendee no` is not null) or `touched` is not null)',
    ],
  ])('goes on behind %s, which stands before all that have one', (_what, position, expected) => {
    const conditions = readConditions(awkward.registrations.table, { position })
    const [, condition] = / and (\({1,2}`touched`.*)$/.exec(conditions) ?? []
    expect(condition).toBe(expected)
  })

  test.each<[string, Wanted]>([
    ['an event that no column could hold', { eventId: `${uuid}' or '1'='1` }],
    [
      'the same behind a cursor',
      { eventId: '12abc', position: { updatedAt: '2026-03-01 09:30:00', id: '5' } },
    ],
    ['an event in capitals of a UUID', { eventId: '00112233-4455-1677-8899-AABBCCDDEEFF' }],
    ['a status that the mapping does not show', { status: '1' }],
    ['an instant beyond every year', { updatedSince: { seconds: 253_402_300_799, micros: 0 } }],
    ['an instant after the year 9999', { updatedSince: parseApiTime('9999-12-31T23:59:59.9999991Z')! }],
    ['a workspace that the column could not hold', { workspaceId: 'W1' }],
  ])('reads nothing for %s', (_what, wanted) => {
    expect(render(awkward.registrations.table, wanted)).toEqual({
      sql: 'select cast(utc_timestamp(6) as char) as `startedAt` limit ?',
      values: ['0'],
    })
  })

  test('moves updatedSince up to the digits of the column, and leaves a TIMESTAMP in UTC', () => {
    const sinceOf = (table: ResolvedTable): unknown => render(table, { updatedSince: since }).values.at(-2)
    expect(sinceOf(plain.registrations.table)).toBe('2026-03-01 09:30:00.124')
    expect(sinceOf(awkward.invoices.table)).toBe('2026-03-01 09:30:00.123456')
  })

  test.each([
    ['2026-03-01 09:30:00', 'x'],
    ['12', '5'],
  ])('rejects a cursor whose position the columns could not hold: %s, %s', (updatedAt, id) => {
    expect(() => render(awkward.registrations.table, { position: { updatedAt, id } })).toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }) as Error,
    )
  })

  test('holds no text of a caller, however hostile, and as many values as it has places for', () => {
    const hostile = "x' or 1=1; -- \\ ` ? :a $1"
    const wanted = { workspaceId: hostile, status: hostile, eventId: hostile }
    const { sql, values } = render(plain.invoices.table, wanted)
    expect(sql).toBe(render(plain.invoices.table, { workspaceId: 'W1', status: 'a', eventId: 'b' }).sql)
    expect(values).toEqual(Array.from({ length: 6 }, () => hostile).concat('26'))
    const unquoted = sql.replaceAll(/`(?:[^`]|``)*`/g, '')
    expect([unquoted.includes('*'), unquoted.split('?').length - 1]).toEqual([false, values.length])
  })
})

describe('a workspace that is found by a lookup', () => {
  const { table } = tickets.registrations
  const position = { updatedAt: '5', id: '5' }

  test('is compared through the row itself, whichever access path found it', () => {
    const own =
      /\(select case count\(\*\) when 0 then 0 when 1 then min\(\(?(.*?) from `events` as `link1` where `link1`.`id` = `tickets`.`event_id`/g
    const item = planRecord(table, '7', '5')!
    for (const [{ sql }, parts] of [
      [renderRecord(item), 1],
      [render(table, { path: [] }), 1],
      [render(table, { path: 'direct', eventId: '5' }), 1],
      [render(table, { path: ['5', '6', '9'] }), 4],
    ] as const)
      expect(sql.match(own)).toHaveLength(parts)
  })

  test('has a page for each parent row with many rows, in the order of its index, and one for all others', () => {
    expect(render(table, { path: ['5'], position }).sql).toMatchInlineSnapshot(
      `"select \`page\`.\`id\` as \`id\`, \`page\`.\`event_id\` as \`eventId\`, case when \`page\`.\`is_cancelled\` = ? then ? when \`page\`.\`paid_at\` is not null then ? else ? end as \`status\`, \`lookup1\`.\`first_name\` as \`name\`, \`lookup1\`.\`last_name\` as \`name2\`, \`lookup1\`.\`email\` as \`email\`, \`page\`.\`created\` as \`createdAt\`, \`page\`.\`changed\` as \`updatedAt\` from ((select \`id\`, \`event_id\`, \`is_cancelled\`, \`paid_at\`, \`order_id\`, \`created\`, \`changed\` from (select distinct \`link1\`.\`id\` as \`vitrine parent\` from \`events\` as \`link1\` where \`link1\`.\`account_id\` = ? and cast(convert(\`link1\`.\`account_id\` using utf8mb4) as binary) = cast(? as binary)) as \`vitrine parents\` straight_join \`tickets\` on \`tickets\`.\`event_id\` = \`vitrine parents\`.\`vitrine parent\` and (\`vitrine parents\`.\`vitrine parent\` in (?)) is not true where (select case count(*) when 0 then 0 when 1 then min((\`link1\`.\`account_id\` = ? and cast(convert(\`link1\`.\`account_id\` using utf8mb4) as binary) = cast(? as binary)) and rand() >= 0) else 0 end from \`events\` as \`link1\` where \`link1\`.\`id\` = \`tickets\`.\`event_id\`) = 1 and ((\`kind\` = ? and cast(convert(\`kind\` using utf8mb4) as binary) = cast(? as binary)) or (\`kind\` = ? and cast(convert(\`kind\` using utf8mb4) as binary) = cast(? as binary))) and \`parent_id\` is null and \`deleted_at\` is null and (\`changed\` >= ? and (\`changed\` > ? or \`id\` > ?)) order by \`tickets\`.\`changed\` asc, \`tickets\`.\`id\` asc limit ?) union all (select \`id\`, \`event_id\`, \`is_cancelled\`, \`paid_at\`, \`order_id\`, \`created\`, \`changed\` from \`tickets\` force index (\`by_event\`) where \`event_id\` = ? and (select case count(*) when 0 then 0 when 1 then min((\`link1\`.\`account_id\` = ? and cast(convert(\`link1\`.\`account_id\` using utf8mb4) as binary) = cast(? as binary)) and rand() >= 0) else 0 end from \`events\` as \`link1\` where \`link1\`.\`id\` = \`tickets\`.\`event_id\`) = 1 and ((\`kind\` = ? and cast(convert(\`kind\` using utf8mb4) as binary) = cast(? as binary)) or (\`kind\` = ? and cast(convert(\`kind\` using utf8mb4) as binary) = cast(? as binary))) and \`parent_id\` is null and \`deleted_at\` is null and (\`changed\` >= ? and (\`changed\` > ? or \`id\` > ?)) order by \`tickets\`.\`changed\` asc, \`tickets\`.\`id\` asc limit ?) order by \`changed\` asc, \`id\` asc limit ?) as \`page\` left join \`orders\` as \`lookup1\` force index (\`PRIMARY\`) on \`lookup1\`.\`id\` = \`page\`.\`order_id\` order by \`page\`.\`changed\` asc, \`page\`.\`id\` asc"`,
    )
    // The sixth place of a statement for six of them: in its page and in the list that the others are not in.
    expect(
      render(table, { path: ['5', '6', '8', '9', '10'] }).values.filter((value) => value === null),
    ).toHaveLength(2)
  })

  test('has one page for all parent rows where each has few rows', () => {
    expect(render(table, { path: [], position }).sql).toMatchInlineSnapshot(
      `"select \`page\`.\`id\` as \`id\`, \`page\`.\`event_id\` as \`eventId\`, case when \`page\`.\`is_cancelled\` = ? then ? when \`page\`.\`paid_at\` is not null then ? else ? end as \`status\`, \`lookup1\`.\`first_name\` as \`name\`, \`lookup1\`.\`last_name\` as \`name2\`, \`lookup1\`.\`email\` as \`email\`, \`page\`.\`created\` as \`createdAt\`, \`page\`.\`changed\` as \`updatedAt\` from (select \`id\`, \`event_id\`, \`is_cancelled\`, \`paid_at\`, \`order_id\`, \`created\`, \`changed\` from (select distinct \`link1\`.\`id\` as \`vitrine parent\` from \`events\` as \`link1\` where \`link1\`.\`account_id\` = ? and cast(convert(\`link1\`.\`account_id\` using utf8mb4) as binary) = cast(? as binary)) as \`vitrine parents\` straight_join \`tickets\` on \`tickets\`.\`event_id\` = \`vitrine parents\`.\`vitrine parent\` where (select case count(*) when 0 then 0 when 1 then min((\`link1\`.\`account_id\` = ? and cast(convert(\`link1\`.\`account_id\` using utf8mb4) as binary) = cast(? as binary)) and rand() >= 0) else 0 end from \`events\` as \`link1\` where \`link1\`.\`id\` = \`tickets\`.\`event_id\`) = 1 and ((\`kind\` = ? and cast(convert(\`kind\` using utf8mb4) as binary) = cast(? as binary)) or (\`kind\` = ? and cast(convert(\`kind\` using utf8mb4) as binary) = cast(? as binary))) and \`parent_id\` is null and \`deleted_at\` is null and (\`changed\` >= ? and (\`changed\` > ? or \`id\` > ?)) order by \`tickets\`.\`changed\` asc, \`tickets\`.\`id\` asc limit ?) as \`page\` left join \`orders\` as \`lookup1\` force index (\`PRIMARY\`) on \`lookup1\`.\`id\` = \`page\`.\`order_id\` order by \`page\`.\`changed\` asc, \`page\`.\`id\` asc"`,
    )
  })

  test('names fewer parent rows where all of them would make the statement too long', () => {
    const parents = Array.from({ length: 128 }, (_, at) => String(at))
    for (const { sql } of [table, { ...table, name: 't'.repeat(64) }].map((one) =>
      render(one, { path: parents }),
    )) {
      expect(sql.length).toBeLessThan(65_536)
      expect(sql.length).toBeGreaterThan(30_000)
    }
  })

  test('finds the parent rows with many rows by the collation of the column that refers to them', () => {
    expect(renderChoice(table, '7')).toMatchInlineSnapshot(`
      {
        "sql": "select \`vitrine parents\`.\`vitrine parent\` from (select distinct \`link1\`.\`id\` as \`vitrine parent\` from \`events\` as \`link1\` where \`link1\`.\`account_id\` = ? and cast(convert(\`link1\`.\`account_id\` using utf8mb4) as binary) = cast(? as binary) limit ?) as \`vitrine parents\` where (select 1 from \`tickets\` force index (\`by_event\`) where \`tickets\`.\`event_id\` = \`vitrine parents\`.\`vitrine parent\` limit 1 offset ?) = 1 limit ?",
        "values": [
          "7",
          "7",
          "2000",
          "199",
          "128",
        ],
        "withoutIndexHint": "select \`vitrine parents\`.\`vitrine parent\` from (select distinct \`link1\`.\`id\` as \`vitrine parent\` from \`events\` as \`link1\` where \`link1\`.\`account_id\` = ? and cast(convert(\`link1\`.\`account_id\` using utf8mb4) as binary) = cast(? as binary) limit ?) as \`vitrine parents\` where (select 1 from \`tickets\` where \`tickets\`.\`event_id\` = \`vitrine parents\`.\`vitrine parent\` limit 1 offset ?) = 1 limit ?",
      }
    `)
  })
})

describe('the filter of a status', () => {
  test('that follows from several columns tests that the cases before it do not hold', () => {
    const { table } = tickets.registrations
    const of = (status: string): string =>
      readConditions(table, { status, path: [] }).split(' and (`deleted_at` is null')[1] ?? ''
    expect(['CANCELLED', 'PAID', 'OPEN'].map(of)).toMatchInlineSnapshot(`
      [
        "",
        "",
        "",
      ]
    `)
  })

  test('that is looked up is compared through the row', () => {
    const position = { updatedAt: '2026-03-01 09:30:00', id: '5' }
    expect(readConditions(tickets.invoices.table, { status: 'OTHER', position })).toMatchInlineSnapshot(
      `"cast(? as binary) = cast(? as binary) and (select case count(*) when 0 then 0 when 1 then min((not (\`link1\`.\`name\` = ? and cast(convert(\`link1\`.\`name\` using utf8mb4) as binary) = cast(? as binary) or \`link1\`.\`name\` = ? and cast(convert(\`link1\`.\`name\` using utf8mb4) as binary) = cast(? as binary))) and rand() >= 0) else 0 end from \`statuses\` as \`link1\` where \`link1\`.\`code\` = convert(\`bills\`.\`status_id\` using utf8mb4) collate utf8mb4_0900_ai_ci and cast(convert(\`link1\`.\`code\` using utf8mb4) as binary) = cast(convert(\`bills\`.\`status_id\` using utf8mb4) as binary)) = 1 and (\`created_at\` >= ? and (\`created_at\` > ? or \`id\` > ?))"`,
    )
  })
})

describe('text for a column', () => {
  test('that ends in a blank is in no CHAR, which drops it', () => {
    const char = { column: buildColumn('id', 'char(26) ascii_bin'), identifier: 'ascii' } as const
    const varchar = { column: buildColumn('id', 'varchar(26) ascii_bin'), identifier: 'ascii' } as const
    expect(bindIdentifier(char, 'a ')).toBeUndefined()
    expect(bindIdentifier(char, ' a')).toBe(' a')
    expect(bindIdentifier(varchar, 'a ')).toBe('a ')
  })
})
