import { createServer } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { AddressInfo, Socket } from 'node:net'
import { afterFile } from './after-file.js'

const scramble = Buffer.from('a'.repeat(20))

/**
 * A server that answers in the place of a MySQL server, and tries to get passwords.
 *
 * @param plugin the way to log in that it asks for.
 * @param tls PEM texts; without them it offers no TLS.
 * @returns its port, and what callers sent as their passwords
 */
export async function startImpostor(plugin: string, tls?: { readonly cert: string; readonly key: string }) {
  const passwords: string[] = []
  const first = tls === undefined ? 1 : 2
  const answer = (packet: Buffer, sequence: number): Buffer => {
    if (sequence === first)
      return Buffer.concat([Buffer.from(`\xfe${plugin}\0`, 'latin1'), scramble, Buffer.of(0)])
    passwords.push(packet.toString().slice(0, -1))
    return Buffer.from('\xff\x15\x04#28000Access denied', 'latin1')
  }
  const server = createServer((socket) => {
    send(socket, 0, tls === undefined ? greeting : withTls(greeting))
    socket.on('error', () => undefined)
    const serve = (data: Buffer): void => {
      const sequence = data[3]!
      // The head of a login, after which the client begins TLS.
      if (tls !== undefined && sequence === 1) {
        socket.removeAllListeners('data').pause()
        // What follows it in the same chunk is the begin of TLS already.
        if (data.length > 36) socket.unshift(data.subarray(36))
        const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) })
        secure
          .on('error', () => undefined)
          .on('data', (inner: Buffer) => {
            send(secure, inner[3]! + 1, answer(inner.subarray(4), inner[3]!))
          })
      } else send(socket, sequence + 1, answer(data.subarray(4), sequence))
    }
    socket.on('data', serve)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, passwords }
}

/** Protocol 10, with CLIENT_PROTOCOL_41, CLIENT_SECURE_CONNECTION and CLIENT_PLUGIN_AUTH. */
const greeting = Buffer.concat([
  Buffer.from('\n9.7.0\0', 'latin1'),
  Buffer.of(1, 0, 0, 0),
  scramble.subarray(0, 8),
  Buffer.of(0, 0x08, 0x82, 45, 2, 0, 0x08, 0, 21),
  Buffer.alloc(10),
  scramble.subarray(8),
  Buffer.from('\0mysql_native_password\0'),
])

/** With CLIENT_SSL. */
function withTls(plain: Buffer): Buffer {
  const copy = Buffer.from(plain)
  const flags = '\n9.7.0\0'.length + 4 + 8 + 1
  copy.writeUInt16LE(copy.readUInt16LE(flags) | 0x0800, flags)
  return copy
}

function send(socket: Socket, sequence: number, payload: Buffer): void {
  const head = Buffer.alloc(4)
  head.writeUIntLE(payload.length, 0, 3)
  head[3] = sequence
  socket.write(Buffer.concat([head, payload]))
}
