import { renderBars } from './chart.js'
import { toMachineText } from './machine.js'
import type { Scale } from './scale.js'
import { renderTable, toText } from './table.js'

/** What was measured, as Markdown. */
export function renderScale({ machine, generator, sizes, rounds, sliceMs, lines }: Scale): string {
  const heads = sizes.map(toRowsText)
  const table = (read: (line: Scale['lines'][number]) => readonly number[]): string =>
    renderTable(
      ['', ...heads],
      lines.map((line) => [line.title, ...read(line).map(toText)]),
    )
  return `# What a page of Vitrine costs as the table grows, on ${machine.server}

${toMachineText(machine)}; load from ${generator}; ${rounds} rounds, in each of which every size had ${sliceMs / 1000} s at every line,
by turns. 25 registrations on a page, 16 connections; 64 for one registration. One workspace has all the rows but one.
Where there are fewer than 10,000 pages, one of the last stands for it.

## Requests a second

${table((line) => line.perSecond)}
## Rows that the database reads for one page

By the server's Handler_read counters: what a page shows, one more to see whether others follow, what is archived in
between, and the look-ups.

${table((line) => line.rowsRead)}`
}

/** Requests a second, a bar for each size. */
export function renderScaleChart({ machine, sizes, rounds, lines }: Scale): string {
  return renderBars({
    title: `Requests a second as the table grows, on ${machine.server}`,
    subtitle: `Vitrine, 25 registrations on a page; ${machine.processor}, medians of ${rounds} rounds by turns, ${machine.date}`,
    series: sizes.map(toRowsText),
    groups: lines.map(({ title, perSecond, rowsRead }) => ({
      name: title.replaceAll('`', ''),
      bars: perSecond.map((value, series) => ({
        ...{ series, value },
        text: `${toText(value)}/s · ${rowsRead[series]!} read`,
      })),
    })),
  })
}

function toRowsText(rows: number): string {
  return `${rows.toLocaleString('en-US')} rows`
}
