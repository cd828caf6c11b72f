import { ask } from './ask.js'
import type { Difference, Page, Send } from './ask.js'
import { expectList } from './expect.js'
import type { Expectation } from './expect.js'
import type { Product } from './product.js'
import type { Question } from './question.js'

type Drift = Extract<Question, { kind: 'drift' }>

/** The product with the altered column. */
export function alterProduct(product: Product, { table: name, column }: Drift): Product {
  const tables = product.tables.map((table) =>
    table.name === name || table.viewOf === name
      ? { ...table, columns: table.columns.map((one) => (one.name === column.name ? column : one)) }
      : table,
  )
  return { ...product, tables }
}

/**
 * Begins a crawl, has a column altered, and reads on. Every answer after that is the right one for the new column, or
 * 503. Where the column is one end of a lookup, lists and records may also be as before: a lookup matches by the collations
 * that both ends had at the last comparison with the schema.
 *
 * @param before what was expected so far.
 * @param alter alters the column. @returns what is expected from then on, undefined where the server does not alter it
 */
export async function askDrift(
  send: Send,
  question: Drift,
  before: Expectation,
  alter: () => Promise<Expectation | undefined>,
): Promise<Difference | undefined> {
  const { key, collection } = question
  const first = await send(`${collection}?limit=2`, { key })
  const after = await alter()
  if (after === undefined) return undefined
  const begun = first.status === 200 ? (JSON.parse(first.body) as Page) : undefined
  const differences = [
    begun && (await readOn(send, after, question, begun)),
    ...(await askAgain(send, [after, before], question)),
  ]
  return differences.find((difference) => difference !== undefined && difference.status !== 503)
}

/** Lists and records of every workspace. */
async function askAgain(
  send: Send,
  [after, before]: readonly [Expectation, Expectation],
  question: Drift,
): Promise<readonly (Difference | undefined)[]> {
  const { collection } = question
  const ids = new Set(after.entries[collection]!.flatMap(({ id }) => id ?? []).filter((id) => id !== ''))
  const questions = after.product.workspaces.flatMap((_, key) => [
    { kind: 'crawl', key, collection, filters: {}, limits: [7] } as const,
    ...[...ids].map((id) => ({ kind: 'record', key, collection, id }) as const),
  ])
  return Promise.all(
    questions.map(async (one) => {
      const difference = await ask(send, after, one)
      if (difference === undefined || !isOfLookup(before.product, question)) return difference
      return (await ask(send, before, one)) === undefined ? undefined : difference
    }),
  )
}

/** Whether a text is what a lookup begins with, or in a table that one reads. */
function isOfLookup({ mapping }: Product, { table, column }: Drift): boolean {
  const text = JSON.stringify(mapping)
  return (
    column.kind === 'text' && (text.includes(`"on":"${column.name}"`) || text.includes(`"from":"${table}"`))
  )
}

/** The rest of the crawl: what follows its last record in the new order; nothing wrong where that one is gone. */
async function readOn(
  send: Send,
  after: Expectation,
  { key, collection }: Drift,
  begun: Page,
): Promise<Difference | undefined> {
  const { records, hasInvalid } = expectList(
    after,
    { kind: 'crawl', key, collection, filters: {}, limits: [] },
    {},
  )
  const { cursor } = begun.meta
  if (cursor === null || hasInvalid) return undefined
  const answer = await send(`${collection}?limit=100&cursor=${cursor}`, { key })
  const place = records.findIndex(({ id }) => id === begun.data.at(-1)?.id)
  const expected = place === -1 ? records : records.slice(place + 1)
  const found = answer.status === 200 ? (JSON.parse(answer.body) as Page).data : undefined
  const isRight =
    place === -1
      ? found?.every((record) => records.some((one) => JSON.stringify(one) === JSON.stringify(record)))
      : JSON.stringify(found) === JSON.stringify(expected)
  if (isRight === true) return undefined
  return {
    what: 'drift, wrong records on the next page',
    request: `${collection}?limit=100&cursor=…, begun before the column was altered`,
    expected,
    actual: answer,
    status: answer.status,
  }
}
