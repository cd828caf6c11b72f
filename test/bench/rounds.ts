import type { Contender, ContenderName } from './contenders.js'
import type { DatabaseTime } from './database-time.js'
import type { Load } from './loads.js'
import { readCpuMs, readRssMb } from './process-cost.js'
import type { Slice } from './slice.js'

/** A slice and what it cost. */
export interface Measured extends Slice {
  readonly cpuMs: number | undefined
  readonly databaseMs: number | undefined
  readonly rssMb: number | undefined
}

/** A load at a number of connections, and what was seen of each contender, a slice for each round. */
export interface Trial {
  readonly load: Load
  readonly connections: number
  readonly seen: ReadonlyMap<ContenderName, Measured[]>
}

interface RoundsInput {
  readonly trials: readonly Trial[]
  readonly contenders: readonly Contender[]
  readonly rounds: number
  readonly sliceMs: number
  readonly warmUpMs: number
  readonly databaseTime: DatabaseTime
  readonly say: (text: string) => void
}

/** A trial that nobody has run yet; a load without statements is Vitrine's alone. */
export function createTrial(load: Load, connections: number): Trial {
  const names: readonly ContenderName[] = load.rows === 0 ? ['vitrine'] : ['mysql2', 'fastify', 'vitrine']
  return { load, connections, seen: new Map(names.map((name) => [name, []])) }
}

/**
 * Lets the contenders take turns at every trial, round after round, another one beginning each time, so that
 * whatever else the machine does meets them all.
 *
 * @throws Error at the first slice with a wrong answer, or none at all.
 */
export async function playRounds(input: RoundsInput): Promise<void> {
  const { trials, contenders, rounds, sliceMs, warmUpMs, say } = input
  if (warmUpMs > 0) {
    say('warming up')
    for (const trial of trials)
      for (const contender of contenders) await play(input, trial, contender, warmUpMs)
  }
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds}`)
    for (const [at, trial] of trials.entries())
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const contender = contenders[(round + at + turn) % contenders.length]!
        const measured = await play(input, trial, contender, sliceMs)
        if (measured !== undefined) trial.seen.get(contender.name)?.push(measured)
      }
  }
}

/** A slice without an answer is repeated, twice as long each time, up to this length. */
const sliceMaxMs = 30_000

async function play(
  { databaseTime }: Pick<RoundsInput, 'databaseTime'>,
  { load, connections, seen }: Trial,
  contender: Contender,
  ms: number,
): Promise<Measured | undefined> {
  if (!seen.has(contender.name)) return undefined
  const [cpuBefore, databaseBefore] = [readCpuMs(contender.pid), await databaseTime.read()]
  const slice = await contender.run(load, connections, ms)
  const [cpuAfter, databaseAfter] = [readCpuMs(contender.pid), await databaseTime.read()]
  // A busy machine may end a short slice before the first answer.
  if (slice.failures === 0 && slice.requests === 0 && ms < sliceMaxMs)
    return play({ databaseTime }, { load, connections, seen }, contender, ms * 2)
  if (slice.failures > 0 || slice.requests === 0)
    throw new Error(
      `${contender.name}, ${load.slug}: ${slice.failures} wrong answers of ${slice.requests}; these numbers say nothing`,
    )
  return {
    ...slice,
    cpuMs: subtract(cpuAfter, cpuBefore),
    databaseMs: subtract(databaseAfter, databaseBefore ?? 0),
    rssMb: readRssMb(contender.pid),
  }
}

function subtract(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before
}
