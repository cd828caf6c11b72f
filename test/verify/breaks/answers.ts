import {
  both,
  change,
  every,
  failed,
  hasCode,
  headers,
  ofDocument,
  problems,
  readJson,
  readPage,
  readWanted,
  requests,
  succeeded,
  toNotModified,
  withHtml,
  withJson,
  withMethod,
  withStatus,
} from '../change.js'
import type { Answer, Change } from '../broken-service.js'
import type { Breaks, Meant } from '../change.js'
import { base } from '../../support/client.js'

const isCompressed: Meant = (answer, asked) =>
  succeeded(answer, asked) && answer.headers['content-encoding'] !== undefined
const anyCache = { 'cache-control': 'public, max-age=60' }

/** Tags, 304s, headers and encodings that are not those of the contract. */
export const answerBreaks: Breaks = {
  'cache-headers': {
    'any cache may store an error': headers(failed, anyCache),
    'a 304 may be stored by any cache': headers(withStatus(304), anyCache),
    'Cache-Control is missing': headers(succeeded, { 'cache-control': undefined }),
    'Vary does not name Authorization': headers(succeeded, { vary: 'accept-encoding' }),
  },
  'not-modified': {
    'any If-None-Match gives 304': change(
      (answer, asked) => answer.status === 200 && asked.headers['if-none-match'] !== undefined,
      toNotModified,
    ),
    'a 304 has no ETag': headers(withStatus(304), { etag: undefined }),
  },
  'request-id': {
    'X-Request-Id is missing with 304': headers(withStatus(304), { 'x-request-id': undefined }),
    'X-Request-Id is always the same': headers(succeeded, { 'x-request-id': '1' }),
  },
  gateway: {
    'every 17th answer is a 502 of a proxy': everyNth(17, (answer) => ({ ...withHtml(answer), status: 502 })),
  },
  processes: { 'new connections lead to two releases in turn': twoReleases() },
  compression: {
    'the ETag is another one in each encoding': headers(
      isCompressed,
      ({ etag = '', 'content-encoding': encoding }) => ({ etag: etag.replace(/"$/, `${encoding ?? ''}"`) }),
    ),
    'a compressed page lacks a record': change(isCompressed, (answer, asked) => {
      if (readWanted(asked).kind !== 'list') return answer
      const page = readPage(answer)
      return withJson(answer, { ...page, data: page.data.slice(1) })
    }),
    'a page is compressed by gzip for who accepts brotli alone': headers(
      (answer, asked) => succeeded(answer, asked) && asked.headers['accept-encoding'] === 'br',
      { 'content-encoding': 'gzip' },
    ),
    'Vary does not name Accept-Encoding where a page is compressed': headers(isCompressed, {
      vary: 'Authorization',
    }),
  },
}

/** A document that is missing, or that contradicts the answers. */
export const documentBreaks: Breaks = {
  openapi: {
    'the document lacks a collection that is answered': document(({ paths }) => {
      for (const path of Object.keys(paths))
        if (path.includes('/invoices')) Reflect.deleteProperty(paths, path)
    }),
    'the document lacks a status that is answered': document(({ paths }) => {
      for (const { get } of Object.values(paths)) Reflect.deleteProperty(get.responses, '404')
    }),
    'the document lacks a header that is answered': document(({ paths }) => {
      for (const { get } of Object.values(paths))
        Reflect.deleteProperty(get.responses['200']?.headers ?? {}, 'ETag')
    }),
    'the document needs a key': requests((asked, { kind }) =>
      kind === 'document' && asked.headers['authorization'] === undefined
        ? { target: `${base}/invoices` }
        : {},
    ),
  },
}

/** Cursors that are refused in another way, and answers to HEAD. */
export const parameterBreaks: Breaks = {
  'cursor-altered': {
    'an altered cursor is invalid_parameter': problems(hasCode('invalid_cursor'), {
      code: 'invalid_parameter',
    }),
  },
  head: {
    'HEAD has no ETag': headers(both(withStatus(200), withMethod('HEAD')), { etag: undefined }),
  },
}

/** Errors of another form. */
export const errorBreaks: Breaks = {
  problems: {
    'an error is a page of HTML': change(hasCode('not_found'), withHtml),
    'an error is application/json': headers(failed, { 'content-type': 'application/json' }),
    'the requestId of an error is not that of the header': problems(every, { requestId: 'other' }),
  },
}

interface Document {
  readonly paths: Record<
    string,
    { readonly get: { readonly responses: Record<string, { readonly headers?: object }> } }
  >
}

function document(edit: (document: Document) => void): Change {
  return change(
    (answer, asked) => ofDocument(answer, asked) && answer.status === 200,
    (answer) => {
      const all = readJson(answer) as unknown as Document
      edit(all)
      return withJson(answer, all)
    },
  )
}

/** Another answer for each nth request. */
function everyNth(count: number, toAnswer: (answer: Answer) => Answer): Change {
  let sent = 0
  return change(
    () => (sent += 1) % count === 0,
    (answer) => toAnswer(answer),
  )
}

/** Every second one of the answers over new connections has other words for the status. */
function twoReleases(): Change {
  let opened = 0
  const isOther: Meant = (_, { headers: { connection } }) => connection === 'close' && (opened += 1) % 2 === 0
  return change(both(isOther, succeeded), (answer) => ({
    ...answer,
    body: Buffer.from(answer.body.toString().replaceAll('CONFIRMED', 'OK')),
  }))
}
