import { inject } from 'vitest'
import { drawProduct } from './draw-product.js'
import { runProduct } from './run-product.js'
import { formatFailure } from './report.js'
import { useStage } from './stage.js'

/** Runs the product of a seed on the server of the run. */
export function useModel(): (seed: number) => Promise<void> {
  const { isMariaDb } = inject('server')
  const openStage = useStage()
  return async (seed) => {
    const stage = await openStage()
    const failure = await runProduct(stage, drawProduct(seed, isMariaDb), seed)
    if (failure === undefined) return
    throw new Error(formatFailure(seed, failure))
  }
}
