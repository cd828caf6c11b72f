import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterFile } from './after-file.js'
import { commands, createInterceptor, toPacket } from './packets.js'
import type { Interception } from './packets.js'

/** An error as the server would send it. */
interface ServerError {
  readonly number: number
  readonly sqlState: string
}

/** What a network does with what it is given. */
type Mode =
  | Interception
  /** Frozen are the connections that there are: what they carry comes late. */
  | { readonly do: 'pass' | 'freeze' | 'cut' }
  /** The server's answer to each statement, or to the next one. */
  | { readonly do: 'fail'; readonly error: ServerError; readonly isOnce?: boolean }
  | { readonly do: 'reject'; readonly sql: string; readonly error: ServerError }
  /** Behind each answer to a statement, as of a session that has been idle for too long. */
  | { readonly do: 'follow'; readonly error: ServerError }

/** A network between the service and the database that can be broken, and fixed again. */
export type Network = Awaited<ReturnType<typeof startNetwork>>

/** Answers shorter than this, in bytes, such as a greeting or an OK, hold no rows to be cut through. */
const resultBytesMin = 300
const runCommands: readonly (number | undefined)[] = Object.values(commands)
/** COM_QUERY and COM_STMT_PREPARE, whose packets are the text of a statement. */
const textCommands: readonly (number | undefined)[] = [0x03, 0x16]
/** COM_QUIT, a packet of one byte. */
const quit = Buffer.from([1, 0, 0, 0, 1])

/** The text of the statement that a packet of a client carries. */
function readStatement(packet: Buffer): string | undefined {
  if (packet[3] !== 0 || !textCommands.includes(packet[4])) return undefined
  // To MySQL, the text of COM_QUERY comes behind the number of query attributes, none, and of their sets, one.
  return packet.toString('utf8', packet[5] === 0 ? 7 : 5)
}

/** The error that answers a packet of a client instead of the server. */
function findError(mode: Mode, packet: Buffer, sql: string | undefined): ServerError | undefined {
  if (mode.do === 'reject') return mode.sql === sql ? mode.error : undefined
  return mode.do === 'fail' && runCommands.includes(packet[4]) ? mode.error : undefined
}

/** Starts a network before the server of an address; it is gone when the test file is. */
export async function startNetwork(address: string) {
  const { hostname, port } = new URL(address)
  let mode: Mode = { do: 'pass' }
  let quits = 0
  const statements = new Set<string>()
  const connections = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    connections.add(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        connections.delete(near)
        other.destroy()
      })
    }
    // The first packet of a statement has the number 0, that of the login 1.
    let isLoggedIn = false
    const { takeRequest, takeAnswer } = createInterceptor(near, far)
    near.on('data', (chunk) => {
      if (takeRequest(chunk, mode)) return
      isLoggedIn ||= chunk[3] === 0
      if (chunk.subarray(-quit.length).equals(quit)) quits += 1
      const sql = readStatement(chunk)
      if (sql !== undefined) statements.add(sql)
      const error = findError(mode, chunk, sql)
      if (error === undefined) far.write(chunk)
      else {
        if (mode.do === 'fail' && mode.isOnce === true) mode = { do: 'pass' }
        near.write(toErrorPacket(error))
      }
    })
    far.on('data', (chunk) => {
      if (takeAnswer(chunk, mode)) return
      if (mode.do === 'follow' && isLoggedIn) near.write(Buffer.concat([chunk, toErrorPacket(mode.error)]))
      else if (mode.do !== 'cut' || chunk.length < resultBytesMin) near.write(chunk)
      else near.end(chunk.subarray(0, Math.floor(chunk.length / 2)))
    })
  })
  const listen = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject).listen(at, '127.0.0.1', resolve)
    })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve()
      })
      for (const socket of connections) socket.destroy()
    })
  await listen(0)
  afterFile(close)
  const { port: own } = server.address() as AddressInfo
  const url = new URL(address)
  url.host = `127.0.0.1:${own}`
  return {
    /** The address of the database behind it. */
    url: url.href,
    /** The texts of the statements that were sent, each once. */
    statements: statements as ReadonlySet<string>,
    /** The connections of callers. */
    connections: connections as ReadonlySet<Socket>,
    /** How many connections ended with COM_QUIT. */
    countQuits: () => quits,
    set: (next: Mode) => {
      mode = next
      for (const socket of connections) {
        if (mode.do === 'freeze') socket.pause()
        else socket.resume()
      }
    },
    /** Refuses connections, and ends those that there are. */
    close,
    /** Takes connections again, on the same port. */
    open: () => listen(own),
  }
}

/** ERR_Packet of the protocol: 0xff, the number, `#`, the SQL state and a text. */
function toErrorPacket({ number, sqlState }: ServerError): Buffer {
  const text = Buffer.from(`#${sqlState}This is what the server says`)
  return toPacket(Buffer.concat([Buffer.of(0xff, number & 0xff, number >> 8), text]), 1)
}
