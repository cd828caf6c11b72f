import { keys } from '../product/index.js'
import { base } from '../support/client.js'
import type { Answer, Asked, Change, Forward } from './broken-service.js'

/** A record, as JSON gave it. */
export type Fields = Readonly<Record<string, unknown>>

/** A page, as JSON gave it. */
export interface Page {
  readonly data: readonly Fields[]
  readonly meta: { readonly cursor: string | null; readonly nextUpdatedSince: string }
}

/** Ways in which a deployment can be wrong: the guarantee that must find each, what is wrong, and the change. */
export type Breaks = Readonly<Record<string, Readonly<Record<string, Change>>>>

/** What a request is for. */
interface Wanted {
  readonly kind: 'list' | 'item' | 'document' | 'other'
  readonly collection: string
  readonly query: URLSearchParams
}

/** Reads the target of a request. */
export function readWanted({ target }: Pick<Asked, 'target'>): Wanted {
  const { pathname, searchParams: query } = new URL(target, 'http://service')
  const route = /^\/(registrations|invoices)(?:\/([^/]+))?$/.exec(pathname.slice(base.length))
  const [, collection = '', id] = route ?? []
  if (collection !== '') return { kind: id === undefined ? 'list' : 'item', collection, query }
  return { kind: pathname === `${base}/openapi.json` ? 'document' : 'other', collection, query }
}

/** Which answers a change is meant for. */
export type Meant = (answer: Answer, asked: Asked) => boolean
export const every: Meant = () => true
export const failed: Meant = ({ status }) => status >= 400
export const succeeded: Meant = ({ status }, asked) =>
  status === 200 && ['list', 'item'].includes(readWanted(asked).kind)
export const ofDocument: Meant = (_, asked) => readWanted(asked).kind === 'document'
export const withMethod =
  (method: string): Meant =>
  (_, asked) =>
    asked.method === method
export const withStatus =
  (status: number): Meant =>
  (answer) =>
    answer.status === status
export function ofKind(kind: string): Meant {
  return (_, asked) => readWanted(asked).kind === kind
}

/** With a problem of this code. */
export const hasCode =
  (code: string): Meant =>
  ({ status, body }) =>
    status >= 400 && body.includes(`"code":"${code}"`)
export const both =
  (one: Meant, other: Meant): Meant =>
  (answer, asked) =>
    one(answer, asked) && other(answer, asked)
export const isMissing = both(hasCode('not_found'), (_, asked) => readWanted(asked).kind === 'item')

/** Changes answers. */
export function change(
  isMeant: Meant,
  toAnswer: (answer: Answer, asked: Asked, forward: Forward) => Answer | Promise<Answer>,
): Change {
  return async (asked, forward) => {
    const answer = await forward()
    return isMeant(answer, asked) ? toAnswer(answer, asked, forward) : answer
  }
}

type HeaderChanges = Readonly<Record<string, string | undefined>>

/** Changes headers; a value of undefined removes the header. */
export function headers(
  isMeant: Meant,
  changes: HeaderChanges | ((headers: Answer['headers'], asked: Asked) => HeaderChanges),
): Change {
  return change(isMeant, (answer, asked) =>
    withHeaders(answer, typeof changes === 'function' ? changes(answer.headers, asked) : changes),
  )
}

/** Changes members of problems. */
export function problems(isMeant: Meant, changes: Fields): Change {
  const isProblem: Meant = (answer, asked) =>
    failed(answer, asked) && answer.body.length > 0 && isMeant(answer, asked)
  return change(isProblem, (answer) => withJson(answer, { ...readJson(answer), ...changes }))
}

/** Changes requests on their way to the service. */
export function requests(toDifferences: (asked: Asked, wanted: Wanted) => Partial<Asked>): Change {
  return (asked, forward) => forward(toDifferences(asked, readWanted(asked)))
}

/** Changes the query of lists on its way to the service; a value of undefined removes the parameter. */
export function queries(
  toChanges: (query: URLSearchParams) => Readonly<Record<string, string | undefined>>,
): Change {
  return requests((asked, { kind, query }) =>
    kind === 'list' ? { target: withQuery(asked, toChanges(query)) } : {},
  )
}

/** Sends what the service refuses again, with differences; the second answer counts where it `isTaken`. */
export function accept(
  isMeant: Meant,
  toDifferences: (asked: Asked) => Partial<Asked>,
  isTaken: (answer: Answer) => boolean = () => true,
): Change {
  return change(isMeant, async (answer, asked, forward) => {
    const second = await forward(toDifferences(asked))
    return isTaken(second) ? second : answer
  })
}

/** The request of the holder of another key. */
export const as =
  (key: string) =>
  ({ headers: sent }: Asked): Partial<Asked> => ({ headers: { ...sent, authorization: `Bearer ${key}` } })

/** The request of the holder of the other one of two keys. */
export function asOther(asked: Asked): Partial<Asked> {
  return as(isFrom(asked, keys.both) ? keys.other : keys.both)(asked)
}

export function isFrom({ headers: { authorization } }: Asked, key: string): boolean {
  return authorization === `Bearer ${key}`
}

/** Changes the pages of lists. */
export function pages(toPage: (page: Page, query: URLSearchParams) => Page): Change {
  return change(both(succeeded, isList), (answer, asked) =>
    withJson(answer, toPage(readPage(answer), readWanted(asked).query)),
  )
}

const isList: Meant = (_, asked) => readWanted(asked).kind === 'list'

/** Changes the records of pages. */
export function data(toData: (data: readonly Fields[], query: URLSearchParams) => readonly Fields[]): Change {
  return pages((page, query) => ({ ...page, data: toData(page.data, query) }))
}

type Where = 'items' | 'everywhere'

/** Changes every record of a collection, as a single one alone, or in lists too. */
export function records(
  collection: 'registrations' | 'invoices' | 'both',
  toRecord: (record: Fields) => Fields,
  where: Where = 'everywhere',
): Change {
  return change(succeeded, (answer, asked) => {
    const wanted = readWanted(asked)
    if (collection !== 'both' && wanted.collection !== collection) return answer
    if (wanted.kind === 'item') return withJson(answer, toRecord(readJson(answer)))
    if (where === 'items') return answer
    const page = readPage(answer)
    return withJson(answer, { ...page, data: page.data.map(toRecord) })
  })
}

/** Changes a field of every record where it is text. */
export function field(
  collection: 'registrations' | 'invoices' | 'both',
  name: string,
  toValue: (text: string) => unknown,
  where?: Where,
): Change {
  const toRecord = (record: Fields): Fields => {
    const value = record[name]
    return typeof value === 'string' ? { ...record, [name]: toValue(value) } : record
  }
  return records(collection, toRecord, where)
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

export function readJson({ body }: Answer): Fields {
  return JSON.parse(body.toString()) as Fields
}

export function readPage({ body }: Answer): Page {
  return JSON.parse(body.toString()) as Page
}

export function withJson(answer: Answer, body: unknown): Answer {
  return { ...answer, body: Buffer.from(JSON.stringify(body)) }
}

export function withHeaders(answer: Answer, changes: HeaderChanges): Answer {
  const all = Object.entries({ ...answer.headers, ...changes }).filter(([, value]) => value !== undefined)
  return { ...answer, headers: Object.fromEntries(all) as Answer['headers'] }
}

/** A page of HTML instead of the body. */
export function withHtml(answer: Answer): Answer {
  const body = Buffer.from('<!doctype html><title>Not here</title><h1>Not here</h1>')
  return { ...withHeaders(answer, { 'content-type': 'text/html; charset=utf-8' }), body }
}

export function toNotModified(answer: Answer): Answer {
  const dropped = { 'content-type': undefined, 'content-encoding': undefined }
  return { ...withHeaders(answer, dropped), status: 304, body: Buffer.alloc(0) }
}
