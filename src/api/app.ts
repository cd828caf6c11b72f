import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { version } from '../client/headers.js'
import type { TrustProxy } from '../values/addresses.js'
import { createAuthenticate } from './authenticate.js'
import type { Stages } from './authenticate.js'
import { httpLimits, limitConnections } from './connections.js'
import type { HttpLimits } from './connections.js'
import {
  createPathNotFound,
  createRequestChecks,
  createRequestStart,
  registerCors,
  urlLengthMax,
} from './request-checks.js'
import { registerDocs, registerDocument } from './docs.js'
import { createItemRoute } from './item-route.js'
import { createListRoute } from './list.js'
import type { Parts } from './parts.js'
import { reading, toPaths } from './paths.js'
import { answerError, answerSocketError, handleConnectAndExpect } from './answer-problem.js'
import { createRateLimit } from './rate-limits.js'
import { chooseRequestId, createRequestContext, reportAnswered, toCommonHeaders } from './request-context.js'
import { registerCompression } from './send.js'
import { buildOpenApi } from './openapi.js'
import { createOnce } from './static-body.js'

/** The public app, ready to listen or to be injected. */
export async function buildApp(input: Parts): Promise<FastifyInstance> {
  const app = createServer(input)
  app.decorateRequest('context')
  const { config, observe, binding, closing } = input
  const { publicUrl } = config
  const collections = binding.collections.map(({ about }) => about)
  const names = collections.map(({ name }) => name)
  const toNotFound = createPathNotFound(names, publicUrl)
  app.addHook('onRequest', createRequestStart(publicUrl))
  await registerCors(app, config.corsOrigins)
  app.addHook('onRequest', createRequestChecks(names, toNotFound))
  // Its next answer closes a connection once the end is announced, so that its caller connects elsewhere.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing.isAnnounced) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    reportAnswered(request, reply, observe)
    done()
  })
  app.setNotFoundHandler((request) => {
    throw toNotFound(request)
  })
  const loadDocument = createOnce(() => buildOpenApi(collections, publicUrl))
  await app.register(async (api) => {
    if (config.compression) await registerCompression(api)
    const stages = createStages(input)
    registerCollections(api, { ...input, ...stages })
    registerDocument(api, loadDocument)
    registerDocs(api, { collections, publicUrl, version, loadDocument })
    if (config.mcp === 'off') return
    const { registerMcp } = await import('./mcp.js')
    const isPersonal = config.mcp === 'personal'
    registerMcp(api, { ...stages, collections, loadDocument, publicUrl, isPersonal })
  })
  return app
}

function createServer(parts: Parts): FastifyInstance {
  const { config, observe, metrics, limits = httpLimits } = parts
  // Fastify takes the type of its logger for its own.
  const logger: FastifyBaseLogger = parts.log
  const { publicUrl, trustProxy } = config
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    answerError(error, request, reply, { observe, publicUrl })
  const app = Fastify({
    ...toServerOptions(trustProxy, limits),
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Each line names its request. A logger for each request would cost more than the line.
    childLoggerFactory: (logger) => logger,
    frameworkErrors: (error, request, reply) => {
      // Fastify calls no hook for these errors, so the work of the hooks is done here.
      request.context = createRequestContext()
      reply.headers(toCommonHeaders(request.id))
      answer(error, request, reply)
      reportAnswered(request, reply, observe)
    },
    clientErrorHandler: (error, socket) => {
      answerSocketError(error, socket, publicUrl)
    },
  })
  app.setErrorHandler(answer)
  // No limit: Node drops headers after the first 1,000 without an error, and a second Host or Authorization can be among
  // them. The limit of 16 KiB for all headers stays.
  app.server.maxHeadersCount = 0
  const countOpen = limitConnections(app, limits)
  metrics.watch('vitrine_http_connections', 'Connections that are open.', countOpen)
  metrics.watch('vitrine_http_connections_max', 'Their limit.', () => limits.connectionsMax)
  handleConnectAndExpect(app.server, publicUrl)
  return app
}

function toServerOptions(trustProxy: TrustProxy, limits: HttpLimits) {
  return {
    genReqId: (request: { readonly headers: Readonly<Record<string, string | string[] | undefined>> }) =>
      chooseRequestId(request.headers['x-request-id']),
    trustProxy,
    // A connection that is kept alive is still answered while the process finishes.
    return503OnClosing: false,
    // No inactivity timeout, and no limit of requests for a connection: load balancers keep theirs open for hours.
    connectionTimeout: 0,
    maxRequestsPerSocket: 0,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      // Set here too, because Node compares the two.
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      requireHostHeader: false,
      // A repeated header becomes an invalid one. Otherwise Node would take the first.
      joinDuplicateHeaders: true,
    },
    // Each route parses its own query.
    routerOptions: { querystringParser: () => ({}), maxParamLength: urlLengthMax },
  }
}

function createStages(parts: Parts): Stages {
  const { rateLimitPerMinute: perMinute, keyCache } = parts.config
  const limit = { perMinute, keysMax: keyCache.max, clock: parts.ageClock }
  return { authenticate: createAuthenticate(parts), limitRate: createRateLimit(limit) }
}

function registerCollections(app: FastifyInstance, input: Parts & Stages): void {
  for (const section of input.binding.collections) {
    const { list, item } = toPaths(section.about.name)
    const route = { ...input, section }
    app.route({ ...reading, url: list, handler: createListRoute(route) })
    app.route<{ Params: { id: string } }>({ ...reading, url: item, handler: createItemRoute(route) })
  }
}
