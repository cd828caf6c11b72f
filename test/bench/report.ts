import type { Load, Slice } from './load.js'

/** A slice, and what it cost the process. */
export interface Measured extends Slice {
  readonly cpuMs: number
  readonly rssMb: number
}

/** All turns of one contender at one load. */
export interface Result {
  readonly delayMs: number
  readonly load: Load
  readonly contender: string
  readonly slices: readonly Measured[]
}

const heads = [
  ...['delay', 'workspaces', 'load', 'callers', 'who'],
  ...['requests/s', 'p50 ms', 'p99 ms', 'errors', 'CPU ms', 'RSS MB'],
]
const textColumns = 5

/** One table of Markdown; numbers are medians of the rounds, and the errors are of all rounds. */
export function renderTable(results: readonly Result[]): string {
  const rows = results.map(toCells)
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]!.length)))
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (at < textColumns ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' | ')} |\n`
  const rule = widths.map((width, at) => (at < textColumns ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [heads, rule, ...rows].map(toLine).join('')
}

function toCells({ delayMs, load, contender, slices }: Result): readonly string[] {
  const requests = slices.reduce((sum, slice) => sum + slice.requests, 0)
  const cpuMs = slices.reduce((sum, slice) => sum + slice.cpuMs, 0)
  return [
    `${delayMs} ms`,
    String(load.workspaces),
    load.name,
    String(load.connections),
    contender,
    Math.round(median(slices.map((slice) => slice.requests / slice.seconds))).toLocaleString('en-US'),
    median(slices.map((slice) => slice.p50Ms)).toFixed(2),
    median(slices.map((slice) => slice.p99Ms)).toFixed(2),
    toErrors(slices),
    (cpuMs / requests).toFixed(3),
    String(Math.round(Math.max(...slices.map((slice) => slice.rssMb)))),
  ]
}

function toErrors(slices: readonly Slice[]): string {
  const counts = new Map<number, number>()
  for (const { errors } of slices)
    for (const [status, count] of errors) counts.set(status, (counts.get(status) ?? 0) + count)
  return counts.size === 0 ? '0' : [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = (sorted.length - 1) / 2
  return (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2
}
