import type { Capacity, CapacityLine, CapacitySlice } from './capacity.js'
import { toMachineText } from './machine.js'
import { median } from './slice.js'
import { renderTable, toText } from './table.js'

/** What was measured, as Markdown. */
export function renderCapacity({ machine, generator, size, lines }: Capacity): string {
  return `# What one process of Vitrine can do, on ${machine.server}

${toMachineText(machine)}; load from ${generator}: ${size.callers} callers, each of which
sends the next request as soon as it has the answer. ${size.rounds} rounds of ${size.sliceMs / 1000} s for each line, in turns; medians.
${size.registrations.toLocaleString('en-US')} registrations and ${size.invoices.toLocaleString('en-US')} invoices in 20 workspaces. \`npm run bench -- --capacity\`

Generator, Vitrine and database share the machine. **Cores** is processor time per second: 1.00 is one core. With
${machine.processor.split(' ')[0]!} cores for all three, the sum of Vitrine and database stays below that number, and the rest is the generator.

${renderTable(heads, lines.map(toCells))}`
}

const heads = [
  'request',
  'pool',
  'per second',
  'p50 ms',
  'p99 ms',
  'Vitrine cores',
  'database cores',
  'Vitrine ms each',
  'database ms each',
  'RSS MB',
]

function toCells({ title, pool, slices }: CapacityLine): readonly string[] {
  const medianOf = (read: (slice: CapacitySlice) => number | undefined): number | undefined => {
    const numbers = slices.map(read).filter((number) => number !== undefined)
    return numbers.length === 0 ? undefined : median(numbers)
  }
  const each = (ms: number | undefined, { requests }: CapacitySlice): number | undefined =>
    ms === undefined ? undefined : ms / requests
  const cores = (ms: number | undefined, { seconds }: CapacitySlice): number | undefined =>
    ms === undefined ? undefined : ms / 1000 / seconds
  return [
    title,
    String(pool),
    toText(medianOf(({ requests, seconds }) => requests / seconds)),
    toText(medianOf(({ p50Ms }) => p50Ms)),
    toText(medianOf(({ p99Ms }) => p99Ms)),
    toFineText(medianOf((slice) => cores(slice.vitrineMs, slice))),
    toFineText(medianOf((slice) => cores(slice.databaseMs, slice))),
    toFineText(medianOf((slice) => each(slice.vitrineMs, slice))),
    toFineText(medianOf((slice) => each(slice.databaseMs, slice))),
    toText(medianOf(({ rssMb }) => rssMb)),
  ]
}

function toFineText(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(2)
}
