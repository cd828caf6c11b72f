import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A process behind the proxy. */
export interface BackEnd {
  readonly api: string
  readonly ops: string
}

/** What stands before several machines: one address for them all. */
export interface ReverseProxy {
  readonly origin: string
  readonly close: () => Promise<void>
}

/** The header of an answer that tells which back end gave it, by its `api`. */
export const servedByHeader = 'x-served-by'

/**
 * Starts a proxy that gives each request to the next back end whose `/readyz` was 200; where one breaks a request
 * off, the next one gets it.
 *
 * The health of all is asked along with each request and before its answer leaves, so no timer decides anything:
 * what it knows is one request old, as a real one's is some seconds old.
 *
 * @param listBackEnds those that there are; asked for each request, since a restart changes addresses.
 */
export async function startReverseProxy(listBackEnds: () => readonly BackEnd[]): Promise<ReverseProxy> {
  const healthy = new Set<string>()
  let turn = 0
  const checkHealth = async (): Promise<void> => {
    await Promise.all(
      listBackEnds().map(async ({ api, ops }) => {
        if (await isReady(ops)) healthy.add(api)
        else healthy.delete(api)
      }),
    )
  }
  const forward = async (request: IncomingMessage): Promise<Forwarded> => {
    const backEnds = listBackEnds()
    for (let tries = 0; tries < backEnds.length; tries += 1) {
      const { api } = backEnds[turn % backEnds.length]!
      turn += 1
      if (!healthy.has(api)) continue
      const forwarded = await ask(api, request).catch(() => undefined)
      if (forwarded !== undefined) return forwarded
      healthy.delete(api)
    }
    return { status: 502, headers: {}, body: Buffer.from('No back end answers') }
  }
  await checkHealth()
  const server = createServer((request, response) => {
    const checked = checkHealth()
    void forward(request).then(async (forwarded) => {
      await checked
      send(response, forwarded)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

interface Forwarded {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A whole answer: nothing has left for the caller while it may still break off. */
async function ask(api: string, { url = '', headers }: IncomingMessage): Promise<Forwarded> {
  const answer = await fetch(`${api}${url}`, { headers: { authorization: headers.authorization ?? '' } })
  const body = Buffer.from(await answer.arrayBuffer())
  const type = answer.headers.get('content-type') ?? ''
  return { status: answer.status, headers: { 'content-type': type, [servedByHeader]: api }, body }
}

async function isReady(ops: string): Promise<boolean> {
  try {
    const answer = await fetch(`${ops}/readyz`)
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

function send(response: ServerResponse, { status, headers, body }: Forwarded): void {
  response.writeHead(status, headers)
  response.end(body)
}
