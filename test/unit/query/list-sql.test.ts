import { describe, expect, test } from 'vitest'
import type { BoundValue } from '../../../src/database/statement.js'
import type { ResolvedTable } from '../../../src/resources/resolved-table.js'
import type { CrawlState, Filters } from '../../../src/query/cursor.js'
import { planList } from '../../../src/query/list-plan.js'
import { clockStatement, renderList } from '../../../src/query/list-sql.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { exactly } from '../../support/exactly.js'
import { resolvePlain } from '../../support/plain-mapping.js'

const noFilters: Filters = { updatedSince: undefined, eventId: undefined, status: undefined }
const since = { seconds: 1_772_357_400, micros: 123_456 }
const uuid = '00112233-4455-1677-8899-aabbccddeeff'
const swapped = Buffer.from('16774455001122338899aabbccddeeff', 'hex')
const plain = resolvePlain()
const inWorkspace = exactly('`workspace_id`')
const awkward = resolveAwkward()

const plainFields =
  'select `id` as `id`, `event_id` as `eventId`, `reg_status` as `status`, `attendee_name` as `name`, ' +
  '`attendee_email` as `email`, cast(`checked_in_at` as char) as `checkedInAt`, cast(`created_at` as char) as `createdAt`, ' +
  'cast(`updated_at` as char) as `updatedAt`'
const attendeeFields =
  'select `attendee no` as `id`, `gathering` as `eventId`, `state` as `status`, `first``name` as `name`, ' +
  '`last_name` as `name2`, `mail` as `email`, `entered` as `checkedIn`, cast(`entered_at` as char) as `checkedInAt`, ' +
  'cast(`made` as char) as `createdAt`, cast(`touched` as char) as `updatedAt`'
const billFields =
  'select `uid` as `id`, `bill_no` as `number`, `phase` as `status`, `amount_minor` as `total`, ' +
  '`cur` as `currency`, cast(`issued` as char) as `issueDate`, cast(`due` as char) as `dueDate`, cast(`made` as char) as `createdAt`, ' +
  'cast(`touched` as char) as `updatedAt`'
const clock = ', cast(utc_timestamp(6) as char) as `startedAt`'
const order = ' order by `event_registrations`.`updated_at` asc, `event_registrations`.`id` asc limit ?'

/** The statement as it is expected: with the index's hint, and without it. */
function hinted(fields: string, table: string, index: string, rest: string, values: readonly BoundValue[]) {
  return {
    sql: `${fields} from ${table} force index (\`${index}\`)${rest}`,
    values,
    withoutIndexHint: `${fields} from ${table}${rest}`,
  }
}

function render(
  source: ResolvedTable,
  workspaceId: string,
  filters: Partial<Filters>,
  position?: CrawlState['position'],
) {
  const all = { ...noFilters, ...filters }
  const crawl = position === undefined ? undefined : { filters: all, startedAt: since, position }
  return renderList(planList(source, workspaceId, { limit: 25, filters: all, crawl }))
}

describe('a list of the plain product', () => {
  const { table: source } = plain.registrations

  test('reads only the workspace of its key and what is not archived', () => {
    expect(render(source, 'W1', {})).toEqual(
      hinted(
        plainFields + clock,
        '`event_registrations`',
        'ix_reg_sync',
        ` where ${inWorkspace} and \`archived_at\` is null` + order,
        ['W1', 'W1', '26'],
      ),
    )
  })

  test('compares the bytes of every filter', () => {
    expect(render(source, 'W1', { updatedSince: since, eventId: 'E1', status: 'OK' })).toEqual(
      hinted(
        plainFields + clock,
        '`event_registrations`',
        'ix_reg_event',
        ` where ${inWorkspace} and \`archived_at\` is null and ${exactly('`event_id`')}` +
          ` and (${exactly('`reg_status`')})` +
          ' and `updated_at` >= ?' +
          order,
        ['W1', 'W1', 'E1', 'E1', 'OK', 'OK', '2026-03-01 09:30:00.124', '26'],
      ),
    )
  })

  test('goes on behind a row, in words that an index can begin at', () => {
    const position = { updatedAt: '2026-03-01 09:30:00.123', id: 'R1' }
    expect(render(source, 'W1', { updatedSince: since }, position)).toEqual(
      hinted(
        plainFields,
        '`event_registrations`',
        'ix_reg_sync',
        ` where ${inWorkspace} and \`archived_at\` is null` +
          ' and (`updated_at` >= ? and (`updated_at` > ? or `id` > ?))' +
          order,
        ['W1', 'W1', '2026-03-01 09:30:00.123', '2026-03-01 09:30:00.123', 'R1', '26'],
      ),
    )
  })

  test('names no index where none serves', () => {
    const statement = render({ ...source, indexes: [] }, 'W1', {})
    expect(statement).toEqual({
      sql:
        plainFields +
        clock +
        ` from \`event_registrations\` where ${inWorkspace} and \`archived_at\` is null` +
        order,
      values: ['W1', 'W1', '26'],
    })
  })
})

describe('a list of the awkward product', () => {
  const visible = ` where ${exactly('`tenant`')} and not (\`is_deleted\` <=> ?) and \`hidden_at\` is null`

  test('quotes odd names, and asks for every stored value of a status', () => {
    const filters = { updatedSince: since, eventId: uuid, status: 'CONFIRMED' }
    expect(render(awkward.registrations.table, '7', filters)).toEqual(
      hinted(
        attendeeFields + clock,
        '`attendees?`',
        'by_gathering',
        `${visible} and ${exactly('`gathering`', 'bytes')} and (${exactly('`state`')} or ${exactly('`state`')}) and \`touched\` >= ?` +
          ' order by `attendees?`.`touched` asc, `attendees?`.`attendee no` asc limit ?',
        ['7', '7', '1', swapped, swapped, '1', '1', '7', '7', '2026-03-01 12:30:00.123456', '26'],
      ),
    )
  })

  test('goes on behind a row without a time, which stands before all that have one', () => {
    expect(render(awkward.registrations.table, '7', {}, { updatedAt: null, id: '5' })).toEqual(
      hinted(
        attendeeFields,
        '`attendees?`',
        'by_tenant',
        `${visible} and ((\`touched\` is null and \`attendee no\` > ?) or \`touched\` is not null)` +
          ' order by `attendees?`.`touched` asc, `attendees?`.`attendee no` asc limit ?',
        ['7', '7', '1', '5', '26'],
      ),
    )
  })

  test('asks a link table for the event, and converts a filter for an older character set', () => {
    const filters = { updatedSince: since, eventId: uuid, status: 'Zurück' }
    expect(render(awkward.invoices.table, '7', filters)).toEqual(
      hinted(
        billFields + clock,
        '`bills`',
        'by_tenant',
        visible +
          ' and (select 1 from `bill_gatherings` as `link` where `link`.`bill` = `bills`.`uid`' +
          ' and cast(`link`.`bill` as binary) = cast(`bills`.`uid` as binary)' +
          ` and ${exactly('`link`.`gathering`', 'bytes')} limit 1) = 1` +
          ' and (`phase` = convert(cast(? as char) using latin1) collate latin1_swedish_ci' +
          ' and cast(convert(`phase` using utf8mb4) as binary) = cast(? as binary))' +
          ' and `touched` >= ? order by `bills`.`touched` asc, `bills`.`uid` asc limit ?',
        ['7', '7', '1', swapped, swapped, 'Zurück', 'Zurück', '2026-03-01 09:30:00.123456', '26'],
      ),
    )
  })

  test.each(['not a uuid', uuid.toUpperCase(), `${uuid}' or '1'='1`])(
    'asks for no row where nothing can match: %s',
    (eventId) => {
      expect(render(awkward.invoices.table, '7', { eventId })).toEqual({
        sql: `${billFields}${clock} from \`bills\` where 1 = 0`,
        values: [],
      })
    },
  )
})

describe('every list', () => {
  const sources = [plain.registrations, plain.invoices, awkward.registrations, awkward.invoices].map(
    ({ table: source }) => source,
  )
  const positions = [undefined, { updatedAt: '2026-03-01 09:30:00', id: '5' }, { updatedAt: null, id: '5' }]

  test('names its columns, and binds as many values as it has places for', () => {
    for (const source of sources) {
      for (const position of positions) {
        const { sql, values } = render(source, '7', { eventId: uuid }, position)
        const unquoted = sql.replaceAll(/`(?:[^`]|``)*`/g, '')
        expect(unquoted).not.toContain('*')
        expect(unquoted.split('?').length - 1).toBe(values.length)
      }
    }
  })

  test('holds no text of a caller, however hostile', () => {
    const hostile = "x' or 1=1; -- \\ ` ? :a $1"
    const status = { status: hostile }
    const { sql, values } = render(plain.invoices.table, hostile, { ...status, eventId: hostile })
    expect(sql).toBe(render(plain.invoices.table, 'W1', { status: 'a', eventId: 'b' }).sql)
    expect(values).toEqual(Array.from({ length: 6 }, () => hostile).concat('26'))
  })

  test('is bound anew for each request: values of one never reach another', () => {
    expect(render(plain.invoices.table, 'W1', {}).values).toEqual(['W1', 'W1', '26'])
    expect(render(plain.invoices.table, 'W2', {}).values).toEqual(['W2', 'W2', '26'])
  })
})

test('the clock of an empty list is the clock of a full one', () => {
  expect(clockStatement).toEqual({ sql: 'select cast(utc_timestamp(6) as char) as `startedAt`', values: [] })
})
