import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.js'
import type { HttpLimits } from './limits.js'

/** The connections of a server, kept within its limits. */
export interface Connections {
  /** @throws Problem `overloaded` if the connection, or the server, has too many requests in progress. */
  readonly requireRoom: (request: IncomingMessage) => void
  /**
   * Runs a task after the answers of all earlier requests of the connection, and accepts no further request there.
   * `isAnswered` is true if the invalid request has had its answer already, because only its body is invalid.
   */
  readonly afterAnswers: (socket: Duplex, task: (isAnswered: boolean) => void) => void
  /** Closes connections that have sent nothing, now and from now on. Node counts them as busy and would keep them. */
  readonly closeSilent: () => void
  /** Connections that have had a successful answer, or have a request in progress. */
  readonly countCallers: () => number
  /** All others. */
  readonly countPending: () => number
}

interface Connection {
  readonly socket: Socket
  /** Answers in progress, in the order of their requests; Node sends them in this order. */
  readonly answers: ServerResponse[]
  /** Whether it has had a successful answer. */
  isEstablished: boolean
  lastRequest: IncomingMessage | undefined
  /** Ends the connection after its last answer; see `afterAnswers`. */
  end: (() => void) | undefined
  /** What the caller has to read next, and since when. */
  due: { readonly what: ServerResponse | 'end'; readonly since: number } | undefined
}

/** The open connections. Those without an answer in progress are also idle or pending, the oldest state first. */
interface OpenConnections {
  readonly all: Map<Duplex, Connection>
  /** Established connections, which are kept for the next request. */
  readonly idle: Set<Connection>
  /** Connections with no request, half a head or no successful answer, and those that are about to end. */
  readonly pending: Set<Connection>
}

/** Watches every connection of a server from its first byte to its end. */
export function watchConnections(server: Server, limits: HttpLimits): Connections {
  const open: OpenConnections = { all: new Map(), idle: new Set(), pending: new Set() }
  const countCallers = (): number => open.all.size - open.pending.size
  let closesSilent = false
  server.on('connection', (socket) => {
    if (closesSilent) socket.destroy()
    admit(open, socket)
    // Not server.maxConnections, which would reject the new one. Established connections are never closed for it.
    if (open.all.size > limits.connectionsMax * 2) dropFirst(open, open.pending)
  })
  // Before Fastify's own listener, which can answer at once.
  server.prependListener('request', (request, response) => {
    const connection = open.all.get(request.socket)
    if (connection === undefined) return
    track(open, connection, request, response)
    response.once('close', () => {
      if (countCallers() > limits.connectionsMax) dropFirst(open, open.idle)
    })
  })
  endStalled(server, open.all, limits)
  return {
    requireRoom: ({ socket }) => {
      const connection = open.all.get(socket)
      if (connection === undefined) return
      if (connection.answers.length > limits.pipelinedMax) throw createTooManyAhead()
      if (!connection.isEstablished && countCallers() - open.idle.size > limits.connectionsMax)
        throw createOverloaded('Too many connections are open.', { connection: 'close' })
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

function admit(open: OpenConnections, socket: Socket): void {
  const connection: Connection = {
    socket,
    answers: [],
    isEstablished: false,
    lastRequest: undefined,
    end: undefined,
    due: undefined,
  }
  open.all.set(socket, connection)
  classify(open, connection)
  socket.once('close', () => {
    remove(open, connection)
  })
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
    if (response.writableFinished && response.statusCode < 400) connection.isEstablished = true
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

/** Moves a connection to the set that its state belongs to. */
function classify({ all, idle, pending }: OpenConnections, connection: Connection): void {
  idle.delete(connection)
  pending.delete(connection)
  if (!all.has(connection.socket) || connection.answers.length > 0) return
  const isKept = connection.isEstablished && connection.end === undefined
  const set = isKept ? idle : pending
  set.add(connection)
}

/** Closes the connection that has been idle or pending for the longest time. */
function dropFirst(open: OpenConnections, set: ReadonlySet<Connection>): void {
  const [first] = set
  if (first === undefined) return
  // Removed here: the close event of the socket comes later, and the next connection may have to be dropped before.
  remove(open, first)
  first.socket.destroy()
}

function remove(open: OpenConnections, connection: Connection): void {
  open.all.delete(connection.socket)
  classify(open, connection)
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
