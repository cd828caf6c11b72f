import { expect } from 'vitest'
import type { Fault } from './fault.js'
import type { Load, Outcome, Seat } from './load.js'
import type { RunningService } from '../support/running-service.js'

/** What came of a fault. */
export interface Row {
  readonly fault: string
  readonly sent: number
  readonly right: number
  readonly refused: number
  readonly wrong: readonly string[]
  /** From the database's return to the first right answer after it. */
  readonly firstMs: number
  /** The same for the caller who had to wait the longest. */
  readonly lastMs: number
  /** The same for what was broken, where others served meanwhile. */
  readonly backMs: number | undefined
}

/** Who asks, and who is asked. */
interface Scene {
  readonly load: Load
  readonly services: readonly RunningService[]
}

/** Right answers in a row after which a caller is taken to be well. */
const steady = 3
/** Far beyond what anything here takes. */
const timeoutMs = 60_000

/** Breaks the database, waits until everybody noticed `rounds` times, fixes it, and waits until all is well. */
export async function playFault<Stage extends Scene>(
  stage: Stage,
  fault: Fault<Stage>,
  rounds: number,
): Promise<Row> {
  const { load } = stage
  const pollOptions = { timeout: timeoutMs, interval: 20, message: fault.name }
  const from = load.outcomes.length
  const seats = load.seats.filter(({ needsDatabase }) => needsDatabase)
  const fix = await fault.strike(stage)
  const since = performance.now()
  const counted = fault.refused === 'all' ? ['503', 'wrong'] : ['right', '503', 'wrong']
  await expect
    .poll(
      () => seats.every((seat) => listSince(load.outcomes, seat, since, counted).length >= rounds),
      pollOptions,
    )
    .toBe(true)
  if (fault.refused === 'some')
    await expect
      .poll(() => load.outcomes.some((one) => one.as === '503' && one.sentAt > since), pollOptions)
      .toBe(true)
  await expectReady(stage, fault.readyz, pollOptions)
  await fix()
  const fixedAt = performance.now()
  await expect.poll(() => seats.every((seat) => isWell(load.outcomes, seat, fixedAt)), pollOptions).toBe(true)
  await fault.back?.(stage)
  const backMs = fault.back === undefined ? undefined : Math.round(performance.now() - fixedAt)
  await expectReady(stage, 200, pollOptions)
  await fault.after?.(stage)
  return { ...toRow(fault.name, load.outcomes.slice(from), { seats, fixedAt }), backMs }
}

function listSince(
  outcomes: readonly Outcome[],
  seat: Seat,
  since: number,
  as: readonly string[],
): readonly Outcome[] {
  return outcomes.filter((one) => one.seat === seat && one.sentAt > since && as.includes(one.as))
}

function isWell(outcomes: readonly Outcome[], seat: Seat, fixedAt: number): boolean {
  const last = outcomes.filter((one) => one.seat === seat && one.sentAt > fixedAt).slice(-steady)
  return last.length === steady && last.every(({ as }) => as === 'right')
}

async function expectReady(
  { services }: Scene,
  status: number | undefined,
  pollOptions: { readonly timeout: number },
): Promise<void> {
  if (status === undefined) return
  for (const { ops } of services)
    await expect.poll(async () => (await fetch(`${ops}/readyz`)).status, pollOptions).toBe(status)
}

interface Times {
  readonly seats: readonly Seat[]
  readonly fixedAt: number
}

function toRow(fault: string, outcomes: readonly Outcome[], { seats, fixedAt }: Times): Omit<Row, 'backMs'> {
  const own = outcomes.filter(({ seat }) => seat.needsDatabase)
  const waits = seats.map((seat) => {
    const first = own.find((one) => one.seat === seat && one.as === 'right' && one.endedAt >= fixedAt)
    return (first?.endedAt ?? Infinity) - fixedAt
  })
  return {
    fault,
    sent: own.length,
    right: own.filter(({ as }) => as === 'right').length,
    refused: own.filter(({ as }) => as === '503').length,
    wrong: outcomes.filter(({ as }) => as === 'wrong').map(({ detail }) => detail),
    firstMs: Math.round(Math.min(...waits)),
    lastMs: Math.round(Math.max(...waits)),
  }
}

/** The rows as a table for people. */
export function toTable(rows: readonly Row[]): string {
  const head = ['fault', 'sent', 'right', '503', 'wrong', 'first right ms', 'all right ms', 'back ms']
  const lines = rows.map((row) => [
    row.fault,
    ...[row.sent, row.right, row.refused, row.wrong.length, row.firstMs, row.lastMs, row.backMs ?? ''].map(
      String,
    ),
  ])
  const widths = head.map((_, at) => Math.max(...[head, ...lines].map((line) => line[at]!.length)))
  return [head, ...lines]
    .map((line) =>
      line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
    )
    .join('\n')
}
