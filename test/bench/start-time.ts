import { join } from 'node:path'
import mysql from 'mysql2/promise'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { readRssMb } from './process-cost.js'
import { median } from './slice.js'
import { startVitrine } from './vitrine-process.js'

/** What a start takes. */
export interface StartTime {
  /** From the start of the process to its first answer. */
  readonly firstAnswerMs: number
  /** What a bare connection to the database and one statement take, which is in it. */
  readonly connectMs: number
  /** Memory right after the start. */
  readonly rssMb: number | undefined
}

/** The middle of several starts. */
export async function measureStart(
  throwaway: Throwaway,
  database: ProductDatabase,
  options: { readonly starts: number; readonly folder: string },
): Promise<StartTime> {
  const firstAnswers: number[] = []
  const connects: number[] = []
  const memories: number[] = []
  for (let start = 0; start < options.starts; start += 1) {
    connects.push(await time(() => connectOnce(database)))
    const began = performance.now()
    const vitrine = await startVitrine(throwaway, database, join(options.folder, 'starts.log'))
    firstAnswers.push(performance.now() - began)
    const rssMb = readRssMb(vitrine.pid)
    if (rssMb !== undefined) memories.push(rssMb)
    await vitrine.stop()
  }
  return {
    firstAnswerMs: median(firstAnswers),
    connectMs: median(connects),
    rssMb: memories.length === 0 ? undefined : median(memories),
  }
}

async function connectOnce(database: ProductDatabase): Promise<void> {
  const connection = await mysql.createConnection({ uri: database.readUrl })
  await connection.query('SELECT 1')
  await connection.end()
}

async function time(task: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await task()
  return performance.now() - began
}
