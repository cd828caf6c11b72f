import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { LiveCollection } from '../collections/collection.js'
import type { TrustProxy } from '../values/addresses.js'
import type { Authenticate } from './authenticate.js'
import { httpLimits, limitConnections, registerConnectionMetrics } from './connections.js'
import type { Closing, HttpLimits } from './connections.js'
import { registerCors } from './cors.js'
import { registerDocs, registerDocument } from './docs.js'
import { createItemRoute } from './item-route.js'
import { createRateLimit } from './rate-limits.js'
import type { LimitRate, RateLimitInput } from './rate-limits.js'
import { createListRoute } from './list.js'
import type { ListSettings, OnInvalidRow, PageDatabase } from './list.js'
import type { Metrics } from './metrics.js'
import { createReadAddress } from './own-address.js'
import { createPathNotFound } from './path-not-found.js'
import { reading, toPaths } from './paths.js'
import { answerError, answerSocketError, handleConnectAndExpect } from './problems.js'
import { createRequestChecks, createRequestStart, readPath, urlLengthMax } from './request-checks.js'
import { chooseRequestId, createRequestContext, logRequest } from './request-context.js'
import { registerCompression } from './send.js'
import { createOnce } from './static-body.js'

/** What the public app is made of. */
export interface AppInput {
  readonly served: Served
  readonly rateLimit: RateLimitInput
  readonly database: PageDatabase
  readonly server: ServerInput
  readonly telemetry: Telemetry
  readonly settings: AppSettings
}

/** What the mapping gives. */
export interface Served {
  readonly collections: readonly LiveCollection[]
  readonly authenticate: Authenticate
}

interface ServerInput {
  readonly trustProxy: TrustProxy
  readonly closing: Closing
  /** Instead of `httpLimits`; for tests. */
  readonly limits?: HttpLimits | undefined
}

interface Telemetry {
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
}

interface AppSettings extends ListSettings {
  /** The version of this release, for the OpenAPI document. */
  readonly version: string
  /** Whether answers are compressed here; false if a proxy does it. */
  readonly compression: boolean
  /** Of browsers that may call the API; `*` for every origin. */
  readonly corsOrigins: readonly string[]
  /** Whether agents of integrators may call `/mcp`, and whether they get what attendees write about themselves. */
  readonly mcp: 'off' | 'on' | 'personal'
}

/** The public app, ready to listen or to be injected. */
export async function buildApp(input: AppInput): Promise<FastifyInstance> {
  const app = createServer(input)
  app.decorateRequest('context')
  const { served, settings } = input
  const names = served.collections.map(({ name }) => name)
  const toNotFound = createPathNotFound(names, settings.publicUrl)
  app.addHook('onRequest', createRequestStart(settings.publicUrl))
  await registerCors(app, settings.corsOrigins)
  app.addHook('onRequest', createRequestChecks(names, toNotFound))
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply, input.telemetry.metrics)
    done()
  })
  app.setNotFoundHandler((request) => {
    throw toNotFound(readPath(request))
  })
  // At its first use: most processes of a deployment never show it.
  const loadDocument = createOnce(async () => {
    const { buildOpenApi } = await import('./openapi.js')
    return buildOpenApi(served.collections, settings.publicUrl, settings.version)
  })
  await app.register(async (api) => {
    if (input.settings.compression) await registerCompression(api)
    const { authenticate } = served
    const stages = { authenticate, limitRate: createRateLimit(input.rateLimit) }
    registerCollections(api, input, stages)
    const readAddress = createReadAddress(settings.publicUrl, input.server.trustProxy)
    registerDocument(api, { loadDocument, readAddress })
    registerDocs(api, { ...settings, loadDocument, readAddress })
    const { mcp, publicUrl } = settings
    if (mcp === 'off') return
    const { registerMcp } = await import('./mcp.js')
    const { collections } = served
    registerMcp(api, { ...stages, collections, loadDocument, publicUrl, isPersonal: mcp === 'personal' })
  })
  return app
}

function createServer({ server, telemetry, settings: { publicUrl } }: AppInput): FastifyInstance {
  const { log, metrics } = telemetry
  const { limits = httpLimits } = server
  const app = Fastify({
    ...toServerOptions(server.trustProxy, limits),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Each line names its request. A logger for each request would cost more than the line.
    childLoggerFactory: (logger) => logger,
    frameworkErrors: (error, request, reply) => {
      // Fastify calls no hook for these errors, so the work of the hooks is done here.
      request.context = createRequestContext()
      answerError(error, request, reply, { metrics, publicUrl })
      logRequest(request, reply, metrics)
    },
    clientErrorHandler: (error, socket) => {
      answerSocketError(error, socket, publicUrl)
    },
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, { metrics, publicUrl }))
  // No limit: Node drops headers after the first 1,000 without an error, and a second Host or Authorization can be among
  // them. The limit of 16 KiB for all headers stays.
  app.server.maxHeadersCount = 0
  limitConnections(app, server.closing, limits)
  registerConnectionMetrics(metrics, app, limits)
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

/** The first stages of every request with a key. */
interface Stages {
  readonly authenticate: Authenticate
  readonly limitRate: LimitRate
}

function registerCollections(
  app: FastifyInstance,
  { served, database, telemetry, settings }: AppInput,
  stages: Stages,
): void {
  const shared = { ...stages, onInvalidRow: createInvalidRowLog(telemetry), database, settings }
  for (const live of served.collections) {
    const { list, item } = toPaths(live.name)
    app.route({ ...reading, url: list, handler: createListRoute(live, shared) })
    app.route<{ Params: { id: string } }>({ ...reading, url: item, handler: createItemRoute(live, shared) })
  }
}

function createInvalidRowLog({ log, metrics }: Telemetry): OnInvalidRow {
  return ({ collection, id, reason, code }) => {
    metrics.countInvalidRow(collection, code)
    log.warn({ collection, id, reason, code }, 'a stored row cannot be shown')
  }
}
