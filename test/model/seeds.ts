import { inject, vi } from 'vitest'
import type * as Parents from '../../src/collections/parents.js'
import { drawProduct } from './draw-product.js'
import { playProduct } from './play.js'
import type { Failure, Stage } from './play.js'
import { formatFailure } from './report.js'
import { shrink } from './shrink.js'
import type { Case } from './shrink.js'
import { useStage } from './stage.js'

// Products have few rows: three rows of a parent row count as many.
vi.mock('../../src/collections/parents.js', async (load) => {
  const original = await load<typeof Parents>()
  return {
    ...original,
    chooseAccessPath: (input: Parameters<typeof original.chooseAccessPath>[0]) =>
      original.chooseAccessPath({ ...input, rowsMin: 3 }),
  }
})

/** Smaller products that are played for a failure at most. */
const triesMax = 300
/** To make a product smaller takes half a minute, and the first ones say enough; a mutant needs none. */
const shrunkMax = Number(process.env['MODEL_SHRUNK'] ?? 3)

/** Plays the product of a seed on the server of the run. */
export function useModel(): (seed: number) => Promise<void> {
  const { isMariaDb } = inject('server')
  const openStage = useStage()
  let shrunk = 0
  return async (seed) => {
    const stage = await openStage()
    const { failure } = await playProduct(stage, drawProduct(seed, isMariaDb), seed)
    if (failure === undefined) return
    const smallest = shrunk++ < shrunkMax ? await shrinkFailure(stage, seed, failure) : failure
    throw new Error(formatFailure(seed, smallest))
  }
}

async function shrinkFailure(stage: Stage, seed: number, failure: Failure): Promise<Failure> {
  const replay = async ({ product, question }: Case): Promise<Failure | undefined> => {
    try {
      const again = (await playProduct(stage, product, seed, question)).failure
      return again?.difference.what === failure.difference.what ? again : undefined
    } catch {
      // The server does not take every smaller product.
      return undefined
    }
  }
  return shrink(failure, replay, triesMax)
}
