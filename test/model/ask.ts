import type { FastifyInstance } from 'fastify'
import { base } from '../support/client.js'
import { expectList, expectRecord } from './expect.js'
import type { ExpectedList, Expectation } from './expect.js'
import type { Product } from './product.js'
import type { Question } from './draw-questions.js'

/** Two answers that are not the same. */
export interface Difference {
  readonly what: string
  readonly request: string
  readonly expected: unknown
  readonly actual: unknown
}

/** An answer of the service. */
interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** A request below the base path, with a key of the product. */
export type Send = (path: string, key: number) => Promise<Answer>

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly meta: { readonly cursor: string | null; readonly nextUpdatedSince: string }
}

/** Sends requests to a service that does not listen. */
export function createSend(app: FastifyInstance, { keys }: Product): Send {
  return async (path, key) => {
    const headers = { authorization: `Bearer ${keys[key]!.token}` }
    const answer = await app.inject({ url: `${base}/${path}`, headers })
    return { status: answer.statusCode, body: answer.body, headers: answer.headers }
  }
}

/** Asks one question. @returns how the answer differs from the expected one, undefined where it does not */
export function ask(
  send: Send,
  expectation: Expectation,
  question: Question,
): Promise<Difference | undefined> {
  return question.kind === 'crawl'
    ? askCrawl(send, expectation, question)
    : askRecord(send, expectation, question)
}

async function askCrawl(
  send: Send,
  expectation: Expectation,
  question: Extract<Question, { kind: 'crawl' }>,
): Promise<Difference | undefined> {
  const { key, collection, filters, limits } = question
  const expected = expectList(expectation, question, filters)
  const data: unknown[] = []
  const sizes: number[] = []
  const instants = new Set<string>()
  let cursor: string | null = null
  for (let page = 0; ; page += 1) {
    const limit = limits[page % limits.length]!
    const query = new URLSearchParams({ limit: String(limit), ...(cursor === null ? filters : { cursor }) })
    const request = `${collection}?${query.toString()}`
    const answer = await send(request, key)
    const differ = (what: string, actual: unknown): Difference => ({
      what: `list, ${what}`,
      request: `${request} (page ${page + 1} of a crawl with ${JSON.stringify(filters)})`,
      expected: { status: expected.status, records: expected.records },
      actual: { read: data, pages: sizes, answer: actual },
    })
    if (answer.status !== 200)
      return isRefusal(answer, expected, data) ? undefined : differ(`status ${answer.status}`, answer)
    const { data: more, meta } = JSON.parse(answer.body) as Page
    data.push(...more)
    sizes.push(more.length)
    instants.add(meta.nextUpdatedSince)
    if (instants.size > 1) return differ('another nextUpdatedSince', answer)
    const problem = findProblem({ expected, data, more, limit, cursor: meta.cursor, answer })
    if (problem !== undefined) return differ(problem, answer)
    if (meta.cursor === null) return undefined
    cursor = meta.cursor
    if (page > 2000) return differ('a crawl without end', answer)
  }
}

/** Whether a refusal is the expected one. A row that cannot be shown makes its page a 500 where the mapping says so. */
function isRefusal(answer: Answer, expected: ExpectedList, data: readonly unknown[]): boolean {
  if (answer.status !== 500) return answer.status === expected.status && isProblem(answer)
  return expected.mayHaveInvalid && expected.failsOnInvalid && isStartOf(data, expected.records)
}

function isProblem({ body, status, headers }: Answer): boolean {
  const isJson = String(headers['content-type']).startsWith('application/problem+json')
  return isJson && (JSON.parse(body) as { status: number }).status === status
}

function isStartOf(data: readonly unknown[], records: readonly unknown[]): boolean {
  return JSON.stringify(records.slice(0, data.length)) === JSON.stringify(data)
}

interface PageInput {
  readonly expected: ExpectedList
  readonly data: readonly unknown[]
  readonly more: readonly unknown[]
  readonly limit: number
  readonly cursor: string | null
  readonly answer: Answer
}

/** What is wrong with a page; undefined for a right one. */
function findProblem(input: PageInput): string | undefined {
  const { expected, data, cursor, answer } = input
  if (expected.status !== 200) return `200 instead of ${expected.status}`
  if (!isStartOf(data, expected.records)) return 'wrong records'
  const hasNext = String(answer.headers['link']).includes('rel="next"')
  if ((cursor === null) === hasNext) return 'a wrong Link header'
  return cursor === null ? findLastProblem(input) : findNextProblem(input)
}

function findLastProblem({ expected, data }: PageInput): string | undefined {
  if (data.length < expected.records.length) return 'records missing'
  const { hasInvalid, failsOnInvalid } = expected
  return hasInvalid && failsOnInvalid ? 'no 500 for a row that cannot be shown' : undefined
}

/** Rows that cannot be shown, and entries of others, make a page shorter, and can follow the last record. */
function findNextProblem({ expected, data, more, limit }: PageInput): string | undefined {
  if (expected.mayHaveInvalid || expected.mayEndEarly) return undefined
  if (data.length === expected.records.length) return 'a cursor behind the last record'
  return more.length === limit ? undefined : 'a page that is not full'
}

async function askRecord(
  send: Send,
  expectation: Expectation,
  question: Extract<Question, { kind: 'record' }>,
): Promise<Difference | undefined> {
  const expected = expectRecord(expectation, question, question.id)
  const request = `${question.collection}/${encodeURIComponent(question.id)}`
  const answer = await send(request, question.key)
  if (
    typeof expected === 'number'
      ? answer.status === expected && isProblem(answer)
      : answer.body === JSON.stringify(expected)
  )
    return undefined
  const wanted = typeof expected === 'number' ? expected : 200
  return { what: `record, ${answer.status} for ${wanted}`, request, expected, actual: answer }
}
