import type { Socket } from 'node:net'

/* The packets of the protocol, and what a proxy can do with those of an answer. */

/** What becomes of the packets of an answer, each with its head. */
export type Edit = (packets: readonly Buffer[]) => readonly Buffer[] | Promise<readonly Buffer[]>

/** What a proxy does with statements and their answers. */
export type Interception =
  /** Changes the packets of the answer to each statement that runs. */
  | { readonly do: 'edit'; readonly edit: Edit }
  /** Runs a statement of its own before each prepared one, as a proxy does that shares sessions. */
  | { readonly do: 'inject'; readonly first: string }

/** COM_QUERY and COM_STMT_EXECUTE, the fifth byte of a packet that runs a statement. */
export const commands = { query: 0x03, execute: 0x17 } as const

/** Intercepts the packets of one connection; each function returns whether it has taken them. */
export function createInterceptor(near: Socket, far: Socket) {
  let command: number | undefined
  let hasAttributes = false
  let held: Buffer | undefined
  let answered = Buffer.alloc(0)
  return {
    takeRequest: (chunk: Buffer, mode: { readonly do: string } | Interception): boolean => {
      // The first packet of a statement has the number 0.
      if (chunk[3] === 0) command = chunk[4]
      if (command === commands.query) hasAttributes = chunk[5] === 0
      if (!('first' in mode) || command !== commands.execute) return false
      held = chunk
      far.write(toPacket(Buffer.from(`\x03${hasAttributes ? '\0\x01' : ''}${mode.first}`), 0))
      return true
    },
    takeAnswer: (chunk: Buffer, mode: { readonly do: string } | Interception): boolean => {
      if (held !== undefined) {
        far.write(held)
        held = undefined
        return true
      }
      if (!('edit' in mode) || (command !== commands.query && command !== commands.execute)) return false
      answered = Buffer.concat([answered, chunk])
      const packets = splitPackets(answered)
      if (!isWhole(packets)) return true
      answered = Buffer.alloc(0)
      void Promise.resolve(mode.edit(packets)).then((edited) => near.write(Buffer.concat(edited)))
      return true
    },
  }
}

/** The whole packets that bytes begin with. */
function splitPackets(bytes: Buffer): readonly Buffer[] {
  const packets: Buffer[] = []
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUIntLE(at, 3)
    if (end > bytes.length) break
    packets.push(bytes.subarray(at, end))
    at = end
  }
  return packets
}

/** Whether packets are a whole answer to a statement: OK or ERR, or definitions and rows, each with an EOF behind them. */
function isWhole(packets: readonly Buffer[]): boolean {
  const [first] = packets
  if (first === undefined) return false
  return first[4] === 0 || first[4] === 0xff || packets.filter(isEof).length === 2
}

/** Whether a packet is an EOF_Packet. */
export function isEof(packet: Buffer): boolean {
  return packet[4] === 0xfe && packet.length < 13
}

/** A packet with its head. */
export function toPacket(payload: Buffer, sequence: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntLE(payload.length, 0, 3)
  head[3] = sequence
  return Buffer.concat([head, payload])
}
