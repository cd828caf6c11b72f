import { Writable } from 'node:stream'
import { createRandom } from '../product/random.js'
import { parseConfig } from '../../src/config.js'
import { httpLimits } from '../../src/api/connections.js'
import { readMapping } from '../../src/mapping/load-configuration.js'
import { buildService } from '../../src/api/service.js'
import type { Service } from '../../src/api/service.js'
import { createLog } from '../../src/log.js'
import { ask, createSend } from './ask.js'
import type { Difference, Expectation, Send } from './ask.js'
import { drawQuestions } from './draw-questions.js'
import type { Question } from './draw-questions.js'
import { findEntries } from './oracle.js'
import { collections } from './product.js'
import type { Product, Table } from './product.js'
import { createTables, quote, readRanks, readTables } from './server.js'
import type { Connection } from './server.js'

/** Where products run. */
export interface Stage {
  readonly connection: Connection
  /** For the administrator, with the name of a database at the end. */
  readonly toUrl: (database: string) => string
  /** A name that no other database has. */
  readonly nameDatabase: () => string
}

/** The first wrong answer. */
export interface Failure {
  readonly difference: Difference
  /** Undefined where the service did not start. */
  readonly question: Question | undefined
  /** With the rows that were stored. */
  readonly product: Product
  /** The errors of the service's log. */
  readonly log: string
}

/** Questions that are asked at once, so that batches and shared statements occur. */
const atOnce = 6

/**
 * Makes a product, starts the service over it and asks.
 *
 * @param seed of the questions.
 */
export async function runProduct(stage: Stage, product: Product, seed: number): Promise<Failure | undefined> {
  const database = stage.nameDatabase()
  try {
    await createTables(stage.connection, database, product)
    const world = await readWorld(stage, product)
    const questions = drawQuestions({ random: createRandom(seed), ...world })
    const log = createSink()
    const service = await start(stage.toUrl(database), product, log.sink)
    const stored = { ...product, tables: world.tables }
    if ('difference' in service) return { ...service, question: undefined, product: stored, log: log.text() }
    try {
      const found = await askAll(createSend(service.app, product), world, questions)
      return found && { ...found, product: stored, log: log.text() }
    } finally {
      await service.close()
    }
  } finally {
    await stage.connection.query(`drop database if exists ${quote(database)}`)
  }
}

/** What is stored, and what follows from it. */
export interface StoredWorld extends Expectation {
  readonly tables: readonly Table[]
}

/** Reads what is stored. */
export async function readWorld({ connection }: Stage, product: Product): Promise<StoredWorld> {
  const tables = await readTables(connection, product)
  const texts = tables.flatMap((table) =>
    table.columns
      .filter(({ kind, type }) => kind === 'text' && !type.startsWith('enum'))
      .map((column) => ({ table: table.name, column })),
  )
  const world = {
    tables,
    ranks: await readRanks(connection, texts),
    zone: product.mapping.timezone ?? '+00:00',
  }
  const entries = collections.flatMap((collection) => {
    const section = product.mapping[collection]
    return section === undefined ? [] : [[collection, findEntries(world, collection, section)] as const]
  })
  return { product, tables, entries: Object.fromEntries(entries) }
}

function createSink(): { readonly sink: Writable; readonly text: () => string } {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (lines.length < 20) lines.push(chunk.toString().slice(0, 2000))
      done()
    },
  })
  return { sink, text: () => lines.filter((line) => !line.includes('audit')).join('') }
}

async function start(
  url: string,
  product: Product,
  sink: Writable,
): Promise<Service | { readonly difference: Difference }> {
  try {
    return await buildService({
      config: parseConfig({
        DATABASE_URL: url,
        DATABASE_POOL_SIZE: '4',
        RATE_LIMIT_PER_MINUTE: '0',
        REFUSED_KEYS_PER_MINUTE: '0',
        COMPRESSION: 'off',
        // The administrator may do what the audit refuses.
        AUDIT: 'warn',
      }),
      // JSON is YAML. Products have few rows: pages that end early and both access paths occur in each run.
      mapping: { ...readMapping(JSON.stringify(product.mapping)), entriesMax: product.entriesMax },
      log: createLog('error', sink),
      clock: Date.now,
      ageClock: () => performance.now(),
      limits: httpLimits,
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      difference: {
        what: 'the service does not start',
        request: 'serve',
        expected: 'a start',
        actual: { message, error },
      },
    }
  }
}

/** The first difference that is found, with its question. */
export async function askAll(
  send: Send,
  world: StoredWorld,
  questions: readonly Question[],
): Promise<{ readonly difference: Difference; readonly question: Question } | undefined> {
  for (let from = 0; from < questions.length; from += atOnce) {
    const batch = questions.slice(from, from + atOnce)
    const answers = await Promise.all(batch.map((question) => ask(send, world, question)))
    const at = answers.findIndex((difference) => difference !== undefined)
    if (at !== -1) return { difference: answers[at]!, question: batch[at]! }
  }
  return undefined
}
