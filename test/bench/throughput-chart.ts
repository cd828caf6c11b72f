import { renderBars } from './chart.js'
import type { Bar } from './chart.js'
import type { ContenderName } from './contenders.js'
import { compare, summarize } from './summary.js'
import { toText } from './table.js'
import type { Throughput } from './throughput.js'

const series: readonly (readonly [ContenderName, string])[] = [
  ['mysql2', 'mysql2 alone, no HTTP'],
  ['fastify', 'plain Fastify handler'],
  ['vitrine', 'Vitrine'],
]

/** Requests a second of all three, each load as a share of what the statement alone reaches. */
export function renderThroughputChart({ machine, trials, size }: Throughput): string {
  const shown = trials.filter(({ load, connections }) => load.rows > 0 && connections > 1)
  return renderBars({
    title: `Requests a second on ${machine.server}`,
    subtitle: `The same SQL, over the same 10 connections; ${machine.processor}, medians of ${size.rounds} rounds by turns, ${machine.date}`,
    series: series.map(([, name]) => name),
    groups: shown.map((trial) => {
      const floor = summarize(trial, 'mysql2')!.perSecond
      const bars = series.map(([name], at): Bar => {
        const perSecond = summarize(trial, name)!.perSecond
        const ratio = name === 'vitrine' ? ` · ${toText(compare(trial, 'fastify'))} of Fastify` : ''
        return { series: at, value: perSecond / floor, text: `${toText(perSecond)}/s${ratio}` }
      })
      return { name: trial.load.title.replaceAll('`', ''), bars }
    }),
  })
}
