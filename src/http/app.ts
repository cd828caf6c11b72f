import Fastify, { LogController } from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problems } from '../errors.js'
import { parseQueryString } from '../query/query-string.js'
import { closeConnections, watchConnections } from './connections.js'
import type { Connections } from './connections.js'
import type { AppDeps, RouteDeps } from './deps.js'
import { registerDocs } from './docs.js'
import { createItemRoute } from './item-route.js'
import { httpLimits, createRateLimit } from './limits.js'
import type { HttpLimits } from './limits.js'
import { createListRoute } from './list-route.js'
import { logRequest, chooseRequestId } from './request-context.js'
import type { Metrics } from './metrics.js'
import { buildOpenApi } from './openapi.js'
import { basePath, readSearch } from './request-checks.js'
import { createNotFound, createPrepareRequest, urlLengthMax } from './request-checks.js'
import { sendProblem, toProblem } from './problems.js'
import { createRequestContext } from './request-context.js'
import { sendCacheable } from './cacheable.js'
import { answerForNode, answerSocketError } from './problems.js'

/** The public app, ready to listen or to be injected. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { app, connections } = createServer(deps)
  app.decorateRequest('facts')
  deps.tracing?.traceRequests(app)
  closeConnections(app, deps.closing, connections)
  app.addHook('onRequest', createPrepareRequest(connections))
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply, deps.metrics)
    done()
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, deps))
  app.setNotFoundHandler(() => {
    throw createNotFound()
  })
  const limitRate = await createRateLimit(app, deps.rateLimit)
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

interface WatchedServer {
  readonly app: FastifyInstance
  readonly connections: Connections
}

function createServer(deps: AppDeps): WatchedServer {
  const { log, publicUrl, trustProxy, limits = httpLimits } = deps
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A line names its request by itself: making a logger for each request costs more than the line.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => chooseRequestId(request.headers['x-request-id']),
    trustProxy,
    // A connection that is kept alive is still answered while the process finishes.
    return503OnClosing: false,
    // No timeout of inactivity, and no end of a connection after so many requests: see `endStalled`, and load
    // balancers keep theirs for hours.
    connectionTimeout: 0,
    maxRequestsPerSocket: 0,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      // Here too, since Node compares the two.
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      requireHostHeader: false,
      // Two of a header that there is one of show as no valid one, instead of as the first.
      joinDuplicateHeaders: true,
    },
    // The query is read once, by the stage that knows its parameters.
    routerOptions: { querystringParser: () => ({}), maxParamLength: urlLengthMax },
    frameworkErrors: (error, request, reply) => {
      // Fastify calls no hook for these, so what the hooks would have done is done here.
      request.facts = createRequestContext()
      answerError(error, request, reply, deps)
      logRequest(request, reply, deps.metrics)
    },
    clientErrorHandler: (error, socket) => {
      answerSocketError(error, socket, { connections, publicUrl })
    },
  })
  // No limit: Node drops the headers after the first 1,000 without an error, and a second Host or Authorization may be
  // among them. 16 KiB still bound them all.
  app.server.maxHeadersCount = 0
  const connections = watchConnections(app.server, limits)
  measureConnections(deps.metrics, connections, limits)
  answerForNode(app.server, { connections, publicUrl })
  return { app, connections }
}

function measureConnections(metrics: Metrics, connections: Connections, limits: HttpLimits): void {
  metrics.watch(
    'vitrine_http_connections',
    'Connections that have had a successful answer, or whose request is being answered.',
    connections.countCallers,
  )
  metrics.watch(
    'vitrine_http_connections_max',
    'The limit of vitrine_http_connections.',
    () => limits.connectionsMax,
  )
  metrics.watch(
    'vitrine_http_connections_pending',
    'Connections without a successful answer so far.',
    connections.countPending,
  )
}

function registerCollections(app: FastifyInstance, deps: RouteDeps): void {
  for (const collection of deps.collections) {
    app.get(`${basePath}/${collection.name}`, createListRoute(collection, deps))
    app.get(`${basePath}/${collection.name}/:id`, createItemRoute(collection, deps))
  }
}

function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, publicUrl }: AppDeps,
): FastifyReply {
  const problem = toProblem(error)
  metrics.countProblem(problem.code)
  const level = problem.code === 'internal_error' ? 'error' : problem.cause === undefined ? 'debug' : 'warn'
  // Of an answer that is expected while the database is away, no stack: it is the same for each request.
  const cause = problem.code === 'internal_error' ? { err: problem.cause } : { cause: problem.cause }
  const facts = { reqId: request.id, code: problem.code, ...cause }
  // Not the detail, which is the caller's and may name what came in the query.
  request.log[level](facts, problems[problem.code].title)
  return sendProblem(reply, problem, publicUrl)
}

function createInvalidRowLog({ log, metrics }: AppDeps): RouteDeps['onInvalidRow'] {
  return (collection, id, reason) => {
    metrics.countInvalidRow(collection)
    log.warn({ collection, id, reason }, 'a stored row cannot be shown')
  }
}
