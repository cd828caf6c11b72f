import { setTimeout as delay } from 'node:timers/promises'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, propagation, trace } from '@opentelemetry/api'
import type { Attributes, Span, Tracer, TracerProvider } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RunStatement } from '../database/statement.js'
import type { Records } from '../collections/records.js'
import { Problem } from '../errors.js'

/**
 * Spans for OpenTelemetry, for the SDK that the process was started with. Loaded only if tracing is on. Names and
 * attributes follow the semantic conventions of HTTP and of databases. Values of callers are left out: paths, queries,
 * headers, bound values and the texts of errors.
 */
export interface Tracing {
  /** Opens a span for each request, in the trace that its `traceparent` names. */
  readonly traceRequests: (app: FastifyInstance) => void
  /** Opens a span for each statement, in the span of the request. */
  readonly traceStatements: (runQuery: RunStatement) => RunStatement
  /** Whether an SDK receives the spans; without one they are dropped. */
  readonly hasSdk: () => boolean
  /** Exports the spans that the SDK still holds, within two seconds. */
  readonly flush: () => Promise<void>
}

/** How long the end of the process waits for the export. */
const flushMaxMs = 2000

/** Spans under the name and version of this service. */
export function createTracing(version: string, databaseName: string): Tracing {
  const tracer = trace.getTracer('vitrine', version)
  return {
    traceRequests: (app) => {
      traceRequests(app, tracer)
    },
    traceStatements: (runQuery) => traceStatements(runQuery, tracer, databaseName),
    hasSdk: () => findProvider().forceFlush !== undefined,
    flush: async () => {
      const flushed = findProvider().forceFlush?.()
      // A collector that does not answer must not keep the process running.
      await Promise.race([flushed?.catch(() => undefined), delay(flushMaxMs, undefined, { ref: false })])
    },
  }
}

/** Methods that a provider can have beyond the interface of the API. */
interface Provider extends TracerProvider {
  /** Of the proxy that the API returns: the provider behind it. */
  readonly getDelegate?: () => Provider
  /** Of the provider of an SDK. */
  readonly forceFlush?: () => Promise<void>
}

function findProvider(): Provider {
  const provider: Provider = trace.getTracerProvider()
  return provider.getDelegate?.() ?? provider
}

function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const open = new WeakMap<FastifyRequest, Span>()
  const close = (request: FastifyRequest, attributes: Attributes): void => {
    const span = open.get(request)
    open.delete(request)
    span?.setAttributes(attributes).end()
  }
  app.addHook('onRequest', (request, reply, done) => {
    const caller = propagation.extract(ROOT_CONTEXT, request.headers)
    const route = request.routeOptions.url
    const attributes = {
      'http.request.method': request.method,
      'url.scheme': request.protocol,
      ...(route === undefined ? {} : { 'http.route': route }),
    }
    const name = route === undefined ? request.method : `${request.method} ${route}`
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, caller)
    open.set(request, span)
    reply.raw.once('close', () => {
      close(request, { 'error.type': 'caller_gone' })
    })
    context.with(trace.setSpan(caller, span), done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = open.get(request)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    close(request, toAnswerAttributes(request, reply))
    done()
  })
}

function toAnswerAttributes(request: FastifyRequest, reply: FastifyReply): Attributes {
  const { principal, rows } = request.context
  return {
    'http.response.status_code': reply.statusCode,
    ...(reply.statusCode >= 500 ? { 'error.type': String(reply.statusCode) } : {}),
    ...(principal === undefined
      ? {}
      : { 'vitrine.key.id': principal.keyId, 'vitrine.workspace.id': principal.workspaceId }),
    ...(rows === undefined ? {} : { 'vitrine.rows': rows }),
  }
}

function traceStatements(runQuery: RunStatement, tracer: Tracer, databaseName: string): RunStatement {
  return async (statement, queryContext) => {
    const table = queryContext?.table
    const attributes = {
      'db.system.name': 'mysql',
      ...(table === undefined ? {} : { 'db.collection.name': table }),
      'db.namespace': databaseName,
      'db.operation.name': 'SELECT',
      // Without values: they are bound separately.
      'db.query.text': statement.sql,
    }
    const name = table === undefined ? 'SELECT' : `SELECT ${table}`
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes })
    try {
      const result = await runQuery(statement, queryContext)
      span.setAttribute('db.response.returned_rows', countRows(result))
      return result
    } catch (error) {
      span.setAttribute('error.type', error instanceof Problem ? error.code : 'internal_error')
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}

/** The rows of a result: of a list that has them, of records by their ids, or of the records of a page. */
function countRows(result: unknown): number {
  if (Array.isArray(result)) return result.length
  return result instanceof Map ? result.size : (result as Records).rows
}
