import Fastify, { LogController } from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.js'
import { parseQueryString } from '../query/query-string.js'
import { closeAnsweredConnections } from './closing.js'
import type { AppDeps, RouteDeps } from './deps.js'
import { registerDocs } from './docs.js'
import { createItemRoute } from './item-route.js'
import { createListRoute } from './list-route.js'
import { logRequest } from './log-request.js'
import { buildOpenApi } from './openapi.js'
import { basePath, isKnownPath, readPath, readSearch } from './paths.js'
import { sendProblem, toProblem } from './problem-reply.js'
import { createRateLimit } from './rate-limit.js'
import { createFacts } from './request-facts.js'
import { chooseRequestId } from './request-id.js'
import { sendCacheable } from './send-cacheable.js'
import { answerForNode, answerSocketError } from './socket-errors.js'

/** The longest URL that is read, in bytes; Node itself stops at 16 KiB of headers together. */
const urlLengthMax = 8192

/** The public app, ready to listen or to be injected. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = createServer(deps)
  app.decorateRequest('facts')
  closeAnsweredConnections(app)
  app.addHook('onRequest', prepareRequest)
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply, deps.metrics)
    done()
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, deps.publicUrl))
  app.setNotFoundHandler(() => {
    throw createNotFound()
  })
  const limitRate = await createRateLimit(app, deps.rateLimitPerMinute)
  registerCollections(app, { ...deps, limitRate, onInvalidRow: createInvalidRowLog(deps) })
  const document = buildOpenApi(deps.collections, deps.publicUrl, deps.version)
  const body = JSON.stringify(document)
  app.get(`${basePath}/openapi.json`, (request, reply) => {
    parseQueryString(readSearch(request), [])
    return sendCacheable(request, reply, { body, changing: 0 })
  })
  await registerDocs(app, document, deps.publicUrl)
  return app
}

function createServer({ log, publicUrl, trustProxy }: AppDeps): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A line names its request by itself: making a logger for each request costs more than the line.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => chooseRequestId(request.headers['x-request-id']),
    trustProxy,
    // A connection that is kept alive is still answered while the process finishes.
    return503OnClosing: false,
    connectionTimeout: 0,
    requestTimeout: 15_000,
    keepAliveTimeout: 72_000,
    http: { requireHostHeader: false, headersTimeout: 10_000 },
    // The query is read once, by the stage that knows its parameters.
    routerOptions: { querystringParser: () => ({}), maxParamLength: urlLengthMax },
    frameworkErrors: (error, request, reply) => {
      // Fastify calls this before any hook, so what the hooks would have set is set here.
      request.facts = createFacts()
      answerError(error, request, reply, publicUrl)
    },
    clientErrorHandler: (error, socket) => {
      answerSocketError(error, socket, publicUrl)
    },
  })
  answerForNode(app.server, publicUrl)
  return app
}

function registerCollections(app: FastifyInstance, deps: RouteDeps): void {
  for (const collection of deps.collections) {
    app.get(`${basePath}/${collection.name}`, createListRoute(collection, deps))
    app.get(`${basePath}/${collection.name}/:id`, createItemRoute(collection, deps))
  }
}

/** Refuses what no route should see; the body of a request that may have one is never read. */
function prepareRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.facts = createFacts()
  reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
  const { url = '', httpVersion } = request.raw
  if (url.length > urlLengthMax)
    throw new Problem('uri_too_long', `The URL is longer than ${urlLengthMax} bytes.`)
  if (httpVersion === '1.1' && request.headers.host === undefined) {
    throw new Problem('malformed_request', 'The request has no Host header.')
  }
  const path = readPath(url)
  const reads = request.method === 'GET' || request.method === 'HEAD'
  // The router takes an empty id for an id; and what is elsewhere, such as the files of the docs, is its own.
  if (!isKnownPath(path) && (!reads || path.startsWith(basePath))) throw createNotFound()
  if (reads) {
    done()
    return
  }
  throw new Problem('method_not_allowed', `This path answers GET and HEAD, not ${request.method}.`, {
    headers: { allow: 'GET, HEAD', connection: 'close' },
  })
}

function createNotFound(): Problem {
  return new Problem('not_found', 'There is nothing at this path.')
}

function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): FastifyReply {
  const problem = toProblem(error)
  const level = problem.code === 'internal_error' ? 'error' : problem.cause === undefined ? 'debug' : 'warn'
  request.log[level]({ reqId: request.id, code: problem.code, err: problem.cause }, problem.detail)
  return sendProblem(reply, problem, publicUrl)
}

function createInvalidRowLog({ log, metrics }: AppDeps): RouteDeps['onInvalidRow'] {
  return (collection, id, reason) => {
    metrics.countInvalidRow(collection)
    log.warn({ collection, id, reason }, 'a stored row cannot be shown')
  }
}
