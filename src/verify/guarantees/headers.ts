import { readMediaType } from '../exchange.js'
import type { Exchange } from '../exchange.js'
import { listReadable } from '../run.js'
import type { Check } from '../run.js'
import { isFromProxy } from './problems.js'

const requestId = /^[A-Za-z0-9._-]{1,64}$/

/** On every answer of the run, and another one each time. */
export const checkRequestId: Check = async (run, verdict) => {
  const own = `verify-${Date.now().toString(36)}`
  for (const { path } of listReadable(run).slice(0, 1)) {
    const exchange = await run.caller.ask({ path, query: { limit: 1 }, headers: { 'x-request-id': own } })
    if (exchange.headers['x-request-id'] !== own)
      verdict.skip('an X-Request-Id that is sent is replaced, by a proxy perhaps')
  }
  const seen = new Map<string, Exchange>()
  for (const exchange of run.caller.exchanges) {
    if (isFromProxy(exchange) && exchange.status >= 400) continue
    const id = exchange.headers['x-request-id'] ?? ''
    verdict.expect(requestId.test(id), {
      exchange,
      got: `X-Request-Id: ${id === '' ? '(none)' : id}`,
      expected: 'X-Request-Id with at most 64 letters, digits, dots, underscores and hyphens',
    })
    verdict.expect(!seen.has(id), {
      exchange,
      got: `X-Request-Id: ${id} again`,
      expected: 'another id for each request',
    })
    if (id !== '') seen.set(id, exchange)
  }
}

/** Media type by status, and nosniff, of every answer of the run. */
export const checkContentType: Check = ({ caller }, verdict) => {
  for (const exchange of caller.exchanges) {
    if (exchange.call.below === 'root' || (exchange.status >= 400 && isFromProxy(exchange))) continue
    const type = readMediaType(exchange.headers)
    if (exchange.status !== 304)
      verdict.expect(type === (exchange.status < 400 ? 'application/json' : 'application/problem+json'), {
        exchange,
        got: `${exchange.status} with Content-Type: ${type}`,
        expected: exchange.status < 400 ? 'application/json' : 'application/problem+json',
      })
    verdict.expect(exchange.headers['x-content-type-options'] === 'nosniff', {
      exchange,
      got: `X-Content-Type-Options: ${exchange.headers['x-content-type-options'] ?? '(none)'}`,
      expected: 'nosniff',
    })
  }
}
