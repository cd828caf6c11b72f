import type { OutgoingHttpHeaders } from 'node:http'
import { base } from '../support/client.js'
import type { Answer, Asked, Change, Exchange } from './breaking-proxy.js'

/** A record, as JSON gave it. */
export type Fields = Readonly<Record<string, unknown>>

/** A page, as JSON gave it. */
export interface Page {
  readonly data: readonly Fields[]
  readonly meta: { readonly cursor: string | null; readonly nextUpdatedSince: string }
}

/** What a request is for. */
export interface Wanted {
  readonly kind: 'list' | 'item' | 'document' | 'other'
  readonly collection: string
  readonly query: URLSearchParams
}

/** Reads the target of a request. */
export function readWanted({ target }: Asked): Wanted {
  const { pathname, searchParams: query } = new URL(target, 'http://service')
  const [, collection = '', id] =
    /^\/(registrations|invoices)(?:\/([^/]+))?$/.exec(pathname.slice(base.length)) ?? []
  if (collection !== '') return { kind: id === undefined ? 'list' : 'item', collection, query }
  return { kind: pathname === `${base}/openapi.json` ? 'document' : 'other', collection, query }
}

/** The same target with another query; a value of undefined removes the parameter. */
export function withQuery({ target }: Asked, changes: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(target, 'http://service')
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.pathname + url.search
}

/** Changes the query of lists, on its way to the service. */
export function changeQuery(
  toChanges: (query: URLSearchParams, wanted: Wanted) => Readonly<Record<string, string | undefined>>,
): Change {
  return ({ asked, forward }) => {
    const wanted = readWanted(asked)
    return wanted.kind === 'list'
      ? forward({ target: withQuery(asked, toChanges(wanted.query, wanted)) })
      : forward()
  }
}

/** Changes the pages of lists. */
export function changePages(
  toPage: (page: Page, wanted: Wanted, exchange: Exchange) => Page | Promise<Page>,
): Change {
  return async (exchange) => {
    const answer = await exchange.forward()
    const wanted = readWanted(exchange.asked)
    if (wanted.kind !== 'list' || !hasRecords(answer)) return answer
    return withJson(answer, await toPage(readPage(answer), wanted, exchange))
  }
}

/** Changes the records of pages. */
export function changeData(
  toData: (data: readonly Fields[], wanted: Wanted, page: Page) => readonly Fields[],
): Change {
  return changePages((page, wanted) => ({ ...page, data: toData(page.data, wanted, page) }))
}

/** Changes every record of a collection, in lists, as a single one, or in both. */
export function changeRecords(
  collection: 'registrations' | 'invoices' | 'both',
  toRecord: (record: Fields) => Fields,
  where: 'lists' | 'items' | 'everywhere' = 'everywhere',
): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    const wanted = readWanted(asked)
    const isMeant = collection === 'both' || wanted.collection === collection
    if (!isMeant || !hasRecords(answer)) return answer
    if (wanted.kind === 'item' && where !== 'lists') return withJson(answer, toRecord(readJson(answer)))
    if (wanted.kind !== 'list' || where === 'items') return answer
    const page = readPage(answer)
    return withJson(answer, { ...page, data: page.data.map(toRecord) })
  }
}

/** Changes the headers of the answers that it is meant for; a value of undefined removes the header. */
export function changeHeaders(
  isMeant: (answer: Answer, asked: Asked) => boolean,
  toChanges: (headers: OutgoingHttpHeaders, asked: Asked) => OutgoingHttpHeaders,
): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    return isMeant(answer, asked) ? withHeaders(answer, toChanges(answer.headers, asked)) : answer
  }
}

/** Changes the headers of lists and single records. */
export function changeSuccess(toChanges: (headers: OutgoingHttpHeaders) => OutgoingHttpHeaders): Change {
  return changeHeaders(
    ({ status }, asked) => status === 200 && ['list', 'item'].includes(readWanted(asked).kind),
    toChanges,
  )
}

/** Changes the problem of every answer that it is meant for. */
export function changeProblems(
  isMeant: (answer: Answer, asked: Asked) => boolean,
  toProblem: (problem: Fields) => Fields,
): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    if (answer.status < 400 || answer.body.length === 0 || !isMeant(answer, asked)) return answer
    return withJson(answer, toProblem(readJson(answer)))
  }
}

/** Changes every problem. */
export function changeAllProblems(toProblem: (problem: Fields) => Fields): Change {
  return changeProblems(() => true, toProblem)
}

/** Sends what the service refuses again, with differences; the second answer counts where it `isTaken`. */
export function accept(
  isMeant: (answer: Answer, asked: Asked) => boolean,
  toDifferences: (asked: Asked) => Partial<Asked>,
  isTaken: (answer: Answer) => boolean = () => true,
): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    if (!isMeant(answer, asked)) return answer
    const second = await forward(toDifferences(asked))
    return isTaken(second) ? second : answer
  }
}

/** Whether a service answered with a problem of this code. */
export function isProblem({ status, body }: Answer, code: string): boolean {
  return status >= 400 && body.toString().includes(`"code":"${code}"`)
}

/** Whether an answer has records. */
export function hasRecords({ status, body }: Answer): boolean {
  return status === 200 && body.length > 0
}

/** The body of an answer that is an object. */
export function readJson({ body }: Answer): Fields {
  return JSON.parse(body.toString()) as Fields
}

/** The body of an answer that is a page. */
export function readPage({ body }: Answer): Page {
  return JSON.parse(body.toString()) as Page
}

/** The cursor of the next page, where an answer has one. */
export function readCursor({ body }: Answer): string | undefined {
  return /"cursor":"([^"]+)"/.exec(body.toString())?.[1]
}

/** The same answer with another body. */
export function withJson(answer: Answer, body: unknown): Answer {
  return { ...answer, body: Buffer.from(JSON.stringify(body)) }
}

/** The same answer with other headers; a value of undefined removes the header. */
export function withHeaders(answer: Answer, changes: OutgoingHttpHeaders): Answer {
  const headers = Object.entries({ ...answer.headers, ...changes }).filter(([, value]) => value !== undefined)
  return { ...answer, headers: Object.fromEntries(headers) }
}

/** The same problem with another status, as the answer's status and as the member. */
export function withStatus(answer: Answer, status: number, code?: string): Answer {
  const problem = { ...readJson(answer), status, ...(code === undefined ? {} : { code }) }
  return { ...withJson(answer, problem), status }
}

/** The same problem with another code. */
export function withOtherCode(answer: Answer, code: string): Answer {
  return withJson(answer, { ...readJson(answer), code })
}

/** The headers of a request that has this key. */
export function withKey(headers: Asked['headers'], key: string): Asked['headers'] {
  return { ...headers, authorization: `Bearer ${key}` }
}

/** A page of HTML instead of the body. */
export function withHtml(answer: Answer): Answer {
  const body = Buffer.from('<!doctype html><title>Not here</title><h1>Not here</h1>')
  return { ...withHeaders(answer, { 'content-type': 'text/html; charset=utf-8' }), body }
}
