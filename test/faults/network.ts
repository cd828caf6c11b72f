import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** An error as the server would send it. */
export interface ServerError {
  readonly number: number
  readonly sqlState: string
}

/** What a network does with what it is given. */
type Mode =
  | { readonly do: 'pass' | 'hang up' | 'freeze' | 'swallow' | 'cut' | 'delay the log' }
  | { readonly do: 'turn away'; readonly error: ServerError }
  | { readonly do: 'fail'; readonly error: ServerError; readonly isOnce?: boolean }
  | { readonly do: 'reject'; readonly sql: string; readonly error: ServerError }

/** A network between the service and the database that can be broken, and fixed again. */
export interface Network {
  readonly port: number
  /** The texts of the statements that were sent, each once. */
  readonly statements: ReadonlySet<string>
  /** Breaks it, until it passes everything again; what was swallowed is lost, what was frozen comes late. */
  readonly set: (mode: Mode) => void
  /** Ends every connection that there is. */
  readonly cutAll: () => void
  /** Refuses connections, those that there are included. */
  readonly close: () => Promise<void>
  /** Takes connections again, on the same port. */
  readonly open: () => Promise<void>
  /** Leads new connections to another port, as a host name that moves; open ones stay. */
  readonly move: (port: number) => void
}

/** Answers shorter than this, in bytes, such as a greeting or an OK, hold no rows to be cut through. */
const resultBytesMin = 300
/** COM_QUERY and COM_STMT_EXECUTE, the fifth byte of a packet that runs a statement. */
const runCommands: readonly (number | undefined)[] = [0x03, 0x17]
/** COM_QUERY and COM_STMT_PREPARE, whose packets are the text of a statement. */
const textCommands: readonly (number | undefined)[] = [0x03, 0x16]
/** COM_BINLOG_DUMP and COM_BINLOG_DUMP_GTID, with which a replica asks for the binary log. */
const dumpCommands: readonly (number | undefined)[] = [0x12, 0x1e]
/**
 * How late the first events of the log are. Until then a replica whose replication was just started reports no lag. It
 * is much less than the second between two health checks, after which a service believes it.
 */
const logDelayMs = 300

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

/** Starts a network before the server at a port of this machine. */
export async function startNetwork(serverPort: number, host = '127.0.0.1'): Promise<Network> {
  let mode: Mode = { do: 'pass' }
  let target = serverPort
  const statements = new Set<string>()
  const sockets = new Set<Socket>()
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
    if (mode.do === 'freeze') socket.pause()
  }
  const server = createServer((near) => {
    if (mode.do === 'hang up') {
      near.destroy()
      return
    }
    if (mode.do === 'turn away') {
      near.on('error', () => undefined)
      near.end(toErrorPacket(mode.error, 0))
      return
    }
    const far = connect(target, host)
    // A firewall that has forgotten a connection drops what comes over it for ever.
    let lost = false
    near.on('data', (chunk) => {
      if (mode.do === 'swallow') lost = true
      if (lost) return
      if (mode.do === 'delay the log' && dumpCommands.includes(chunk[4])) {
        far.pause()
        void delay(logDelayMs).then(() => far.resume())
      }
      const sql = readStatement(chunk)
      if (sql !== undefined) statements.add(sql)
      const error = findError(mode, chunk, sql)
      if (error === undefined) far.write(chunk)
      else {
        if (mode.do === 'fail' && mode.isOnce === true) mode = { do: 'pass' }
        near.write(toErrorPacket(error, 1))
      }
    })
    far.on('data', (chunk) => {
      if (mode.do === 'swallow') lost = true
      if (lost) return
      if (mode.do !== 'cut' || chunk.length < resultBytesMin) near.write(chunk)
      else near.end(chunk.subarray(0, Math.floor(chunk.length / 2)))
    })
    keep(near, far)
    keep(far, near)
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    statements,
    set: (next) => {
      mode = next
      for (const socket of sockets) {
        if (mode.do === 'freeze') socket.pause()
        else socket.resume()
      }
    },
    cutAll,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
      })
      cutAll()
      await closed
    },
    open: () => listen(port),
    move: (other) => {
      target = other
    },
  }
}

/** ERR_Packet of the protocol: 0xff, the number, `#`, the SQL state and a text. */
function toErrorPacket({ number, sqlState }: ServerError, sequence: number): Buffer {
  const text = Buffer.from(`#${sqlState}This is what the server says`)
  const packet = Buffer.alloc(7 + text.length)
  packet.writeUIntLE(3 + text.length, 0, 3)
  packet.writeUInt8(sequence, 3)
  packet.writeUInt8(0xff, 4)
  packet.writeUInt16LE(number, 5)
  text.copy(packet, 7)
  return packet
}
