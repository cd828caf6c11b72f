import type { FastifyInstance } from 'fastify'
import type { Entries, Filters, Question } from './draw-questions.js'
import { isLookup, listStatuses, toOptions } from './mapping.js'
import type { Entry, View } from './oracle.js'
import type { Collection, Product } from './product.js'

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
    const answer = await app.inject({ url: `/api/public/v1/${path}`, headers })
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

/** The answer to a crawl. */
interface ExpectedList {
  readonly status: number
  /** Every record, in order. */
  readonly records: readonly View[]
  /** Whether rows that cannot be shown lie among them: a page can have fewer records then, or be a 500. */
  readonly hasInvalid: boolean
  /** The same, or rows of which a filter by time says nothing, because their time cannot be shown. */
  readonly mayHaveInvalid: boolean
  readonly failsOnInvalid: boolean
  /** Whether a page can end before its limit, because it visits entries of other workspaces. */
  readonly mayEndEarly: boolean
}

/** What the contract says of a question. */
export interface Expectation {
  readonly product: Product
  readonly entries: Entries
}

const scopeOf: Readonly<Record<Collection, string>> = {
  registrations: 'registration.read',
  invoices: 'invoices.read',
}

/** The status that a key has whatever is asked; 200 for one that may ask. */
function expectKey({ product }: Expectation, { key, collection }: Question): number {
  const { state, scopes } = product.keys[key]!
  if (state !== 'valid') return 401
  return scopes.includes(scopeOf[collection]) ? 200 : 403
}

/** The records of a crawl. */
function expectList(expectation: Expectation, question: Question, filters: Filters): ExpectedList {
  const section = expectation.product.mapping[question.collection]!
  const words = listStatuses(section)
  const refused = expectKey(expectation, question)
  const isUnknown = filters.status !== undefined && words?.includes(filters.status) === false
  const own = listOwn(expectation, question)
  const found = own.filter((entry) => isWanted(entry, filters))
  const { updatedSince: _, ...others } = filters
  const timeless = own.filter((entry) => typeof entry.updatedAt !== 'bigint' && isWanted(entry, others))
  // A stored value that is too long to be shown is one of those that the mapping does not list.
  const { status: __, ...unfiltered } = filters
  const unread = own.filter((entry) => entry.status === undefined && isWanted(entry, unfiltered))
  return {
    status: refused === 200 && isUnknown ? 400 : refused,
    records: found.map(({ view }) => view).filter((view) => view !== undefined),
    hasInvalid: found.some(({ view }) => view === undefined),
    mayHaveInvalid: [...found, ...timeless, ...unread].some(({ view }) => view === undefined),
    failsOnInvalid: section.invalidRows === 'fail',
    mayEndEarly: isLookup(toOptions(section.workspace)),
  }
}

/** The record of an id, or the status without one. */
function expectRecord(expectation: Expectation, question: Question, id: string): View | number {
  const refused = expectKey(expectation, question)
  if (refused !== 200) return refused
  const found = listOwn(expectation, question).find((entry) => entry.id === id)
  if (found === undefined) return 404
  const { invalidRows } = expectation.product.mapping[question.collection]!
  return found.view ?? (invalidRows === 'fail' ? 500 : 404)
}

function listOwn({ product, entries }: Expectation, { key, collection }: Question): readonly Entry[] {
  const workspace = product.workspaces[product.keys[key]!.workspace]
  return entries[collection]!.filter((entry) => entry.workspace === workspace)
}

function isWanted(entry: Entry, { updatedSince, eventId, status }: Filters): boolean {
  if (updatedSince !== undefined && !isAtOrAfter(entry.lastUpdatedAt, updatedSince)) return false
  if (eventId !== undefined && !entry.events.has(eventId)) return false
  return status === undefined || entry.status === status
}

/** Exact to the nanosecond of the parameter. */
function isAtOrAfter(micros: Entry['updatedAt'], since: string): boolean {
  if (typeof micros !== 'bigint') return false
  const [, head = '', fraction = ''] = /^([^.]+)\.(\d+)/.exec(since) ?? []
  const nanos = BigInt(Date.parse(`${head}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
  return micros * 1000n >= nanos
}
