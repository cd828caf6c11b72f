import { describe, isFromProxy, toObject } from '../answer.js'
import type { Json } from '../answer.js'
import { toPresenceRules } from '../document.js'
import { toAccess } from '../run.js'
import type { Check, Guarantee, Run } from '../run.js'

/** The document, the address in it, and the routes that exist: a collection is in it exactly if it is served. */
const checkOpenapi: Check = (run) => {
  const { document: exchange, collections } = run.session
  const document = toObject(exchange.json)
  const isDocument = exchange.status === 200 && /^3\.1\.\d+$/.test(String(document['openapi']))
  run.expect(exchange, [isDocument, describe(exchange), '200 with a document of OpenAPI 3.1'])
  for (const { name, path, firsts } of isDocument ? collections : []) {
    const access = toAccess(firsts.key)
    for (const one of access === 'broken' ? [] : [path, `${path}/{id}`]) {
      const isThere = one in toObject(document['paths'])
      const got = `${isThere ? '' : 'no '}path ${one}`
      run.expect(exchange, [isThere === (access !== 'absent'), got, `${name}: ${access}`])
    }
  }
  if (isDocument) compareServers(run, document)
}

/** Callers and generated clients use this address; a proxy that answers at another one is not wrong by itself. */
function compareServers(run: Run, { servers }: Json): void {
  const { document: exchange } = run.session
  const asked = exchange.url.replace(/\/openapi\.json$/, '')
  const urls = Array.isArray(servers) ? servers.map((one) => String(toObject(one)['url'])) : []
  if (urls.some((one) => URL.canParse(one, exchange.url) && new URL(one, exchange.url).href === asked)) return
  const named = urls.join(', ') || 'no server'
  run.warn(exchange, `servers: ${named}`, `${asked}: PUBLIC_URL is the address that callers use`)
}

/** Every answer of the run has its place in the document. */
const checkPresence: Check = (run) => {
  const document = toObject(run.session.document.json)
  for (const exchange of run.exchanges)
    if (!isFromProxy(exchange)) run.expect(exchange, ...toPresenceRules(document, exchange))
}

/** The document itself; what only a release can break of its schemas is tested before the release. */
export const openapiGuarantees: readonly Guarantee[] = [
  ['openapi', 'The OpenAPI document has the routes and answers that exist', checkOpenapi, checkPresence],
]
