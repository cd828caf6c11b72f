import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { parseQueryString } from '../query/query-string.js'
import type { LiveResource } from '../resources/resource.js'
import type { TrustProxy } from '../values/addresses.js'
import type { Authenticate } from './authenticate.js'
import { closeConnections } from './closing.js'
import type { Closing } from './closing.js'
import { watchConnections } from './connections.js'
import type { Connections } from './connections.js'
import { registerCors } from './cors.js'
import { createOnce, createStaticBody } from './docs/static-body.js'
import { registerDocs } from './docs.js'
import { createItemRoute } from './item-route.js'
import { createRateLimit, httpLimits } from './limits.js'
import type { HttpLimits, LimitRate, RateLimitInput } from './limits.js'
import { createListRoute } from './list-route.js'
import type { ListSettings } from './list-route.js'
import type { Metrics } from './metrics.js'
import type { OnInvalidRow } from './page.js'
import { createPathNotFound } from './path-not-found.js'
import { basePath, toPaths } from './paths.js'
import { answerError, answerSocketError, handleConnectAndExpect } from './problems.js'
import type { PageDatabase } from './read-page.js'
import {
  createRequestChecks,
  createRequestStart,
  readPath,
  readSearch,
  urlLengthMax,
} from './request-checks.js'
import { chooseRequestId, createRequestContext, logRequest } from './request-context.js'
import { joinHeader, registerCompression } from './send.js'
import type { Tracing } from './tracing.js'

/** What the public app is made of. */
export interface AppInput {
  readonly resources: readonly LiveResource[]
  readonly access: AccessInput
  readonly database: PageDatabase
  readonly server: ServerInput
  readonly telemetry: Telemetry
  readonly settings: AppSettings
}

interface AccessInput {
  readonly authenticate: Authenticate
  readonly rateLimit: RateLimitInput
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
  /** Undefined if tracing is off. */
  readonly tracing: Pick<Tracing, 'traceRequests'> | undefined
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
  const { app, connections } = createServer(input)
  app.decorateRequest('context')
  input.telemetry.tracing?.traceRequests(app)
  closeConnections(app, input.server.closing, connections)
  const collections = input.resources.map(({ name }) => name)
  const toNotFound = createPathNotFound(collections, input.settings.publicUrl)
  app.addHook('onRequest', createRequestStart(input.settings.publicUrl))
  await registerCors(app, input.settings.corsOrigins)
  app.addHook('onRequest', createRequestChecks(connections, collections, toNotFound))
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
    return buildOpenApi(input.resources, input.settings.publicUrl, input.settings.version)
  })
  await app.register(async (api) => {
    if (input.settings.compression) await registerCompression(api)
    const stages = createStages(input, connections)
    registerResources(api, input, stages)
    registerDocument(api, loadDocument)
    registerDocs(api, loadDocument, input.settings)
    const { mcp, publicUrl } = input.settings
    if (mcp === 'off') return
    const { registerMcp } = await import('./mcp/register-mcp.js')
    const isPersonal = mcp === 'personal'
    registerMcp(api, { ...stages, resources: input.resources, loadDocument, publicUrl, isPersonal })
  })
  return app
}

function createServer({ server, telemetry, settings: { publicUrl } }: AppInput): {
  readonly app: FastifyInstance
  readonly connections: Connections
} {
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
      answerSocketError(error, socket, { connections, publicUrl })
    },
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, { metrics, publicUrl }))
  // No limit: Node drops headers after the first 1,000 without an error, and a second Host or Authorization can be among
  // them. The limit of 16 KiB for all headers stays.
  app.server.maxHeadersCount = 0
  const connections = watchConnections(app.server, limits)
  registerConnectionMetrics(metrics, connections, limits)
  handleConnectAndExpect(app.server, { connections, publicUrl })
  return { app, connections }
}

function toServerOptions(trustProxy: TrustProxy, limits: HttpLimits) {
  return {
    genReqId: (request: { readonly headers: Readonly<Record<string, string | string[] | undefined>> }) =>
      chooseRequestId(request.headers['x-request-id']),
    trustProxy,
    // A connection that is kept alive is still answered while the process finishes.
    return503OnClosing: false,
    // No inactivity timeout, and no limit of requests for a connection: see `endStalled`. Load balancers keep theirs
    // open for hours.
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

function registerConnectionMetrics(metrics: Metrics, connections: Connections, limits: HttpLimits): void {
  metrics.watch(
    'vitrine_http_connections',
    'Connections that have had a successful answer or sent a valid key, or have a request in progress.',
    connections.countCallers,
  )
  metrics.watch(
    'vitrine_http_connections_max',
    'The limit of vitrine_http_connections.',
    () => limits.connectionsMax,
  )
  metrics.watch(
    'vitrine_http_connections_pending',
    'Connections without a successful answer or a valid key so far.',
    connections.countPending,
  )
}

/** The first stages of every request with a key. */
interface Stages {
  readonly authenticate: Authenticate
  readonly limitRate: LimitRate
}

function createStages({ access }: AppInput, connections: Connections): Stages {
  return {
    authenticate: async (request) => {
      const principal = await access.authenticate(request)
      connections.establish(request)
      return principal
    },
    limitRate: createRateLimit(access.rateLimit),
  }
}

function registerResources(
  app: FastifyInstance,
  { resources, database, telemetry, settings }: AppInput,
  { authenticate, limitRate }: Stages,
): void {
  const shared = { authenticate, limitRate, onInvalidRow: createInvalidRowLog(telemetry) }
  for (const live of resources) {
    const { list, item } = toPaths(live.name)
    app.route({ ...reading, url: list, handler: createListRoute(live, { ...shared, database, settings }) })
    const handler = createItemRoute(live, { ...shared, database })
    app.route({ ...reading, url: item, handler })
  }
}

/** One route for GET and HEAD: the HEAD routes of Fastify send the length of an answer before its compression. */
const reading = { method: ['GET', 'HEAD'], exposeHeadRoute: false }

function createInvalidRowLog({ log, metrics }: Telemetry): OnInvalidRow {
  return ({ collection, id, reason, code }) => {
    metrics.countInvalidRow(collection, code)
    log.warn({ collection, id, reason, code }, 'a stored row cannot be shown')
  }
}

function registerDocument(app: FastifyInstance, loadDocument: () => Promise<object>): void {
  const load = async () => JSON.stringify(await loadDocument())
  const body = createStaticBody(load, 'application/json; charset=utf-8')
  app.route({
    ...reading,
    url: `${basePath}/openapi.json`,
    handler: async (request, reply) => {
      parseQueryString(readSearch(request), [])
      void reply.header('vary', joinHeader(reply.getHeader('vary'), 'Authorization'))
      return body.send(request, reply, 'private, no-cache')
    },
  })
}
