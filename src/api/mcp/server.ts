import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { Problem, problems } from '../../errors.js'
import type { ProblemCode } from '../../errors.js'
import type { Json } from '../openapi.js'
import type { Catalogue } from './catalogue.js'

/** What one request may see and do. */
interface Call {
  readonly catalogue: Catalogue
  readonly scopes: readonly string[]
  /** Set where the key has sent all requests of its minute. */
  readonly refusal: Problem | undefined
  /** Sends a GET to this service, with the key of the caller. */
  readonly get: (url: string) => Promise<Answer>
  /** An error that is not of the caller. */
  readonly onError: (error: unknown) => void
}

/** The answer of a GET. */
export interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: string
}

/** A page beyond it is of no use to a model, and would be held several times. */
const answerLengthMax = 256 * 1024

/**
 * The server of one request. It is never shared: one server for two callers has given the answers of one to the other
 * (GHSA-345p-7cg4-v4c7). Source: Model Context Protocol 2026-07-28.
 */
export function createServer(call: Call): McpServer {
  const { catalogue, scopes, get } = call
  const { version, instructions } = catalogue
  const mcpServer = new McpServer(
    { name: 'vitrine', title: 'Vitrine', version },
    { capabilities: { tools: { listChanged: false }, resources: { listChanged: false } }, instructions },
  )
  // Its own tools would validate arguments too, in other words than the API.
  const { server } = mcpServer
  server.setRequestHandler('tools/list', () => ({
    tools: [
      ...catalogue.recordTools
        .filter(({ scope }) => scopes.includes(scope))
        .map(({ definition }) => definition),
      catalogue.searchTool,
    ],
  }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }) => {
    try {
      if (call.refusal !== undefined) throw call.refusal
      return toResult(await callTool(call, name, given))
    } catch (error) {
      if (error instanceof Problem) return toFailure(error)
      throw toProtocolError(error, call)
    }
  })
  server.setRequestHandler('resources/list', () => ({ resources: [...catalogue.resources] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const resource = catalogue.resources.find((one) => one.uri === uri.replace(/#.*$/, ''))
    if (resource === undefined) throw new ResourceNotFoundError(uri)
    try {
      const { payload } = requireSuccess(await get(resource.path))
      return { contents: [{ uri, mimeType: resource.mimeType, text: payload }] }
    } catch (error) {
      throw toProtocolError(error, call)
    }
  })
  return mcpServer
}

/** @throws Problem as a GET answers it; ProtocolError for a tool that does not exist. */
async function callTool({ catalogue, get }: Call, name: string, given: Json): Promise<Json> {
  if (name === catalogue.searchTool.name) return catalogue.search(given)
  const tool = catalogue.recordTools.find(({ definition }) => definition.name === name)
  if (tool === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool of this name.')
  const { payload } = requireSuccess(await get(tool.toUrl(given)))
  if (payload.length > answerLengthMax) throw createTooLong(payload.length)
  return tool.select(JSON.parse(payload))
}

/** The protocol sends the message of whatever is thrown to the caller, so only texts for callers leave. */
function toProtocolError(error: unknown, { onError }: Call): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (error instanceof Problem) return new ProtocolError(ProtocolErrorCode.InternalError, error.message)
  onError(error)
  return new ProtocolError(ProtocolErrorCode.InternalError, problems.internal_error.meaning)
}

/** @throws Problem the one that was answered. */
function requireSuccess(answer: Answer): Answer {
  if (answer.statusCode === 200) return answer
  const { code, detail, parameter } = JSON.parse(answer.payload) as {
    readonly code: ProblemCode
    readonly detail: string
    readonly parameter?: string
  }
  const retryAfter = answer.headers['retry-after']
  throw new Problem(code, detail, {
    ...(parameter !== undefined && { parameter }),
    headers: typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : {},
  })
}

function createTooLong(length: number): Problem {
  const detail = `The answer has ${length} characters, and a tool gives at most ${answerLengthMax}. Ask for fewer records, or read it with the API.`
  return new Problem('invalid_parameter', detail)
}

/** Text of the database is in the structured content, and in the same as JSON for clients that read only text. */
function toResult(structuredContent: Json) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent }
}

/** What went wrong and what to do next, for the model. */
function toFailure({ code, detail, parameter, headers }: Problem) {
  const seconds = headers['retry-after']
  const failure = {
    code,
    detail,
    parameter,
    whatToDo: problems[code].remedy,
    retryAfterSeconds: seconds === undefined ? undefined : Number(seconds),
  }
  return { content: [{ type: 'text' as const, text: JSON.stringify(failure) }], isError: true }
}
