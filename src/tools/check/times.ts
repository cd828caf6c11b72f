import type { BoundCollection } from '../../collections/collection.js'
import { listProjectedColumns } from '../../collections/found-column.js'
import { parseDatabaseTime } from '../../values/instant.js'
import { formatOffset, parseZone } from '../../values/zone.js'
import { countTexts, toMs, toOffset } from '../facts/values.js'
import { toSnake } from '../facts/words.js'
import { isChangeTime, sayShare } from './evidence.js'
import type { Evidence, Said } from './evidence.js'

/* Whether the times of a collection are read with the right zone and unit, and from the column that moves last. */

/** Clocks of several writers can differ by this much without an error. */
const toleranceSeconds = 5

const dayMs = 86_400_000

/** What times can say: the functions of `rules.yaml`. */
export const timeFinds = {
  future: findFuture,
  swappedTimes: findSwapped,
  oldCreation: findOld,
  oldChange: findOld,
  laterTimes: findLater,
  offset: findOffset,
}

function findFuture({ now }: Evidence, values: readonly string[]): Said {
  const ahead = Math.round(Math.max(...values.map((value) => toMs(value))) / 1000 - now.seconds)
  return ahead > toleranceSeconds ? [1, `contains a change ${ahead} seconds in the future`] : undefined
}

/** Before the year 2000 no product has its newest record: a number was read with a unit that is too small. */
function findOld(_: Evidence, values: readonly string[]): Said {
  const newest = values.toSorted().at(-1) ?? '2'
  return newest < '2' ? [values.length, `its newest time is shown as ${newest}`] : undefined
}

/** More records were created after their last change than before it. Some can be: rows that were copied, and clocks. */
function findSwapped({ sample: { shown } }: Evidence): Said {
  const ahead = shown.map(
    ({ record }) => toMs(String(record['createdAt'])) - toMs(String(record['updatedAt'])),
  )
  const later = ahead.filter((ms) => ms > toleranceSeconds * 1000).length
  if (later < 10 || later <= ahead.filter((ms) => ms < 0).length) return undefined
  return [later, `createdAt is later than updatedAt in ${later} of ${shown.length} records`]
}

/** Tables that have the status of a record, so that a change there is one of the record. */
function listStatusTables({ fields }: BoundCollection): readonly string[] {
  const columns = listProjectedColumns(fields['status']?.projection ?? [])
  return columns.flatMap(({ lookup }) => lookup?.table ?? [])
}

/** Another time of change is later; one of another type by a day, as the zone can be wrong. */
function findLater({ sample: { shown, collection }, witnesses }: Evidence): Said {
  const { column: moving, untilChanged } = collection.table.updatedAt
  const own = witnesses.filter(({ isOwn }) => isOwn)
  const [changed, until] = [moving, untilChanged].map((one) => own.find(({ path }) => path === one?.name))
  const read = listStatusTables(collection)
  const times = witnesses.filter(
    ({ table, isOwn, column }) => isChangeTime(column) && (isOwn || read.includes(table)),
  )
  const found = times.flatMap(({ path, column, cells, isOwn }) => {
    const least = column.kind === changed?.column.kind ? 1000 : dayMs
    const later = cells.filter(
      (cell, at) => toMs(cell) - toMs(changed?.cells[at] ?? until?.cells[at]) >= least,
    ).length
    const what = `records have a later ${path}, so a sync can miss changes`
    const said = sayShare(later, shown.length, 0.01, what)
    return said === undefined ? [] : [isOwn ? said : ([said[0], said[1], touch] as const)]
  })
  return found[0]
}

const touch =
  'let the product change the record too, or map a view with GREATEST(COALESCE(…), COALESCE(…)) of both times, as docs/product-team.md says under “When you still need a view”'

/**
 * A DATETIME of creation or change that is usually at one distance from such a TIMESTAMP of the same row, which is in UTC
 * whatever the zone is: rows that were not changed since. Where the zone is right, it explains the distance.
 */
function findOffset({ sample, witnesses, timezone }: Evidence): Said {
  const { table, name } = sample.collection
  const zone = parseZone(timezone)
  const named = witnesses.filter(({ path }) => /creat|insert|regist|updat|modif|chang/.test(toSnake(path)))
  const times = named.filter(({ isOwn }) => isOwn)
  const stamps = times.filter(({ column }) => column.kind === 'timestamp')
  const pairs = times.flatMap((local) =>
    local.column.kind === 'datetime' ? stamps.map((stamp) => [local, stamp] as const) : [],
  )
  const found = pairs.flatMap(([local, stamp]) => {
    const [most] = countTexts(
      local.cells.map((cell = '', at) => describeDistance(cell, stamp.cells[at] ?? '', zone)),
    )
    // By chance, one of seventy distances is near to a quarter of an hour.
    const isFound =
      most !== undefined && most.code !== 'right' && most.rows >= Math.max(10, local.cells.length / 20)
    const what = `is ${most?.code ?? ''} ahead of the TIMESTAMP ${stamp.path} of the same row`
    return isFound ? [[most.rows, `${table.name}.${local.path} of ${name} ${what}`] as const] : []
  })
  return found[0]
}

/** Whether a zone explains the distance of a local time from one in UTC; else the offset that would. */
function describeDistance(
  local: string,
  utc: string,
  zone: ReturnType<typeof parseZone>,
): string | undefined {
  const [read, written, meant] = [
    parseDatabaseTime(local, zone),
    parseDatabaseTime(local),
    parseDatabaseTime(utc),
  ]
  if (read === undefined || written === undefined || meant === undefined) return undefined
  if (Math.abs(read.seconds - meant.seconds) <= 60) return 'right'
  const offset = toOffset((written.seconds - meant.seconds) / 60)
  return offset === undefined ? undefined : formatOffset(offset)
}
