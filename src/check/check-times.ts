import type { ResolvedResource } from '../resources/collection.js'
import { parseDatabaseTime, toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { toOffsetText } from './check-provenance.js'
import { toTable } from './report.js'
import type { CheckSection } from './report.js'
import type { Sample } from './sample-rows.js'

/** What the newest time of a collection says about the zone that the mapping gives its column. */
interface NewestTime {
  readonly collection: ResolvedResource
  readonly newest: Instant | undefined
  /** Seconds after the database's clock. */
  readonly aheadSeconds: number | undefined
}

/** Clocks of several writers differ by so much without anything being wrong. */
const toleranceSeconds = 2

/** Times that lie in the future give away a column in another zone than the mapping says. */
export function checkTimes(samples: readonly Sample[], now: Instant): CheckSection {
  const times = samples.map((sample) => toNewest(sample, now))
  return {
    id: 'times',
    title: 'Time zone of the columns',
    intro:
      'A DATETIME has no zone; the mapping says which one it is written in. A change that lies in the future means that it is written in another.',
    tables: [
      toTable(
        'newest',
        {
          collection: 'Collection',
          column: 'Column',
          type: 'Type',
          zone: 'Read as',
          newest: 'Newest, in UTC',
          age: 'Seconds before the database’s clock',
        },
        times.map(({ collection, newest, aheadSeconds }) => {
          const { name: table, updatedAt } = collection.table
          return {
            collection: collection.name,
            column: `${table}.${updatedAt.column.name}`,
            type: updatedAt.column.type,
            zone: updatedAt.column.kind === 'timestamp' ? 'UTC' : toOffsetText(updatedAt.offsetMinutes),
            newest: newest === undefined ? null : (toInstantText(newest) ?? null),
            age: aheadSeconds === undefined ? null : Math.round(-aheadSeconds),
          }
        }),
      ),
    ],
    notes: [],
    findings: times.flatMap(({ collection, aheadSeconds }) => {
      if (aheadSeconds === undefined || aheadSeconds <= toleranceSeconds) return []
      const { name: table, updatedAt } = collection.table
      return [
        {
          severity: 'error',
          object: `${table}.${updatedAt.column.name}`,
          privilege: null,
          problem: `holds a change ${Math.round(aheadSeconds)} seconds in the future`,
          fix: adviseZone(collection, aheadSeconds),
        },
      ]
    }),
  }
}

function toNewest({ collection, rows }: Sample, now: Instant): NewestTime {
  const { offsetMinutes } = collection.table.updatedAt
  const times = rows.flatMap(({ updatedAt }) => {
    const instant = typeof updatedAt === 'string' ? parseDatabaseTime(updatedAt, offsetMinutes) : undefined
    return instant === undefined ? [] : [instant]
  })
  const newest = times.reduce<Instant | undefined>(
    (latest, time) => (latest === undefined || toSeconds(time) > toSeconds(latest) ? time : latest),
    undefined,
  )
  return {
    collection,
    newest,
    aheadSeconds: newest === undefined ? undefined : toSeconds(newest) - toSeconds(now),
  }
}

/** The least offset, in the quarter hours that zones keep to, under which the newest change is past. */
function adviseZone({ table: source }: ResolvedResource, aheadSeconds: number): string {
  const minutes = source.updatedAt.offsetMinutes + Math.ceil(aheadSeconds / 900) * 15
  if (source.updatedAt.column.kind === 'timestamp' || minutes > 14 * 60)
    return 'correct the rows: their time of change is made up, and a sync would give them again and again'
  return `set timezone to the zone that the product writes in; at ${toOffsetText(minutes)} the change would be past`
}

function toSeconds({ seconds, micros }: Instant): number {
  return seconds + micros / 1e6
}
