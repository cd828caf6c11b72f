import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterFile } from './after-file.js'
import type { Script } from './scripted-server.js'
import type { TestService } from './service.js'

/**
 * What a request meets before the service: nothing, an answer of somebody else, half of the service's answer, or a
 * cursor that was changed on the way.
 */
export type Obstacle = 'none' | 'half' | 'other cursor' | Script

/** A proxy in front of a service. */
export interface ObstacleProxy {
  readonly url: string
  /** The requests of all runs, in order: what was requested, and when, in milliseconds. */
  readonly requests: readonly { readonly path: string; readonly at: number }[]
  /** Sets the obstacles of the next requests; all later ones have none. */
  readonly place: (obstacles: readonly Obstacle[]) => void
}

/** Connection lost before any answer. */
export const lost: Script = (response) => response.destroy()

/** Starts a proxy, which ends with the test file. @param service whose `app` is read for each request. */
export async function startObstacles(service: Pick<TestService, 'app'>): Promise<ObstacleProxy> {
  const requests: { path: string; at: number }[] = []
  let ahead: Obstacle[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push({ path, at: performance.now() })
    const obstacle = ahead.shift() ?? 'none'
    if (typeof obstacle === 'function') {
      obstacle(response, request)
      return
    }
    const pass = async (): Promise<void> => {
      const url = obstacle === 'other cursor' ? path.replace('cursor=', 'cursor=x') : path
      const answer = await service.app.inject({ url, headers: request.headers })
      const headers = { ...answer.headers }
      // Of the connection between proxy and service; PHP would wait until its own is closed.
      delete headers['connection']
      delete headers['keep-alive']
      response.writeHead(answer.statusCode, headers)
      if (obstacle !== 'half') response.end(answer.rawPayload)
      else response.write(answer.rawPayload.subarray(0, 1000), () => response.destroy())
    }
    pass().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    place: (obstacles) => {
      ahead = [...obstacles]
    },
  }
}
