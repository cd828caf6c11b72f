import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../errors.js'
import type { HttpLimits } from './limits.js'

/** The connections of a server, kept within its limits. */
export interface Connections {
  /** @throws Problem `overloaded` for a request that its connection, or all of them, have no room for. */
  readonly requireRoom: (request: IncomingMessage) => void
  /**
   * Runs the task when whatever was asked on the connection before is answered, and lets no other be asked. The
   * task is told whether the request at fault has had its answer already, because only its body is.
   */
  readonly afterAnswers: (socket: Duplex, task: (answered: boolean) => void) => void
  /** How many are open. */
  readonly count: () => number
}

interface Connection {
  /** Answers that are under way, in the order of their requests, in which Node sends them. */
  readonly answers: ServerResponse[]
  /** Whether it came when there was no room. */
  readonly surplus: boolean
  last: IncomingMessage | undefined
  parting: (() => void) | undefined
  /** What its caller is to take next, and since when it is seen to be. */
  due: { readonly what: ServerResponse | 'parting'; readonly since: number } | undefined
}

/** Watches every connection of a server from its first byte to its end. */
export function watchConnections(server: Server, limits: HttpLimits): Connections {
  const open = new Map<Duplex, Connection>()
  // Those that are refused need room too, for as long as they are told so. Beyond it they are closed unheard.
  server.maxConnections = limits.connectionsMax * 2
  server.on('connection', (socket) => {
    const surplus = open.size >= limits.connectionsMax
    open.set(socket, { answers: [], surplus, last: undefined, parting: undefined, due: undefined })
    socket.once('close', () => open.delete(socket))
    // Keeping a connection that is not used is a courtesy.
    if (surplus) server.closeIdleConnections()
  })
  // Before Fastify's own listener, which may answer at once.
  server.prependListener('request', (request, response) => {
    const connection = open.get(request.socket)
    if (connection !== undefined) track(connection, request, response)
  })
  endStalled(server, open, limits)
  return {
    requireRoom: (request) => {
      const connection = open.get(request.socket)
      if (connection === undefined) return
      if (connection.answers.length > limits.pipelinedMax)
        throw createOverloaded('Too many requests are sent ahead on this connection.')
      if (connection.surplus && open.size > limits.connectionsMax)
        throw createOverloaded('Too many connections are open.', { connection: 'close' })
    },
    afterAnswers: (socket, task) => {
      const connection = open.get(socket)
      if (connection?.parting !== undefined) return
      const part = (): void => {
        task(connection?.last?.complete === false)
      }
      if (connection !== undefined) connection.parting = part
      if (connection === undefined || connection.answers.length === 0) part()
    },
    count: () => open.size,
  }
}

function track(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
  const { answers } = connection
  answers.push(response)
  connection.last = request
  response.once('close', () => {
    answers.splice(answers.indexOf(response), 1)
    if (answers.length === 0) connection.parting?.()
  })
}

/**
 * Ends connections whose caller does not take what it is given. An inactivity timeout of the socket would not do: it
 * runs while the database is waited for, and one byte now and then keeps it off for ever.
 */
function endStalled(server: Server, open: ReadonlyMap<Duplex, Connection>, limits: HttpLimits): void {
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, connection] of open) {
      const what = findDue(socket, connection)
      if (what === undefined) connection.due = undefined
      else if (connection.due?.what !== what) connection.due = { what, since: now }
      else if (now - connection.due.since >= limits.answerTimeoutMs) socket.destroy()
    }
  }, limits.checkEveryMs)
  timer.unref()
  server.once('close', () => {
    clearInterval(timer)
  })
}

function findDue(socket: Duplex, { answers: [first] }: Connection): ServerResponse | 'parting' | undefined {
  if (first?.headersSent === true) return first
  // What was refused is closed by its caller, or here.
  return socket.writableEnded ? 'parting' : undefined
}

function createOverloaded(detail: string, headers: Readonly<Record<string, string>> = {}): Problem {
  return new Problem('overloaded', detail, { headers: { 'retry-after': '1', ...headers } })
}
