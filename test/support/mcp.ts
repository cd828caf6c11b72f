import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { VersionNegotiationMode } from '@modelcontextprotocol/client'
import { keys } from '../product/index.js'
import { afterFile } from './after-file.js'
import type { TestService } from './service.js'

/** What a tool call returned, its JSON read. */
export interface ToolAnswer {
  readonly isError: boolean
  /** The structured content, or what the text of a failure says. */
  readonly content: Readonly<Record<string, unknown>>
}

/** The official client, connected with a key; closed when the file is done. */
export async function connectAgent(
  { app }: Pick<TestService, 'app'>,
  {
    key = keys.both,
    mode = { pin: '2026-07-28' },
  }: { readonly key?: string; readonly mode?: VersionNegotiationMode } = {},
) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${key}` }
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const url = new URL('/mcp', app.listeningOrigin)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  afterFile(() => client.close())
  return {
    client,
    call: async (name: string, given: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> => {
      const {
        isError = false,
        structuredContent,
        content,
      } = await client.callTool({ name, arguments: given })
      const [text] = content as { text: string }[]
      const said = JSON.parse(text!.text) as ToolAnswer['content']
      if (isError) return { isError, content: said }
      if (JSON.stringify(said) !== JSON.stringify(structuredContent))
        throw new Error('The text is another one')
      return { isError, content: structuredContent as ToolAnswer['content'] }
    },
  }
}

/** One message of the protocol of 2025, as a program without the client sends it. */
export function sendMessage(
  { app }: Pick<TestService, 'app'>,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  return app.inject({
    method: 'POST',
    url: '/mcp',
    payload: typeof message === 'string' ? message : JSON.stringify(message),
    headers: {
      authorization: `Bearer ${keys.both}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })
}
