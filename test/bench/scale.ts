import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import type { Statement } from '../../src/database/statement.js'
import type { ProductDatabase } from '../product/index.js'
import { askVitrine } from './check-answers.js'
import { driveVitrine } from './contenders.js'
import type { Contender } from './contenders.js'
import { fillProduct } from './fill.js'
import { readMachine } from './machine.js'
import type { Machine } from './machine.js'
import { createScaleLoads } from './scale-loads.js'
import type { Load } from './loads.js'
import { median } from './slice.js'
import type { Bench } from './throughput.js'
import { startVitrine } from './vitrine-process.js'

/** How much is measured. */
export interface ScaleSize {
  /** Registrations of each database, few first. */
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly sliceMs: number
  /** Whether there is a round before them that is not counted. */
  readonly warmUp: boolean
}

/** One kind of request, at each size. */
export interface ScaleLine {
  readonly title: string
  readonly perSecond: readonly number[]
  /** Rows that the storage engine handed over for one page, by the server's own counters. */
  readonly rowsRead: readonly number[]
}

/** What was measured, and where. */
export interface Scale extends ScaleSize {
  readonly machine: Machine
  readonly generator: string
  readonly lines: readonly ScaleLine[]
}

interface Stage {
  readonly loads: readonly Load[]
  readonly rowsRead: readonly number[]
  readonly contender: Contender
}

/** What a page costs as the table grows; the sizes take turns. */
export async function measureScale(bench: Bench, size: ScaleSize): Promise<Scale> {
  const stages: Stage[] = []
  let machine: Machine | undefined
  for (const registrations of size.sizes) {
    bench.say(`making ${registrations} registrations`)
    const database = await bench.throwaway.createProduct('plain', { registrations: 0 })
    const workspaceOf = 'IF(n = 0, 1, 0)'
    await fillProduct(database.adminUrl, { registrations, invoices: 0, workspaces: 2, workspaceOf })
    machine = await readMachine(database)
    stages.push(await startStage(bench, database, registrations))
  }
  const perSecond = await playStages(bench, stages, size)
  for (const { contender } of stages) await contender.stop()
  return {
    ...size,
    machine: machine!,
    generator: bench.generator.name,
    lines: stages[0]!.loads.map(({ title }, line) => ({
      title,
      perSecond: perSecond.map((rates) => rates[line]!),
      rowsRead: stages.map(({ rowsRead }) => rowsRead[line]!),
    })),
  }
}

async function startStage(bench: Bench, database: ProductDatabase, registrations: number): Promise<Stage> {
  const folder = join(bench.folder, String(registrations))
  mkdirSync(folder)
  const loads = await createScaleLoads(database, registrations)
  const rowsRead: number[] = []
  for (const { targets } of loads) rowsRead.push(await countRowsRead(database, targets[0]!.statement!))
  const vitrine = await startVitrine(bench.throwaway, database, join(folder, 'vitrine.log'))
  for (const load of loads)
    for (const target of load.targets) {
      const body = (await (await askVitrine(vitrine.origin, target)).json()) as { data?: unknown[] }
      const shown = body.data?.length ?? 1
      if (shown !== load.rows) throw new Error(`${load.slug}: ${shown} records instead of ${load.rows}`)
    }
  return { loads, rowsRead, contender: driveVitrine({ ...bench, database, folder }, vitrine, loads) }
}

/** Requests a second of each stage's loads: medians of the rounds. */
async function playStages(
  { say }: Bench,
  stages: readonly Stage[],
  { rounds, sliceMs, warmUp }: ScaleSize,
): Promise<readonly (readonly number[])[]> {
  const rates = stages.map(({ loads }) => loads.map((): number[] => []))
  for (let round = warmUp ? 0 : 1; round <= rounds; round += 1) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    for (const line of stages[0]!.loads.keys())
      for (const [at, { loads, contender }] of stages.entries()) {
        const load = loads[line]!
        const slice = await contender.run(load, load.connections, sliceMs)
        if (slice.failures > 0 || slice.requests === 0)
          throw new Error(`${load.slug}: ${slice.failures} wrong answers of ${slice.requests}`)
        if (round > 0) rates[at]![line]!.push(slice.requests / slice.seconds)
      }
  }
  return rates.map((lines) => lines.map(median))
}

async function countRowsRead(database: ProductDatabase, { sql, values }: Statement): Promise<number> {
  const connection = await mysql.createConnection({ uri: database.adminUrl })
  try {
    await connection.query('FLUSH STATUS')
    await connection.execute(sql, values as string[])
    const [status] = await connection.query<RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Handler_read%'")
    return status.reduce((sum, row) => sum + Number(row['Value']), 0)
  } finally {
    await connection.end()
  }
}
