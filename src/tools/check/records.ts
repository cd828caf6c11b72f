import { all, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import { selectRows } from '../../collections/selection.js'
import { createSection, toTable } from '../report/report.js'
import type { Section, Table } from '../report/report.js'
import { countTexts, toCell } from '../facts/values.js'
import { listHiding } from './counts.js'
import { readEvents } from './evidence.js'
import { orNone } from './findings.js'
import { isShown, readEvent, readText, toShown, withUnseen } from './sample.js'
import type { Sample, ShownRow } from './sample.js'
import { from, listUnarchived } from '../../collections/resolved-table.js'

/* Records in full, for a person who knows the product: what finds each in its screens, and what the API shows of it. */

/** The section of what follows. */
export const recordsHead = { id: 'records', title: 'Records to compare with the product' } as const

/** Records of a collection, those of them that a test leaves out, and rows that are read to find one. */
const sizes = { records: 8, hidden: 2, tried: 50 } as const

const intro =
  'Open each of these in your product and compare what it shows. Names and e-mail addresses stand here in full, and nowhere else in a report: keep this one to people who may see them.'

/** Some records of each collection: the newest, the first, and those in which a mistaken mapping would show. */
export async function showRecords(samples: readonly Sample[], run: RunQuery): Promise<Section> {
  const records = await Promise.all(samples.map((one) => pickRecords(one, run)))
  return createSection({ ...recordsHead, notes: [intro], tables: records.flat(), findings: [] })
}

/** A record, and why it is one of them. */
type Picked = readonly [why: string, one: ShownRow | undefined]

async function pickRecords(sample: Sample, run: RunQuery): Promise<readonly Table[]> {
  const { table } = sample.collection
  const id = quoteColumn(table.name, table.id.column)
  const first = await readFirst(
    sample,
    sql`${all([sql`true`, ...listUnarchived(table)])} order by ${id}`,
    run,
  )
  const hidden: Picked[] = []
  for (const { place, what, holds } of listHiding(table)) {
    const found = await readFirst(sample, sql`ifnull((${holds}), 0) order by ${id} desc`, run)
    // A person has to see whether the product hides it too.
    hidden.push([`left out by ${place}, because ${what}: no request shows it`, found])
  }
  const { shown } = sample
  const findMost = (read: (one: ShownRow) => string | number): ShownRow | undefined =>
    shown.reduce<ShownRow | undefined>(
      (most, one) => (most === undefined || read(one) > read(most) ? one : most),
      undefined,
    )
  const statuses = countTexts(shown.map(({ record }) => String(record['status'] ?? '')))
  const wanted: readonly Picked[] = [
    ['newest', findMost(({ record }) => String(record['createdAt'] ?? ''))],
    ['lowest id', first],
    ...hidden.filter(([, one]) => one !== undefined).slice(0, sizes.hidden),
    ['largest total', shown.some(({ record }) => 'total' in record) ? findMost(toTotal) : undefined],
    ['checked in', shown.find(({ record }) => record['checkedIn'] === true)],
    ...statuses.map(({ code }): Picked => {
      return [`status ${code}`, shown.find(({ record }) => record['status'] === code)]
    }),
    ...shown.map((one): Picked => [last, one]),
  ]
  const picked = new Map<string, { readonly reasons: string[]; readonly one: ShownRow }>()
  for (const [why, one] of wanted) {
    const known = one && picked.get(toKey(one))
    if (known !== undefined && why !== last) known.reasons.push(why)
    else if (one !== undefined && known === undefined && picked.size < sizes.records)
      picked.set(toKey(one), { reasons: [why], one })
  }
  const chosen = [...picked.values()]
  const rows = chosen.map(({ one }) => one)
  const found = await readEvents(sample.collection, rows, run)
  return found.map((one, at) => describe(sample, chosen[at]?.reasons.join(', ') ?? '', one))
}

const last = 'changed last'
const toTotal = ({ record }: ShownRow): number => Number(record['total'])
const toKey = ({ workspace, record }: ShownRow): string => JSON.stringify([workspace, record['id']])

/** The first row of some, one that can be shown before others; undefined where none can be read in time. */
async function readFirst({ collection }: Sample, rest: Sql, run: RunQuery): Promise<ShownRow | undefined> {
  const { table } = collection
  const select = sql`${from(table)} where ${rest} limit ${String(sizes.tried)}`
  const rows = (await orNone(run(toStatement(selectRows(withUnseen(table, []), select))))) ?? []
  const [found] = rows.flatMap((row) => toShown(collection, row) ?? []).filter(isShown)
  const [row] = rows
  return (
    found ??
    (row && {
      row,
      record: describeHidden(collection, row),
      workspace: '',
      event: readEvent(collection, row),
    })
  )
}

/** What the mapping has no value for, such as the status of a draft: what finds it, and why, is all that there is. */
function describeHidden(collection: Sample['collection'], row: ShownRow['row']): ShownRow['record'] {
  const fault = toShown(collection, row)
  const number = 'number' in collection.fields ? { number: toCell(row['number']) ?? null } : {}
  const why = fault !== undefined && !isShown(fault) ? { 'cannot be shown': fault.message } : {}
  return { id: readText(row['id'], collection.table.id) ?? null, ...number, ...why }
}

/** What finds a record in the product, and then each field as the API shows it. */
function describe(
  { collection: { name, table } }: Sample,
  why: string,
  { record, event, workspace }: ShownRow,
): Table {
  const ways = [
    ['number', record['number']],
    ['e-mail', record['email']],
    ['event', event],
    ['workspace', workspace],
    [`${table.name}.${table.id.column.name}`, record['id']],
  ] as const
  const found = ways.flatMap(([word, value]) => ((value ?? '') === '' ? [] : [`${word} ${String(value)}`]))
  const rows = Object.entries(record).map(([field, value]) => ({
    field,
    value: value === null ? null : String(value),
  }))
  const about = `${name}, ${why}: open ${found.join(', ')}`
  return toTable(`${name}-${String(record['id'])}`, { field: 'Field', value: about }, rows)
}
