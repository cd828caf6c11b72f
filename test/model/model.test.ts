import { describe, test } from 'vitest'
import { useModel } from './seeds.js'

/** About a minute; MODEL_SEED and MODEL_RUNS give other ones. */
const from = Number(process.env['MODEL_SEED'] ?? 1)
const runs = Number(process.env['MODEL_RUNS'] ?? (process.env['MODEL_SEED'] === undefined ? 60 : 1))

describe('every answer is the one that the oracle computes from the same rows', () => {
  const play = useModel()

  test.each(Array.from({ length: runs }, (_, at) => from + at))('for the product of seed %i', play)
})
