import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A network between a replica and its primary, over which the first events of the binary log come late. */
export interface SlowSource {
  readonly port: number
  readonly close: () => void
}

/** COM_BINLOG_DUMP and COM_BINLOG_DUMP_GTID, the fifth byte of the packet by which a replica asks for the log. */
const dumpCommands: readonly (number | undefined)[] = [0x12, 0x1e]
/** Less than the second between two health checks, which is how long a service waits for the truth. */
const lateMs = 700

/**
 * Starts it before the server at a port of this machine. Until the first event, a replica whose replication was just
 * started reports no lag, however old its data are.
 */
export async function startSlowSource(serverPort: number): Promise<SlowSource> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.on('data', (chunk) => {
      if (dumpCommands.includes(chunk[4])) {
        far.pause()
        void delay(lateMs).then(() => far.resume())
      }
      far.write(chunk)
    })
    far.on('data', (chunk) => near.write(chunk))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
