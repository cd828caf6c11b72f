import type { ContenderName } from './contenders.js'
import { toMachineText } from './machine.js'
import type { Trial } from './rounds.js'
import { compare, summarize } from './summary.js'
import { renderTable, toText } from './table.js'
import type { Throughput } from './throughput.js'

/** What was measured, as Markdown. */
export function renderThroughput(measured: Throughput): string {
  const { machine, generator, size, trials, databaseTimeSource } = measured
  return `# Vitrine on ${machine.server}

${toMachineText(machine)}; load from ${generator}; ${size.rounds} rounds, in each of which everybody had ${size.sliceMs / 1000} s at
every line, by turns. ${size.registrations.toLocaleString('en-US')} registrations and ${size.invoices.toLocaleString('en-US')} invoices in 20 workspaces; lists at random places of the
largest one, and single records of it where nothing else is said. Every answer was the right one, or there would be no table.

- **mysql2**: the statements that Vitrine runs, over mysql2 alone, with no HTTP: the floor.
- **Fastify**: the same behind a plain Fastify handler that answers the raw rows, with no keys, validation, log or ETag.
- **Vitrine**: as it ships, with keys, scopes, validation, ETag, log, metrics and the audit.

Generator, contender and database share the machine; only the ratios carry over to another one. Medians of the rounds.

## Requests a second

${renderSpeeds(trials)}
## Milliseconds until the answer

${renderLatencies(trials)}
## What a request costs, in milliseconds

Time of the processor in the contender's own process, and time in the database (${databaseTimeSource}).

${renderCosts(trials)}
## Start and memory

${renderStart(measured)}`
}

/** Requests a second and their ratios. */
function renderSpeeds(trials: readonly Trial[]): string {
  const rows = trials.map((trial) => [
    ...toHead(trial),
    ...eachOf((name) => summarize(trial, name)?.perSecond),
    toText(compare(trial, 'mysql2')),
    toText(compare(trial, 'fastify')),
  ])
  return renderTable(['', 'connections', 'mysql2', 'Fastify', 'Vitrine', 'of mysql2', 'of Fastify'], rows)
}

function renderLatencies(trials: readonly Trial[]): string {
  const rows = trials.map((trial) => [
    ...toHead(trial),
    ...eachOf((name) => summarize(trial, name)?.p50Ms),
    ...eachOf((name) => summarize(trial, name)?.p99Ms),
  ])
  const heads = ['p50', 'p99'].flatMap((mark) => [`mysql2 ${mark}`, `Fastify ${mark}`, `Vitrine ${mark}`])
  return renderTable(['', 'connections', ...heads], rows)
}

function renderCosts(trials: readonly Trial[]): string {
  const rows = trials.map((trial) => [
    ...toHead(trial),
    ...eachOf((name) => summarize(trial, name)?.cpuMs, toFineText),
    ...eachOf((name) => summarize(trial, name)?.databaseMs, toFineText),
  ])
  const heads = ['CPU', 'database'].flatMap((what) => [
    `mysql2 ${what}`,
    `Fastify ${what}`,
    `Vitrine ${what}`,
  ])
  return renderTable(['', 'connections', ...heads], rows)
}

function renderStart({ start, trials, size }: Throughput): string {
  const most = (name: ContenderName): number =>
    Math.max(...trials.map((trial) => summarize(trial, name)?.rssMb ?? 0))
  return renderTable(
    ['', 'Vitrine'],
    [
      [`start to first answer, median of ${size.starts}`, `${toText(start.firstAnswerMs)} ms`],
      ['of which a bare connection takes', `${toText(start.connectMs)} ms`],
      ['memory when started', `${toText(start.rssMb)} MB`],
      ['memory under load, at most', `${toText(most('vitrine'))} MB`],
    ],
  )
}

function toHead({ load, connections }: Trial): readonly string[] {
  return [load.title, String(connections)]
}

const names: readonly ContenderName[] = ['mysql2', 'fastify', 'vitrine']

function eachOf(
  read: (name: ContenderName) => number | undefined,
  write: (value: number | undefined) => string = toText,
): readonly string[] {
  return names.map((name) => write(read(name)))
}

function toFineText(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(3)
}
