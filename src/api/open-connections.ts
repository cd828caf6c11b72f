import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { toCountedAddress } from './rate-limits.js'

/** One connection of a caller or of a proxy. */
export interface Connection {
  readonly socket: Socket
  /** Answers in progress, in the order of their requests; Node sends them in this order. */
  readonly answers: ServerResponse[]
  /** Whether it had a successful answer with no later one unread, or sent a valid key. */
  isEstablished: boolean
  hasKey: boolean
  /** The address that it counts for; see `identify`. */
  address: string
  /** The address of its requests, by `TRUST_PROXY`; null where they have several. */
  requestAddress: string | null | undefined
  lastRequest: IncomingMessage | undefined
  /** Ends the connection after its last answer; see `afterAnswers`. */
  end: (() => void) | undefined
  /** What the caller has to read next, and since when. */
  due: { readonly what: ServerResponse | 'end'; readonly since: number } | undefined
}

/** The open connections. Those without an answer in progress are also idle or pending, the oldest state first. */
export interface OpenConnections {
  readonly all: Map<Duplex, Connection>
  /** Established connections, which are kept for the next request. */
  readonly idle: Set<Connection>
  /** Connections with no request, half a head or no successful answer, and those that are about to end. */
  readonly pending: Set<Connection>
  /** How many belong to an address. */
  readonly counts: Map<string, number>
  /** How many an address can have while others come. */
  readonly share: number
}

/** @param share how many connections an address can have while others come. */
export function createOpenConnections(share: number): OpenConnections {
  return { all: new Map(), idle: new Set(), pending: new Set(), counts: new Map(), share }
}

/** Adds a new connection, until it is closed. */
export function admit(open: OpenConnections, socket: Socket): void {
  const connection: Connection = {
    socket,
    answers: [],
    isEstablished: false,
    hasKey: false,
    address: toCountedAddress(socket.remoteAddress ?? ''),
    requestAddress: undefined,
    lastRequest: undefined,
    end: undefined,
    due: undefined,
  }
  open.all.set(socket, connection)
  count(open, connection, 1)
  classify(open, connection)
  socket.once('close', () => {
    remove(open, connection)
  })
}

/**
 * Finds the address that a connection counts for. Behind a trusted proxy, that is the address of its requests as long as
 * all have the same one: a connection that the proxy uses for several callers counts for the proxy.
 *
 * @param requestAddress the address of a request, by `TRUST_PROXY`.
 */
export function identify(open: OpenConnections, connection: Connection, requestAddress: string): void {
  if (connection.requestAddress === requestAddress || connection.requestAddress === null) return
  connection.requestAddress = connection.requestAddress === undefined ? requestAddress : null
  count(open, connection, -1)
  connection.address = toCountedAddress(connection.requestAddress ?? connection.socket.remoteAddress ?? '')
  count(open, connection, 1)
}

/** Moves a connection to the set that its state belongs to. */
export function classify({ all, idle, pending }: OpenConnections, connection: Connection): void {
  idle.delete(connection)
  pending.delete(connection)
  if (!all.has(connection.socket) || connection.answers.length > 0) return
  const isKept = connection.isEstablished && connection.end === undefined
  const set = isKept ? idle : pending
  set.add(connection)
}

/** Whether the address of a connection has more than its share. */
export function isCrowded({ counts, share }: OpenConnections, { address }: Connection): boolean {
  return (counts.get(address) ?? 0) > share
}

/**
 * Closes one of the idle or pending connections: of an address with more than its share if there is one, then one
 * without a key, then the one that has been in this state for the longest time. An address with more than its share loses
 * a busy connection before others lose one.
 */
export function dropIdle(open: OpenConnections, set: ReadonlySet<Connection>): void {
  if (set.size === 0) return
  const hasCrowd = [...open.counts.values()].some((size) => size > open.share)
  const isDropped = hasCrowd && (dropOne(open, set, ofCrowd(open, rankIdle)) || dropBusy(open))
  if (!isDropped) dropOne(open, set, rankIdle)
}

/**
 * Closes a connection with an answer in progress of an address with more than its share. A caller with a valid key keeps
 * its connection as long as it reads its answers.
 *
 * @returns false if there is none.
 */
export function dropBusy(open: OpenConnections): boolean {
  return dropOne(open, open.all.values(), ofCrowd(open, rankBusy))
}

/** The connection of the lowest rank is closed; undefined for one that is kept. */
type Rank = (connection: Connection) => 0 | 1 | undefined

const rankIdle: Rank = ({ hasKey }) => (hasKey ? 1 : 0)

const rankBusy: Rank = ({ answers, hasKey, due }) => {
  if (answers.length === 0) return undefined
  if (!hasKey) return 0
  return due === undefined ? undefined : 1
}

function ofCrowd(open: OpenConnections, rank: Rank): Rank {
  return (connection) => (isCrowded(open, connection) ? rank(connection) : undefined)
}

/** Closes the first connection of the lowest rank. */
function dropOne(open: OpenConnections, connections: Iterable<Connection>, rank: Rank): boolean {
  let first: Connection | undefined
  for (const connection of connections) {
    const found = rank(connection)
    if (found === 1) first ??= connection
    if (found !== 0) continue
    first = connection
    break
  }
  if (first === undefined) return false
  // Removed here: the close event of the socket comes later, and the next connection may have to be dropped before.
  remove(open, first)
  first.socket.destroy()
  return true
}

function remove(open: OpenConnections, connection: Connection): void {
  if (open.all.delete(connection.socket)) count(open, connection, -1)
  classify(open, connection)
}

function count({ counts }: OpenConnections, { address }: Connection, difference: 1 | -1): void {
  const sum = (counts.get(address) ?? 0) + difference
  if (sum === 0) counts.delete(address)
  else counts.set(address, sum)
}
