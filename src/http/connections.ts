import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem } from '../errors.js'
import type { HttpLimits } from './limits.js'
import type { FastifyInstance } from 'fastify'

/** The connections of a server, kept within its limits. */
export interface Connections {
  /** @throws Problem `overloaded` for a request that its connection, or all of them, have no room for. */
  readonly requireRoom: (request: IncomingMessage) => void
  /**
   * Runs the task when whatever was asked on the connection before is answered, and lets no other be asked. The
   * task is told whether the request at fault has had its answer already, because only its body is.
   */
  readonly afterAnswers: (socket: Duplex, task: (answered: boolean) => void) => void
  /** Closes those that have sent nothing, now and from now on: Node counts them as busy and would wait for them. */
  readonly closeSilent: () => void
  /** Connections that have had a successful answer, or whose request is being answered. */
  readonly countCallers: () => number
  /** All others. */
  readonly countPending: () => number
}

interface Connection {
  readonly socket: Socket
  /** Answers that are under way, in the order of their requests, in which Node sends them. */
  readonly answers: ServerResponse[]
  /** Whether it has had a successful answer. */
  isEstablished: boolean
  last: IncomingMessage | undefined
  parting: (() => void) | undefined
  /** What its caller is to take next, and since when it is seen to be. */
  due: { readonly what: ServerResponse | 'parting'; readonly since: number } | undefined
}

/** The open connections. Those that have no answer under way are also idle or pending, the oldest state first. */
interface Open {
  readonly all: Map<Duplex, Connection>
  /** Established connections, which are kept for the next request. */
  readonly idle: Set<Connection>
  /** Connections with no request, half a head or no successful answer, and those that are closing. */
  readonly pending: Set<Connection>
}

/** Watches every connection of a server from its first byte to its end. */
export function watchConnections(server: Server, limits: HttpLimits): Connections {
  const open: Open = { all: new Map(), idle: new Set(), pending: new Set() }
  const countCallers = (): number => open.all.size - open.pending.size
  let closesSilent = false
  server.on('connection', (socket) => {
    if (closesSilent) socket.destroy()
    admit(open, socket)
    // Not server.maxConnections, which would refuse the new one. Established connections are never closed for it.
    if (open.all.size > limits.connectionsMax * 2) dropFirst(open, open.pending)
  })
  // Before Fastify's own listener, which may answer at once.
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
      if (connection.answers.length > limits.pipelinedMax)
        throw createOverloaded('Too many requests are sent ahead on this connection.')
      if (!connection.isEstablished && countCallers() - open.idle.size > limits.connectionsMax)
        throw createOverloaded('Too many connections are open.', { connection: 'close' })
    },
    afterAnswers: (socket, task) => {
      const connection = open.all.get(socket)
      if (connection === undefined) task(false)
      else partAfterAnswers(open, connection, task)
    },
    closeSilent: () => {
      closesSilent = true
      for (const { socket } of open.pending) if (socket.bytesRead === 0) socket.destroy()
    },
    countCallers,
    countPending: () => open.pending.size,
  }
}

function admit(open: Open, socket: Socket): void {
  const connection: Connection = {
    socket,
    answers: [],
    isEstablished: false,
    last: undefined,
    parting: undefined,
    due: undefined,
  }
  open.all.set(socket, connection)
  classify(open, connection)
  socket.once('close', () => {
    forget(open, connection)
  })
}

function track(open: Open, connection: Connection, request: IncomingMessage, response: ServerResponse): void {
  const { answers } = connection
  answers.push(response)
  connection.last = request
  classify(open, connection)
  response.once('close', () => {
    answers.splice(answers.indexOf(response), 1)
    if (response.writableFinished && response.statusCode < 400) connection.isEstablished = true
    classify(open, connection)
    if (answers.length === 0) connection.parting?.()
  })
}

function partAfterAnswers(open: Open, connection: Connection, task: (answered: boolean) => void): void {
  if (connection.parting !== undefined) return
  connection.parting = () => {
    task(connection.last?.complete === false)
  }
  classify(open, connection)
  if (connection.answers.length === 0) connection.parting()
}

/** Moves a connection to the set that its state belongs to. */
function classify({ all, idle, pending }: Open, connection: Connection): void {
  idle.delete(connection)
  pending.delete(connection)
  if (!all.has(connection.socket) || connection.answers.length > 0) return
  const isKept = connection.isEstablished && connection.parting === undefined
  const set = isKept ? idle : pending
  set.add(connection)
}

/** Closes the connection that has been idle or pending for the longest time. */
function dropFirst(open: Open, set: ReadonlySet<Connection>): void {
  const [first] = set
  if (first === undefined) return
  // The socket tells of its end later, and the next one may have to go before.
  forget(open, first)
  first.socket.destroy()
}

function forget(open: Open, connection: Connection): void {
  open.all.delete(connection.socket)
  classify(open, connection)
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

/** The end of the process, which is announced before anything closes. */
export interface Closing {
  readonly announce: () => void
  readonly isAnnounced: () => boolean
}

/** An end that is not yet announced. */
export function createClosing(): Closing {
  let announced = false
  return {
    announce: () => {
      announced = true
    },
    isAnnounced: () => announced,
  }
}

/**
 * Ends the connection of each answer once the end is announced, so that callers who keep theirs go elsewhere, and
 * none that is answered just when the app closes stays open and holds up the end: Node closes those that are idle
 * by then, Fastify those that bring a request later. Connections that have sent nothing, such as a proxy opens in
 * advance, are closed with the app.
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
