import { describe, test } from 'vitest'
import { useModel } from './seeds.js'

/*
 * `npm run test:long` runs products that were never drawn before. MODEL_SEED repeats one, and MODEL_RUNS runs as many from
 * there on.
 */

const given = process.env['MODEL_SEED']
const seed = Number(given ?? Math.floor(Math.random() * 2 ** 31))
const runs = Number(process.env['MODEL_RUNS'] ?? (given === undefined ? 300 : 1))

process.stderr.write(`model: ${runs} products from MODEL_SEED=${seed}\n`)

describe('every answer is the one that the oracle computes from the same rows', () => {
  const runSeed = useModel()

  test.each(Array.from({ length: runs }, (_, at) => seed + at))('for the product of seed %i', runSeed)
})
