import { describe, test } from 'vitest'
import { useModel } from './seeds.js'

/** About a minute. */
const runs = 60

describe('every answer is the one that the oracle computes from the same rows', () => {
  const runSeed = useModel()

  test.each(Array.from({ length: runs }, (_, at) => at + 1))('for the product of seed %i', runSeed)
})
