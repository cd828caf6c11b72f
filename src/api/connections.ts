import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../errors.js'
import type { HttpLimits } from './limits.js'
import type { Metrics } from './metrics.js'
import {
  admit,
  classify,
  createOpenConnections,
  dropBusy,
  dropIdle,
  identify,
  isCrowded,
} from './open-connections.js'
import type { Connection, OpenConnections } from './open-connections.js'

/** The connections of a server, kept within its limits. */
export interface Connections {
  /**
   * Closes a connection of an address with more than its share, if the server has too many requests in progress.
   *
   * @throws Problem `overloaded` if there is none, or the connection has too many requests in progress.
   */
  readonly requireRoom: (request: Pick<FastifyRequest, 'raw' | 'ip'>) => void
  /** The connection has sent a valid key, so it keeps its place. */
  readonly establish: (request: Pick<FastifyRequest, 'raw'>) => void
  /**
   * Runs a task after the answers of all earlier requests of the connection, and accepts no further request there.
   * `isAnswered` is true if the invalid request has had its answer already, because only its body is invalid.
   */
  readonly afterAnswers: (socket: Duplex, task: (isAnswered: boolean) => void) => void
  /** Closes connections that have sent nothing, now and from now on. Node counts them as busy and would keep them. */
  readonly closeSilent: () => void
  /** Connections that are established, or have a request in progress. */
  readonly countCallers: () => number
  /** All others. */
  readonly countPending: () => number
}

/** Watches every connection of a server from its first byte to its end. */
export function watchConnections(server: Server, limits: HttpLimits): Connections {
  const open = createOpenConnections(limits.connectionsMax / 2)
  const countCallers = (): number => open.all.size - open.pending.size
  let closesSilent = false
  server.on('connection', (socket) => {
    if (closesSilent) socket.destroy()
    admit(open, socket)
    // Not server.maxConnections, which would reject the new one. Established connections are never closed for it.
    if (open.all.size > limits.connectionsMax * 2) dropIdle(open, open.pending)
  })
  // Before Fastify's own listener, which can answer at once.
  server.prependListener('request', (request, response) => {
    const connection = open.all.get(request.socket)
    if (connection === undefined) return
    track(open, connection, request, response)
    response.once('close', () => {
      if (countCallers() > limits.connectionsMax) dropIdle(open, open.idle)
    })
  })
  endStalled(server, open.all, limits)
  return {
    requireRoom: ({ raw: { socket }, ip }) => {
      const connection = open.all.get(socket)
      if (connection === undefined) return
      identify(open, connection, ip)
      if (connection.answers.length > limits.pipelinedMax) throw createTooManyAhead()
      if (connection.isEstablished || countCallers() - open.idle.size <= limits.connectionsMax) return
      if (isCrowded(open, connection) || !dropBusy(open))
        throw createOverloaded('Too many connections are open.', { connection: 'close' })
    },
    establish: ({ raw: { socket } }) => {
      const connection = open.all.get(socket)
      if (connection === undefined) return
      connection.isEstablished = true
      connection.hasKey = true
    },
    afterAnswers: (socket, task) => {
      const connection = open.all.get(socket)
      if (connection === undefined) task(false)
      else endAfterAnswers(open, connection, task)
    },
    closeSilent: () => {
      closesSilent = true
      for (const { socket } of open.pending) if (socket.bytesRead === 0) socket.destroy()
    },
    countCallers,
    countPending: () => open.pending.size,
  }
}

function track(
  open: OpenConnections,
  connection: Connection,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { answers } = connection
  answers.push(response)
  connection.lastRequest = request
  classify(open, connection)
  response.once('close', () => {
    answers.splice(answers.indexOf(response), 1)
    // While a later answer is not read, this one may be in a buffer of the kernel.
    if (answers.length === 0 && response.writableFinished && response.statusCode < 400)
      connection.isEstablished = true
    classify(open, connection)
    if (answers.length === 0) connection.end?.()
  })
}

function endAfterAnswers(
  open: OpenConnections,
  connection: Connection,
  task: (isAnswered: boolean) => void,
): void {
  if (connection.end !== undefined) return
  connection.end = () => {
    task(connection.lastRequest?.complete === false)
  }
  classify(open, connection)
  if (connection.answers.length === 0) connection.end()
}

/**
 * Ends connections whose caller does not read its answer. An inactivity timeout of the socket would not do: it also
 * runs during database statements, and one byte now and then restarts it.
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

function findDue(socket: Duplex, { answers: [first] }: Connection): ServerResponse | 'end' | undefined {
  if (first?.headersSent === true) return first
  // After an error answer the caller closes the connection, or `endStalled` does.
  return socket.writableEnded ? 'end' : undefined
}

/** The problem of a connection with more requests in progress than `pipelinedMax`. */
export function createTooManyAhead(): Problem {
  return createOverloaded('Too many requests are sent ahead on this connection.')
}

function createOverloaded(detail: string, headers: Readonly<Record<string, string>> = {}): Problem {
  return new Problem('overloaded', detail, { headers: { 'retry-after': '1', ...headers } })
}

/** The end of the process, which is announced before anything closes. */
export interface Closing {
  readonly announce: () => void
  readonly isAnnounced: () => boolean
}

/** An end that is not announced yet. */
export function createClosing(): Closing {
  let isAnnounced = false
  return {
    announce: () => {
      isAnnounced = true
    },
    isAnnounced: () => isAnnounced,
  }
}

/**
 * Closes each connection with its next answer once the end is announced. So callers connect elsewhere, and no
 * connection that is answered while the app closes stays open: Node closes those that are idle then, Fastify those with
 * a later request. Connections that have sent nothing, such as a proxy opens in advance, are closed with the app.
 */
export function closeConnections(app: FastifyInstance, closing: Closing, connections: Connections): void {
  app.addHook('preClose', (done) => {
    closing.announce()
    connections.closeSilent()
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing.isAnnounced()) reply.header('connection', 'close')
    done(null, payload)
  })
}

/** The counts of connections, and their limit. */
export function registerConnectionMetrics(
  metrics: Metrics,
  connections: Connections,
  limits: HttpLimits,
): void {
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
