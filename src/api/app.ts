import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { collectionNames } from '../collections/collection.js'
import type { LiveCollection, CollectionName } from '../collections/collection.js'
import type { TrustProxy } from '../values/addresses.js'
import type { Authenticate } from './authenticate.js'
import { closeConnections, watchConnections, registerConnectionMetrics } from './connections.js'
import type { Closing, Connections } from './connections.js'
import { registerCors } from './cors.js'
import { createOnce } from './docs/static-body.js'
import { registerDocs, registerDocument } from './docs.js'
import { createItemRoute } from './item-route.js'
import { httpLimits } from './limits.js'
import type { HttpLimits } from './limits.js'
import { createRateLimit } from './rate-limits.js'
import type { LimitRate, RateLimitInput } from './rate-limits.js'
import { createListRoute } from './list.js'
import type { ListSettings, OnInvalidRow, PageDatabase } from './list.js'
import type { Metrics } from './metrics.js'
import { createReadAddress } from './own-address.js'
import { createPathNotFound } from './path-not-found.js'
import type { CreatePathNotFound } from './path-not-found.js'
import { reading, toPaths } from './paths.js'
import { answerError, answerSocketError, handleConnectAndExpect } from './problems.js'
import { createRequestChecks, createRequestStart, readPath, urlLengthMax } from './request-checks.js'
import { chooseRequestId, createRequestContext, logRequest } from './request-context.js'
import { registerCompression } from './send.js'
import type { Tracing } from './tracing.js'

/** What the public app is made of. */
export interface AppInput {
  readonly served: () => Served
  readonly rateLimit: RateLimitInput
  readonly database: PageDatabase
  readonly server: ServerInput
  readonly telemetry: Telemetry
  readonly settings: AppSettings
}

/** What the mapping in force gives. A reload makes another one, and a request uses one to its end. */
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
  const { served, settings } = input
  const readNotFound = createOnce(() => createPathNotFound(listNames(served()), settings.publicUrl), served)
  const toNotFound: CreatePathNotFound = (path) => readNotFound()(path)
  app.addHook('onRequest', createRequestStart(settings.publicUrl))
  await registerCors(app, settings.corsOrigins)
  app.addHook(
    'onRequest',
    createRequestChecks(connections, () => listNames(served()), toNotFound),
  )
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply, input.telemetry.metrics)
    done()
  })
  app.setNotFoundHandler((request) => {
    throw toNotFound(readPath(request))
  })
  // At its first use: most processes of a deployment never show it.
  const loadDocument = createOnce(async () => {
    const { collections } = input.served()
    const { buildOpenApi } = await import('./openapi.js')
    return buildOpenApi(collections, input.settings.publicUrl, input.settings.version)
  }, input.served)
  await app.register(async (api) => {
    if (input.settings.compression) await registerCompression(api)
    const stages = createStages(input, connections)
    registerCollections(api, input, { ...stages, toNotFound })
    const readAddress = createReadAddress(settings.publicUrl, input.server.trustProxy)
    registerDocument(api, { loadDocument, readAddress, mapping: served })
    registerDocs(api, { ...settings, loadDocument, readAddress, mapping: served })
    const { mcp, publicUrl } = settings
    if (mcp === 'off') return
    const { registerMcp } = await import('./mcp/register-mcp.js')
    const isPersonal = mcp === 'personal'
    registerMcp(api, { ...stages, served, loadDocument, publicUrl, isPersonal })
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

/** The collections that the mapping in force has. */
function listNames({ collections }: Served): readonly string[] {
  return collections.map(({ name }) => name)
}

/** The first stages of every request with a key. */
interface Stages {
  readonly authenticate: Authenticate
  readonly limitRate: LimitRate
}

function createStages({ served, rateLimit }: AppInput, connections: Connections): Stages {
  return {
    authenticate: async (request) => {
      const principal = await served().authenticate(request)
      connections.establish(request)
      return principal
    },
    limitRate: createRateLimit(rateLimit),
  }
}

/** Both collections have routes, whether the mapping in force has them or not, because a reload can add one. */
function registerCollections(
  app: FastifyInstance,
  { served, database, telemetry, settings }: AppInput,
  { toNotFound, ...stages }: Stages & { readonly toNotFound: CreatePathNotFound },
): void {
  const shared = { ...stages, onInvalidRow: createInvalidRowLog(telemetry), database, settings }
  const listHandlers = createOnce(() => {
    const toHandlers = (live: LiveCollection) => ({
      list: createListRoute(live, shared),
      item: createItemRoute(live, shared),
    })
    return new Map(served().collections.map((live) => [live.name, toHandlers(live)] as const))
  }, served)
  const requireHandlers = (name: CollectionName) => {
    const handlers = listHandlers().get(name)
    if (handlers === undefined) throw toNotFound(toPaths(name).list)
    return handlers
  }
  for (const name of collectionNames) {
    const { list, item } = toPaths(name)
    app.route({
      ...reading,
      url: list,
      handler: (request, reply) => requireHandlers(name).list(request, reply),
    })
    app.route<{ Params: { id: string } }>({
      ...reading,
      url: item,
      handler: (request, reply) => requireHandlers(name).item(request, reply),
    })
  }
}

function createInvalidRowLog({ log, metrics }: Telemetry): OnInvalidRow {
  return ({ collection, id, reason, code }) => {
    metrics.countInvalidRow(collection, code)
    log.warn({ collection, id, reason, code }, 'a stored row cannot be shown')
  }
}
