import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkTrace, installModel } from '../protocol/model.js'
import type { Mistake } from '../protocol/model.js'
import type { ForeignTools } from '../support/foreign-tools.js'
import { useThrowaway } from '../support/service.js'
import { playEpisode } from './episode.js'
import type { Outcome } from './episode.js'
import { timeForms } from './table.js'
import type { TimeForm } from './table.js'
import { addTally, createTally, toTallyText } from './tally.js'
import type { Tally } from './tally.js'

/*
 * `npm run test:long` plays a short run for each form of times; `npm run torture` plays on for TORTURE_MINUTES. TORTURE_SEED
 * repeats what the writers did; what the machine makes of its order within a round is not in its power.
 */

const throwaway = useThrowaway()
const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const minutes = Number(process.env['TORTURE_MINUTES'] ?? 0)
const promise = { overlapSeconds: 3, promisedSeconds: 3 }

let model: ForeignTools
beforeAll(async () => {
  model = await installModel()
})
afterAll(() => model.remove())

/** What the rules of the formal model find wrong with what the readers read. */
function findMistakes({ trace }: Outcome, { digits }: TimeForm): Promise<readonly Mistake[]> {
  return checkTrace(model, { isExact: digits <= 3, steps: trace.steps })
}

function say(text: string): void {
  process.stderr.write(`torture: ${text}\n`)
}

/** One run, summed up in a line, and held against the tables. */
async function expectNothingLost(options: { seed: number; form: TimeForm; rounds: number }): Promise<Tally> {
  const outcome = await playEpisode(throwaway, { ...options, ...promise })
  const { tally, end, held } = outcome
  const mistakes = await findMistakes(outcome, options.form)
  say(`seed ${options.seed}, ${options.form.name}: ${toTallyText(tally, mistakes.length)}`)
  expect(mistakes).toEqual([])
  expect(held).toHaveLength(2)
  const { stored, shown, copies, strangers } = end
  expect(stored.size).toBeGreaterThan(50)
  expect(shown).toEqual(stored)
  for (const copy of copies.values()) expect(copy).toEqual(stored)
  expect(strangers).toEqual([])
  expect(tally).toMatchObject({ restarts: 2, cuts: 2 })
  expect(tally.ties).toBeGreaterThan(100)
  return tally
}

async function play(): Promise<void> {
  const end = Date.now() + minutes * 60_000
  const sum = createTally()
  for (let episode = 0; Date.now() < end; episode += 1) {
    const own = seed + episode
    // The form follows from the seed too, so that the seed alone repeats the episode.
    const form = timeForms[own % timeForms.length]!
    addTally(sum, await expectNothingLost({ seed: own, form, rounds: 200 }))
  }
  say(`all of it: ${toTallyText(sum, 0)}`)
}

describe(`readers who follow cursor and nextUpdatedSince alone (TORTURE_SEED=${seed})`, () => {
  if (minutes > 0) {
    // What is begun when the time is over is still played to its end.
    test(`have every record as the table has it, ${minutes} minutes long`, play, (minutes + 10) * 60_000)
    return
  }

  test.each(timeForms)(
    'have every record as the table has it, whatever wrote when, with times in $name',
    async (form) => {
      await expectNothingLost({ seed, form, rounds: 40 })
    },
  )

  test('lose what commits late where the overlap is zero', async () => {
    // The writers believe in a promise that the service does not keep.
    const broken = { overlapSeconds: 0, promisedSeconds: 3600 }
    const form = timeForms[0]!
    const outcome = await playEpisode(throwaway, { seed, form, rounds: 4, ...broken })
    const lost = new Set((await findMistakes(outcome, form)).map(([, , id]) => String(id)))
    say(`seed ${seed}, no overlap: ${toTallyText(outcome.tally, lost.size)}`)
    expect(outcome.held.filter((id) => !lost.has(id))).toEqual([])
  })
})
