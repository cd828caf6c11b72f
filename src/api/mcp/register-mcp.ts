import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import inject from 'light-my-request'
import { Problem, problems } from '../../errors.js'
import type { LiveCollection } from '../../collections/collection.js'
import type { Authenticate } from '../authenticate.js'
import { makePart } from '../request-context.js'
import { createOnce } from '../docs/static-body.js'
import type { LimitRate } from '../rate-limits.js'
import { isObject } from '../openapi.js'
import { mcpPath } from '../paths.js'
import { sendCompressed } from '../send.js'
import { createCatalogue } from './catalogue.js'
import { createServer } from './server.js'
import type { Answer } from './server.js'

interface McpInput {
  readonly authenticate: Authenticate
  readonly limitRate: LimitRate
  /** The collections of the mapping in force. */
  readonly served: () => { readonly collections: readonly LiveCollection[] }
  readonly loadDocument: () => Promise<object>
  readonly publicUrl: string
  readonly isPersonal: boolean
}

/** In bytes; a call has a name and at most a cursor and filters, which a URL must hold too. */
const bodyLimit = 64 * 1024

/**
 * Registers `/mcp`: the Model Context Protocol over stateless HTTP, for the agents of integrators. A tool call becomes a GET
 * of this app with the key of its caller, so that the same code authenticates it, parses it, runs it, logs it and says what
 * is wrong. Loaded only where `MCP` is on.
 */
export function registerMcp(app: FastifyInstance, input: McpInput): void {
  const { served } = input
  const loadCatalogue = createOnce(
    () => createCatalogue({ ...input, resources: served().collections }),
    served,
  )
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, parsed) => {
      parseBody(String(body), parsed)
    })
    scope.route({
      // The other methods have the route for their answer: 405 with `Allow: POST`, also to a preflight.
      method: scope.supportedMethods,
      exposeHeadRoute: false,
      url: mcpPath,
      bodyLimit,
      config: { cors: false, allow: 'POST' },
      onRequest: async (request, reply) => {
        if (!isOwnOrigin(request, input.publicUrl)) return refuseOrigin(request, reply)
        await input.authenticate(request)
      },
      handler: async (request, reply) => {
        const refusal = findRefusal(() => {
          input.limitRate(request, reply)
        })
        // A call says to the model when to try again; for the rest the answer is 429.
        if (refusal !== undefined && !isToolCall(request.body)) throw refusal
        request.context.problem = refusal
        const call = {
          catalogue: await loadCatalogue(),
          scopes: request.context.principal?.scopes ?? [],
          refusal,
          get: createGet(app, request, reply),
          onError: (err: unknown) => {
            request.log.error({ reqId: request.id, err }, problems.internal_error.title)
          },
        }
        const handler = createMcpHandler(() => createServer(call))
        const answer = await handler.fetch(toWebRequest(request, reply), { parsedBody: request.body })
        return sendAnswer(request, reply, answer)
      },
    })
    done()
  })
}

function parseBody(text: string, done: (error: Error | null, body?: unknown) => void): void {
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body)) done(null, body)
    else done(new Problem('malformed_request', 'The body must be one JSON object; batches are not read.'))
  } catch {
    done(new Problem('malformed_request', 'The body is not JSON.'))
  }
}

/** Browsers send an origin, and no page of another site may use a key here. There is no CORS either. */
function isOwnOrigin({ headers: { origin } }: FastifyRequest, publicUrl: string): boolean {
  return origin === undefined || (publicUrl !== '' && origin === new URL(publicUrl).origin)
}

/** As the protocol has it: 403, with an error of JSON-RPC that has no id. */
function refuseOrigin(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.context.problem = { code: 'malformed_request', parameter: undefined }
  const message = `Pages of other origins cannot use ${mcpPath}; a program sends no Origin header.`
  return reply.code(403).send({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null })
}

function findRefusal(limit: () => void): Problem | undefined {
  try {
    limit()
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function isToolCall(body: unknown): boolean {
  return isObject(body) && body['method'] === 'tools/call'
}

/** The headers that a tool request takes from the request of its call: the key, the trace, and the address. */
const passedHeaders = ['authorization', 'traceparent', 'tracestate', 'x-forwarded-for']

/** Sends requests of the caller on its own connection: it is found to have left, and to read its answer, as by HTTP. */
function createGet(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  // The lines of the log have the id of the call.
  const headers: Record<string, string> = { 'x-request-id': request.id }
  for (const name of passedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  const dispatch = (raw: IncomingMessage, response: ServerResponse): void => {
    raw.socket = request.raw.socket
    makePart(raw, reply.raw)
    request.context.hasParts = true
    app.routing(raw, response)
  }
  return (url: string): Promise<Answer> => inject(dispatch, { url, headers })
}

/** What the protocol reads of a request. The key is not passed on. It ends with the answer, or when the caller leaves. */
function toWebRequest({ headers }: FastifyRequest, reply: FastifyReply): Request {
  const ending = new AbortController()
  reply.raw.once('close', () => {
    ending.abort()
  })
  const read = Object.entries(headers).filter(([name]) => /^(?:accept|content-type|mcp-.*)$/.test(name))
  return new Request(`http://localhost${mcpPath}`, {
    method: 'POST',
    signal: ending.signal,
    headers: read.map(([name, value]): [string, string] => [name, String(value)]),
  })
}

async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Response,
): Promise<FastifyReply> {
  if (answer.status >= 400) request.context.problem = { code: 'malformed_request', parameter: undefined }
  const type = answer.headers.get('content-type')
  if (type !== null) reply.type(type)
  reply.code(answer.status).header('cache-control', 'no-store')
  return sendCompressed(reply, await answer.text())
}
