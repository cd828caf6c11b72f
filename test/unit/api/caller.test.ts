import { EventEmitter } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createCaller } from '../../../src/api/request-context.js'

/** A request on a connection, with its answer. */
function createRequest(socket = new Socket()) {
  const [raw, response] = [new IncomingMessage(socket), new EventEmitter()]
  const start = () => createCaller({ raw } as FastifyRequest, { raw: response } as unknown as FastifyReply)
  return { raw, response, socket, start }
}

test('a caller has ended when its answer was sent, or when its connection is closed', async () => {
  for (const end of ['response', 'socket'] as const) {
    const request = createRequest()
    const caller = request.start()
    const ended: string[] = []
    caller.onEnd(() => ended.push(end))
    expect(caller.hasEnded()).toBe(false)
    if (end === 'socket') request.socket.destroy()
    else Object.assign(request.response, { closed: true }).emit('close')
    await new Promise(setImmediate)
    expect([caller.hasEnded(), ended]).toEqual([true, [end]])
  }
})
