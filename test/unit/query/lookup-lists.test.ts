import { describe, expect, test } from 'vitest'
import type { Filters } from '../../../src/query/cursor.js'
import { planItem, renderItem } from '../../../src/query/item-sql.js'
import { planList } from '../../../src/query/list-plan.js'
import type { References } from '../../../src/query/list-plan.js'
import { renderList } from '../../../src/query/list-sql.js'
import type { ResolvedTable } from '../../../src/resources/resolved-table.js'
import { exactly } from '../../support/exactly.js'
import { resolveLookups } from '../../support/ticket-mapping.js'

const { registrations, invoices } = resolveLookups()

function render(table: ResolvedTable, filters: Partial<Filters> = {}, references: References = {}) {
  const all = { updatedSince: undefined, eventId: undefined, status: undefined, ...filters }
  return renderList(planList(table, '7', { limit: 25, filters: all, crawl: undefined }, references))
}

const ticketColumns = '`id`, `event_id`, `is_cancelled`, `paid_at`, `order_id`, `created`, `changed`'
const isTicket = '`kind` in (?, ?) and `parent_id` is null and `deleted_at` is null'
const inAccount = exactly('`link1`.`account_id`')
const billColumns = '`id`, `bill_no`, `status_id`, `net`, `tax`, `fee`, `client_id`, `issued`, `created_at`'
const billOrder = 'order by `bills`.`created_at` asc, `bills`.`id` asc limit ?'
const statusOfBill =
  '`link1`.`code` = convert(`bills`.`status_id` using utf8mb4) collate utf8mb4_0900_ai_ci and ' +
  'cast(convert(`link1`.`code` using utf8mb4) as binary) = cast(convert(`bills`.`status_id` using utf8mb4) as binary)'

/** The derived table of a statement, which chooses the rows of the page. */
function readPage(sql: string): string {
  const match = /from \((.*)\) as `page`/.exec(sql)
  if (match?.[1] === undefined) throw new Error(`No derived table in ${sql}`)
  return match[1]
}

describe('a list with lookups', () => {
  test('chooses its page in a derived table, then reads one row of each lookup by its unique index', () => {
    const { sql, withoutIndexHint } = render(invoices.table)
    expect(sql).toBe(
      'select `page`.`id` as `id`, `page`.`bill_no` as `number`, `lookup1`.`name` as `status`, ' +
        '`page`.`net` as `total`, `page`.`tax` as `total2`, `page`.`fee` as `total3`, `lookup3`.`code` as `currency`, ' +
        '`page`.`issued` as `issueDate`, cast(`page`.`created_at` as char) as `createdAt`, ' +
        'cast(`page`.`created_at` as char) as `updatedAt`, cast(utc_timestamp(6) as char) as `startedAt` ' +
        `from (select ${billColumns} from \`bills\` force index (\`sync\`) ` +
        `where cast(? as binary) = cast(? as binary) ${billOrder}) as \`page\` ` +
        'left join `statuses` as `lookup1` force index (`uq_code`) on ' +
        '`lookup1`.`code` = convert(`page`.`status_id` using utf8mb4) collate utf8mb4_0900_ai_ci and ' +
        'cast(convert(`lookup1`.`code` using utf8mb4) as binary) = cast(convert(`page`.`status_id` using utf8mb4) as binary) ' +
        'left join `clients` as `lookup2` force index (`PRIMARY`) on `lookup2`.`id` = `page`.`client_id` ' +
        'left join `currencies` as `lookup3` force index (`PRIMARY`) on `lookup3`.`id` = `lookup2`.`currency_id` ' +
        'order by `page`.`created_at` asc, `page`.`id` asc',
    )
    expect(withoutIndexHint).toBe(sql.replaceAll(/ force index \(`\w+`\)/g, ''))
  })

  test('binds a constant workspace and that of the key, which must be equal', () => {
    expect(render(invoices.table).values.slice(0, 2)).toEqual(['7', '1'])
  })

  test('reads fields of one row by one join', () => {
    const { sql } = render(registrations.table, {}, { parents: ['5'] })
    expect(sql.match(/left join/g)).toHaveLength(1)
    expect(sql).toContain(
      '`lookup1`.`first_name` as `name`, `lookup1`.`last_name` as `name2`, `lookup1`.`email`',
    )
  })
})

describe('a list of a workspace that is found by a lookup', () => {
  const branch =
    `(select ${ticketColumns} from \`tickets\` force index (\`by_event\`) where \`event_id\` = ? and ` +
    `(select 1 from \`events\` as \`link1\` where \`link1\`.\`id\` = ? and ${inAccount} limit ?) = 1 and ` +
    `${isTicket} order by \`tickets\`.\`changed\` asc, \`tickets\`.\`id\` asc limit ?)`

  test('has a page for each parent row, and compares the workspace of each', () => {
    const { sql, values } = render(registrations.table, {}, { parents: ['5', '6'] })
    expect(readPage(sql)).toBe(`${branch} union all ${branch} order by \`changed\` asc, \`id\` asc limit ?`)
    expect(values.slice(4)).toEqual([
      ...['5', '5', '7', '7', '1', 'guest', 'staff', '26'],
      ...['6', '6', '7', '7', '1', 'guest', 'staff', '26'],
      '26',
    ])
  })

  test('has few texts: it is built for the next of some numbers, and NULL equals no parent', () => {
    const five = render(registrations.table, {}, { parents: ['1', '2', '3', '4', '5'] })
    expect(five.sql.match(/union all/g)).toHaveLength(7)
    expect(five.values.filter((value) => value === null)).toHaveLength(6)
    const eight = render(registrations.table, {}, { parents: ['1', '2', '3', '4', '5', '6', '7', '8'] })
    expect(eight.sql).toBe(five.sql)
  })

  test('matches nothing without a parent', () => {
    expect(render(registrations.table, {}, { parents: [] }).sql).toContain('where 1 = 0')
  })

  test('names no parent where there are too many, and leaves the index to the optimizer', () => {
    const { sql } = render(registrations.table, {}, { parents: 'many' })
    expect(readPage(sql)).toBe(
      `select ${ticketColumns} from \`tickets\` where \`tickets\`.\`event_id\` in ` +
        `(select \`link1\`.\`id\` from \`events\` as \`link1\` where ${inAccount}) and ${isTicket} ` +
        'order by `tickets`.`changed` asc, `tickets`.`id` asc limit ?',
    )
  })

  test('is the same for one record, whose parent is read for the comparison', () => {
    const plan = planItem(registrations.table, '7', '3')
    expect(plan && readPage(renderItem(plan).sql)).toBe(
      `select ${ticketColumns} from \`tickets\` where ${exactly('`id`')} and ` +
        `(select 1 from \`events\` as \`link1\` where \`link1\`.\`id\` = \`tickets\`.\`event_id\` and ${inAccount} limit ?) = 1 ` +
        `and ${isTicket} limit ?`,
    )
  })
})

describe('the filter of a status', () => {
  test('that follows from several columns tests those cases that come before it too', () => {
    const conditionOf = (status: string): string => {
      const [, condition = ''] =
        /`deleted_at` is null and (.*) order by/.exec(
          readPage(render(registrations.table, { status }, { parents: 'many' }).sql),
        ) ?? []
      return condition
    }
    expect(conditionOf('CANCELLED')).toBe('(`is_cancelled` <=> ?)')
    expect(conditionOf('PAID')).toBe('(not (`is_cancelled` <=> ?) and `paid_at` is not null)')
    expect(conditionOf('OPEN')).toBe('(not (`is_cancelled` <=> ?) and not (`paid_at` is not null))')
  })

  test('that is looked up compares the keys of that table, where it is small', () => {
    const { sql, values } = render(invoices.table, { status: 'PAID' }, { statusKeys: ['p1', 'p2', 'p3'] })
    const test = '`status_id` = convert(cast(? as char) using latin1) collate latin1_swedish_ci'
    expect(readPage(sql)).toContain(`and (${test} or ${test} or ${test} or ${test}) ${billOrder}`)
    expect(values.slice(2, 6)).toEqual(['p1', 'p2', 'p3', 'p3'])
  })

  test('that is looked up matches nothing where no row of that table has it', () => {
    expect(render(invoices.table, { status: 'PAID' }, { statusKeys: [] }).sql).toContain('where 1 = 0')
  })

  test('that is looked up in a great table is compared for each row', () => {
    const { sql, values } = render(invoices.table, { status: 'OTHER' }, { statusKeys: 'many' })
    const name = exactly('`link1`.`name`')
    expect(readPage(sql)).toContain(
      `(select 1 from \`statuses\` as \`link1\` where ${statusOfBill} and not (${name} or ${name}) limit ?) = 1`,
    )
    expect(values.slice(2, 7)).toEqual(['open', 'open', 'paid', 'paid', '1'])
  })
})

test('a filter by event matches nothing where the records have none', () => {
  expect(render(invoices.table, { eventId: 'E1' }).sql).toContain('where 1 = 0')
})

test('integer times are compared as integers, rounded up to the unit', () => {
  const updatedSince = { seconds: 1_700_000_000, micros: 1 }
  expect(render(registrations.table, { updatedSince }, { parents: 'many' }).values).toContain('1700000000001')
})
