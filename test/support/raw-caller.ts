import { once } from 'node:events'
import { connect } from 'node:net'
import { parseAnswers } from './raw-answers.js'
import type { RawAnswer } from './raw-answers.js'

/** A caller that sends whatever bytes it likes. */
export type RawCaller = Awaited<ReturnType<typeof dial>>

/** Connects to a port of this machine; bytes are the characters of a text, 0 to 255. */
export async function dial(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false })
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    socket.emit('more')
  })
  // A service that refuses may cut it off: what came before is what counts.
  socket.on('error', () => socket.destroy())
  /** @throws Error when that is not HTTP. */
  const answers = (): readonly RawAnswer[] => parseAnswers(text).answers
  const closed = new Promise<readonly RawAnswer[]>((resolve, reject) => {
    socket.once('close', () => {
      socket.emit('more')
      try {
        resolve(answers())
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
  })
  closed.catch(() => undefined)
  await once(socket, 'connect')
  return {
    socket,
    send: (bytes: string): void => {
      socket.write(Buffer.from(bytes, 'latin1'))
    },
    /** What has come so far, one character for each byte. */
    text: () => text,
    /** Resolves when as many answers have come, or the connection is at its end. */
    waitFor: async (count: number): Promise<readonly RawAnswer[]> => {
      while (answers().length < count && !socket.destroyed) await once(socket, 'more')
      return answers()
    },
    /** Resolves when the service has closed, with everything that came before. */
    closed,
  }
}
