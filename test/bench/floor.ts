import { readFileSync } from 'node:fs'
import { createReaderPool } from './reader-pool.js'
import { obey } from './script.js'
import type { FloorStatements, Slice, SliceOrder } from './slice.js'
import { toSlice } from './slice.js'

/*
 * The floor, a process of its own: the statements over mysql2 and nothing else, as many at a time as the others
 * have connections. `node floor.js STATEMENTS_FILE`, ordered about by messages.
 */

const statements = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as FloorStatements
const pool = createReaderPool()

async function run({ slug, connections, ms }: SliceOrder): Promise<Slice> {
  const { sql, rows: wanted, values } = statements[slug]!
  const times: number[] = []
  let failures = 0
  let next = Math.floor(Math.random() * values.length)
  const start = performance.now()
  const end = start + ms
  const ask = async (): Promise<void> => {
    for (let began = start; began < end;) {
      began = performance.now()
      next = (next + 1) % values.length
      const [rows] = await pool.execute(sql, values[next] as string[])
      if (!Array.isArray(rows) || rows.length !== wanted) failures += 1
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: connections }, ask))
  return toSlice(times, performance.now() - start, failures)
}

obey(run)
