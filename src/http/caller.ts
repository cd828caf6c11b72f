import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../database/statement.js'
import { takeOut } from '../values/short-lived.js'

/** What happens when a connection is closed, for each of its requests that has no answer yet. */
const endings = new WeakMap<Socket, (() => void)[]>()

/** The answers that those of some requests become a part of. */
const wholeAnswers = new WeakMap<IncomingMessage, ServerResponse>()

/** Lets the answer of a request end with another one: a tool call of `/mcp` is answered with that of its request. */
export function makePart(raw: IncomingMessage, whole: ServerResponse): void {
  wholeAnswers.set(raw, whole)
}

/** Whether a request is sent for another one, which is counted in its place. */
export function isPart(raw: IncomingMessage): boolean {
  return wholeAnswers.has(raw)
}

/**
 * The caller of a request, until its answer was sent or the connection is closed. Node closes only the first of several
 * answers with the connection, so the connection is watched too, with one listener for all of its requests.
 */
export function createCaller({ raw }: FastifyRequest, reply: FastifyReply): Caller {
  const { socket } = raw
  const response = wholeAnswers.get(raw) ?? reply.raw
  const tasks: (() => void)[] = []
  const endingsOfSocket = findEndings(socket)
  let hasEnded = socket.destroyed
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    takeOut(endingsOfSocket, end)
    for (const task of tasks) task()
  }
  endingsOfSocket.push(end)
  response.once('close', end)
  return {
    hasEnded: () => hasEnded,
    onEnd: (task) => {
      tasks.push(task)
    },
    drop: () => {
      const { socket: sending } = response
      sending?.destroy()
      end()
    },
  }
}

function findEndings(socket: Socket): (() => void)[] {
  const known = endings.get(socket)
  if (known !== undefined) return known
  const added: (() => void)[] = []
  endings.set(socket, added)
  socket.once('close', () => {
    for (const end of [...added]) end()
  })
  return added
}
