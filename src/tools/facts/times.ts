import type { ColumnKind } from '../../database/column.js'
import type { Cells } from './values.js'

interface TimeInput {
  /** The times of the creation of the same rows; none for the column of the creation itself. */
  readonly created: Cells
  readonly now: string
  /** Whether the range may be shown. */
  readonly isShown: boolean
}

const timeKinds = new Set<ColumnKind>(['date', 'datetime', 'timestamp'])

/** From when to when, how old the newest is, and how many lie after the creation. */
export function describeTimes(
  cells: Cells,
  kind: ColumnKind,
  { created, now, isShown }: TimeInput,
): readonly string[] {
  if (kind === 'integer') return isShown ? describeEpoch(cells) : []
  const times = cells.filter((cell) => cell?.startsWith('0000-') === false)
  if (times.length === 0 || !timeKinds.has(kind)) return []
  const beside = kind === 'date' ? [] : compareTimes(cells, created)
  return isShown ? [describeRange(times.toSorted(), kind, now), ...beside] : beside
}

function describeRange(times: Cells, kind: ColumnKind, now: string): string {
  const [low = '', high = ''] = [times[0], times.at(-1)]
  if (kind === 'date') return low === high ? low : `${low}…${high}`
  const toMs = (time: string): number => Date.parse(`${time.slice(0, 19).replace(' ', 'T')}Z`)
  return `…${high.slice(0, 16)} (${describeAge(toMs(now) - toMs(high))})`
}

function compareTimes(cells: Cells, created: Cells): readonly string[] {
  const pairs = cells.flatMap((cell, i) => {
    const other = created[i]
    return cell === undefined || other === undefined ? [] : [[cell, other] as const]
  })
  const [later, earlier] = [pairs.filter(([a, b]) => a > b).length, pairs.filter(([a, b]) => a < b).length]
  return pairs.length === 0 ? [] : [`>created ${later}`, ...(earlier > 0 ? [`earlier ${earlier}`] : [])]
}

function describeEpoch(cells: Cells): readonly string[] {
  const numbers = cells.flatMap((cell) => (cell === undefined || cell === '0' ? [] : [Number(cell)]))
  if (numbers.length === 0) return []
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
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
