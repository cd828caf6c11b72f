import { Writable } from 'node:stream'
import { createRandom } from '../product/random.js'
import { parseConfig } from '../../src/config.js'
import { httpLimits } from '../../src/http/limits.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import { buildService } from '../../src/service/build-service.js'
import type { Service } from '../../src/service/build-service.js'
import { createLog } from '../../src/service/create-log.js'
import { ask } from './ask.js'
import type { Difference } from './ask.js'
import { drawQuestions } from './draw-questions.js'
import type { Expectation } from './expect.js'
import { findEntries } from './oracle.js'
import { collections, findTable } from './product.js'
import type { Product, Table } from './product.js'
import type { Question } from './question.js'
import { createTables, quote, readRanks, readTables } from './server.js'
import type { Connection } from './server.js'

/** Where products are played. */
export interface Stage {
  readonly connection: Connection
  /** For the administrator, with the name of a database at the end. */
  readonly toUrl: (database: string) => string
  /** A name that no other database has. */
  readonly nameDatabase: () => string
}

/** What came of a product. */
export interface Outcome {
  readonly asked: number
  readonly failure: Failure | undefined
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
 * @param only this question instead of all.
 */
export async function playProduct(
  stage: Stage,
  product: Product,
  seed: number,
  only?: Question,
): Promise<Outcome> {
  const database = stage.nameDatabase()
  try {
    await createTables(stage.connection, database, product)
    const tables = await readTables(stage.connection, product)
    const expectation = { product, entries: await findAllEntries(stage, product, tables) }
    const questions =
      only === undefined ? drawQuestions({ random: createRandom(seed), tables, ...expectation }) : [only]
    const log = createSink()
    const started = await start(stage.toUrl(database), product, log.sink)
    if ('difference' in started)
      return {
        asked: 0,
        failure: { ...started, question: undefined, product: { ...product, tables }, log: log.text() },
      }
    try {
      const found = await askAll(started, expectation, questions)
      return {
        asked: questions.length,
        failure: found && { ...found, product: { ...product, tables }, log: log.text() },
      }
    } finally {
      await started.close()
    }
  } finally {
    await stage.connection.query(`drop database if exists ${quote(database)}`)
  }
}

async function findAllEntries(
  { connection }: Stage,
  product: Product,
  tables: readonly Table[],
): Promise<Expectation['entries']> {
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
  return Object.fromEntries(
    collections.flatMap((collection) => {
      const section = product.mapping[collection]
      if (section === undefined) return []
      findTable(tables, section.table)
      return [[collection, findEntries(world, collection, section)]]
    }),
  )
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
      // JSON is YAML.
      mapping: readMapping(JSON.stringify(product.mapping)),
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
async function askAll(
  { app }: Service,
  expectation: Expectation,
  questions: readonly Question[],
): Promise<{ readonly difference: Difference; readonly question: Question } | undefined> {
  for (let from = 0; from < questions.length; from += atOnce) {
    const batch = questions.slice(from, from + atOnce)
    const answers = await Promise.all(batch.map((question) => ask(app, expectation, question)))
    const at = answers.findIndex((difference) => difference !== undefined)
    if (at !== -1) return { difference: answers[at]!, question: batch[at]! }
  }
  return undefined
}
