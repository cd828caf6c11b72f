import type { Answer, Asked, Change } from '../breaking-proxy.js'
import {
  changeHeaders,
  changeSuccess,
  hasRecords,
  readPage,
  readWanted,
  withHeaders,
  withJson,
  withStatus,
} from '../change.js'
import type { Break } from './break.js'

/** Methods, headers and compression that are not those of the contract. */
export const answerBreaks: readonly Break[] = [
  {
    name: 'HEAD has another length',
    guarantee: 'head',
    change: () => changeHead((answer) => withHeaders(answer, { 'content-length': answer.body.length + 1 })),
  },
  {
    name: 'HEAD has another status',
    guarantee: 'head',
    change: () => changeHead((answer) => ({ ...answer, status: 204 })),
  },
  {
    name: 'HEAD is 404',
    guarantee: 'head',
    change: () => changeHead((answer) => ({ ...answer, status: 404 })),
  },
  {
    name: 'HEAD of a single record is 405',
    guarantee: 'head',
    change: () =>
      changeHead((answer, asked) =>
        readWanted(asked).kind === 'item' ? { ...answer, status: 405 } : answer,
      ),
  },
  {
    name: 'HEAD has no ETag',
    guarantee: 'head',
    change: () => changeHead((answer) => withHeaders(answer, { etag: undefined })),
  },
  {
    name: 'POST is answered as GET',
    guarantee: 'methods',
    change:
      () =>
      ({ asked, forward }) =>
        forward(asked.method === 'POST' ? { method: 'GET' } : {}),
  },
  {
    name: 'POST is 404',
    guarantee: 'methods',
    change: () => changeMethods('POST', (answer) => withStatus(answer, 404, 'not_found')),
  },
  {
    name: 'DELETE is 404',
    guarantee: 'methods',
    change: () => changeMethods('DELETE', (answer) => withStatus(answer, 404, 'not_found')),
  },
  {
    name: 'PUT is 500',
    guarantee: 'methods',
    change: () => changeMethods('PUT', (answer) => withStatus(answer, 500, 'internal_error')),
  },
  {
    name: '405 has no Allow',
    guarantee: 'methods',
    change: () =>
      changeHeaders(
        ({ status }) => status === 405,
        () => ({ allow: undefined }),
      ),
  },
  {
    name: '405 allows POST',
    guarantee: 'methods',
    change: () =>
      changeHeaders(
        ({ status }) => status === 405,
        () => ({ allow: 'GET, HEAD, POST' }),
      ),
  },
  {
    name: 'X-Request-Id is missing',
    guarantee: 'request-id',
    change: () =>
      changeHeaders(
        () => true,
        () => ({ 'x-request-id': undefined }),
      ),
  },
  {
    name: 'X-Request-Id is missing with 304',
    guarantee: 'request-id',
    change: () =>
      changeHeaders(
        ({ status }) => status === 304,
        () => ({ 'x-request-id': undefined }),
      ),
  },
  {
    name: 'X-Request-Id is always the same',
    guarantee: 'request-id',
    change: () => changeSuccess(() => ({ 'x-request-id': '1' })),
  },
  {
    name: 'a list is text/plain',
    guarantee: 'content-type',
    change: () => changeSuccess(() => ({ 'content-type': 'text/plain' })),
  },
  {
    name: 'nosniff is missing',
    guarantee: 'content-type',
    change: () =>
      changeHeaders(
        () => true,
        () => ({ 'x-content-type-options': undefined }),
      ),
  },
  {
    name: 'a compressed page lacks a record',
    guarantee: 'compression',
    change: () =>
      changeCompressed((answer) => {
        const page = readPage(answer)
        return withJson(answer, { ...page, data: page.data.slice(1) })
      }),
  },
  {
    name: 'a compressed page is cut off',
    guarantee: 'compression',
    change: () =>
      changeCompressed((answer) => ({ ...answer, body: answer.body.subarray(0, answer.body.length >> 1) })),
  },
  {
    name: 'a page says gzip and is not compressed',
    guarantee: 'compression',
    change: () => changeCompressed((answer) => ({ ...answer, isEncoded: true })),
  },
  {
    name: 'a page is compressed by gzip for who accepts brotli alone',
    guarantee: 'compression',
    change:
      () =>
      async ({ asked, forward }) => {
        const answer = await forward()
        return asked.headers['accept-encoding'] === 'br' && hasRecords(answer)
          ? withHeaders(answer, { 'content-encoding': 'gzip' })
          : answer
      },
  },
  {
    name: 'Vary does not name Accept-Encoding where a page is compressed',
    guarantee: 'compression',
    change: () =>
      changeHeaders(
        ({ headers }) => headers['content-encoding'] !== undefined,
        () => ({ vary: 'Authorization' }),
      ),
  },
]

function changeHead(toAnswer: (answer: Answer, asked: Asked) => Answer): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    return asked.method === 'HEAD' && answer.status === 200 ? toAnswer(answer, asked) : answer
  }
}

function changeMethods(method: string, toAnswer: (answer: Answer) => Answer): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    return asked.method === method ? toAnswer(answer) : answer
  }
}

/** Changes the pages that are sent compressed. */
function changeCompressed(toAnswer: (answer: Answer) => Answer): Change {
  return async ({ asked, forward }) => {
    const answer = await forward()
    const isMeant = readWanted(asked).kind === 'list' && hasRecords(answer)
    return isMeant && answer.headers['content-encoding'] !== undefined ? toAnswer(answer) : answer
  }
}
