import type { Row } from '../../database/statement.js'
import type { DescribedColumn } from '../description.js'
import { toCell } from './values.js'

interface TimeInput {
  readonly column: DescribedColumn
  /** The column of the creation. */
  readonly created: DescribedColumn | undefined
  readonly now: string
  /** Whether the range may be shown. */
  readonly isShown: boolean
}

/** From when to when, how old the newest is, and how many lie after the creation: from the counts of a table. */
export function describeTimes(
  row: Row,
  i: number,
  { column, created, now, isShown }: TimeInput,
): readonly string[] {
  const cell = (name: string): string => toCell(row[`${name}${i}`]) ?? ''
  const [low, high] = [cell('lo'), cell('hi')]
  const earlier = Number(cell('l')) > 0 ? [`earlier ${cell('l')}`] : []
  const beside = cell('g') === '' ? [] : [`>${created?.name} ${cell('g')}`, ...earlier]
  if (!isShown || low === '') return beside
  if (column.kind === 'integer') return describeEpoch(Number(low), Number(high))
  if (column.kind === 'date') return [low === high ? low : `${low}…${high}`]
  const age = describeAge(toMs(now) - toMs(high.slice(0, 19)))
  return [`${low.slice(0, 10)}…${high.slice(0, 16)} (newest ${age})`, ...beside]
}

const toMs = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`)

function describeEpoch(low: number, high: number): readonly string[] {
  const units = { s: 1000, ms: 1, us: 0.001 }
  const [since, until] = [Date.UTC(2000, 0), Date.UTC(2100, 0)]
  return Object.entries(units)
    .filter(([, ms]) => low * ms > since && high * ms < until)
    .map(([unit, ms]) => {
      const [from, to] = [low, high].map((value) => new Date(value * ms).toISOString().slice(0, 10))
      return `epoch ${unit} ${from ?? ''}…${to ?? ''}`
    })
}

function describeAge(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  const hours = Math.round(minutes / 60)
  const text = minutes < 120 ? `${minutes}m` : hours < 48 ? `${hours}h` : `${Math.round(hours / 24)}d`
  return ms < 0 ? `${text} ahead` : `${text} ago`
}
