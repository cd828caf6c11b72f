import { availableParallelism, cpus } from 'node:os'
import type { ProductDatabase } from '../product/index.js'
import { ask } from './sources.js'

/** Where numbers were taken, without which they mean little. */
export interface Machine {
  readonly dialect: 'mysql' | 'mariadb'
  /** `MySQL 9.7.4`. */
  readonly server: string
  readonly bufferPoolMb: number
  /** `2 cores of an AMD EPYC`. */
  readonly processor: string
  readonly node: string
  readonly date: string
}

/** This machine, and the server that a product lies on. */
export async function readMachine(database: ProductDatabase): Promise<Machine> {
  const [row] = await ask<{ version: string; bytes: string }>(
    database,
    'SELECT VERSION() AS version, @@innodb_buffer_pool_size AS bytes',
  )
  const dialect = /mariadb/i.test(row!.version) ? 'mariadb' : 'mysql'
  const number = /^[\d.]+/.exec(row!.version)?.[0] ?? row!.version
  return {
    dialect,
    server: `${dialect === 'mariadb' ? 'MariaDB' : 'MySQL'} ${number}`,
    bufferPoolMb: Math.round(Number(row!.bytes) / 1_048_576),
    processor: `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`,
    node: `Node ${process.versions.node}`,
    date: new Date().toISOString().slice(0, 10),
  }
}

/** The machine in a line. */
export function toMachineText({ date, processor, node, server, bufferPoolMb }: Machine): string {
  return `${date}, ${processor}, ${node}, ${server} with a buffer pool of ${bufferPoolMb} MB`
}
