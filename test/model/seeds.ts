import { inject, vi } from 'vitest'
import type * as Parents from '../../src/collections/parents.js'
import { drawProduct } from './draw-product.js'
import { playProduct } from './play.js'
import { formatFailure } from './report.js'
import { useStage } from './stage.js'

// Products have few rows: three rows of a parent row count as many.
vi.mock('../../src/collections/parents.js', async (load) => {
  const original = await load<typeof Parents>()
  return {
    ...original,
    chooseParents: (input: Parameters<typeof original.chooseParents>[0]) =>
      original.chooseParents({ ...input, rowsMin: 3 }),
  }
})

/** Plays the product of a seed on the server of the run. */
export function useModel(): (seed: number) => Promise<void> {
  const { isMariaDb } = inject('server')
  const openStage = useStage()
  return async (seed) => {
    const stage = await openStage()
    const failure = await playProduct(stage, drawProduct(seed, isMariaDb), seed)
    if (failure === undefined) return
    throw new Error(formatFailure(seed, failure))
  }
}
