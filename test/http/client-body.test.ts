import { fork } from 'node:child_process'
import { once } from 'node:events'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { json, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

const mebibyte = 1 << 20
const gzipped = gzipSync(Buffer.alloc(8 * mebibyte))
const brotliFast = { [constants.BROTLI_PARAM_QUALITY]: 1 }

/** Sends blanks within a JSON text until the client disconnects, or this many bytes are sent. */
function sendEndless(
  status: number,
  bytesMax: number,
): { readonly script: Script; readonly sent: () => number } {
  let sent = 0
  const blanks = Buffer.alloc(64 * 1024, ' ')
  const script: Script = (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    const send = (): void => {
      while (sent < bytesMax && !response.destroyed) {
        sent += blanks.length
        if (!response.write(blanks)) {
          response.once('drain', send)
          return
        }
      }
      if (!response.destroyed) response.end('[]')
    }
    send()
  }
  return { script, sent: () => sent }
}

describe('a response that is too large is aborted', () => {
  test.each([
    [200, { code: 'unexpected_answer', status: 200 }],
    [400, { code: 'unexpected_answer', status: 400 }],
    [503, { code: 'unexpected_answer', status: 503, isTransient: true }],
  ])('while it is still being sent, with status %i', async (status, expected) => {
    const { script, sent } = sendEndless(status, 256 * mebibyte)
    const { url, requests } = await startScript(script)
    const client = createClient({ url, key: 'k', retries: 0 })
    const error = await client.registrations.get('a').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject(expected)
    expect(String(error)).toContain('16 MiB')
    // The part that the client read, and the buffers of both sockets.
    expect(sent()).toBeLessThan(64 * mebibyte)
    expect(requests).toHaveLength(1)
  })

  test.each([
    // Members of a gzip file follow each other, which is faster to make than one of 1 GiB.
    ['gzip', () => Buffer.concat(Array.from({ length: 128 }, () => gzipped))],
    ['br', () => brotliCompressSync(Buffer.alloc(512 * mebibyte), { params: brotliFast })],
  ] as const)('also if it is small when compressed (%s)', async (encoding, createBomb) => {
    const body = createBomb()
    expect(body.length).toBeLessThan(mebibyte)
    const { url } = await startScript((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
      response.end(body)
    })
    // A process of its own, so that its largest size is that of this request.
    const code = `import('${process.cwd()}/dist/client/index.js')
      .then(({ createClient }) => createClient({ url: '${url}', key: 'k', retries: 0 }).registrations.get('a'))
      .catch(({ code }) => process.send([code, process.resourceUsage().maxRSS / 1024]))`
    const child = fork('-e', [code], { execArgv: [], silent: true })
    const [[errorCode, maxMebibytes]] = (await once(child, 'message')) as [[string, number]]
    expect(errorCode).toBe('unexpected_answer')
    expect(maxMebibytes).toBeLessThan(300)
  })
})

describe('a response below the limit is read', () => {
  test('with characters that are split between chunks', async () => {
    const name = '€😀'.repeat(2 * mebibyte)
    const { url } = await startScript(json({ id: 'a', name }))
    expect(await createClient({ url, key: 'k' }).registrations.get('a')).toEqual({ id: 'a', name })
  })

  test('without its byte order mark', async () => {
    const { url } = await startScript((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('\uFEFF{"id":"a"}')
    })
    expect(await createClient({ url, key: 'k' }).registrations.get('a')).toEqual({ id: 'a' })
  })

  test('from a fetch without streams, with the same limit', async () => {
    const answer = (text: string) => {
      const response = new Response(text, { headers: { 'content-type': 'application/json' } })
      return Promise.resolve(Object.defineProperty(response, 'body', { value: undefined }))
    }
    const get = (text: string) =>
      createClient({ url: 'http://a.test', key: 'k', fetch: () => answer(text) }).registrations.get('a')
    expect(await get('{"id":"a"}')).toEqual({ id: 'a' })
    await expect(get(' '.repeat(16 * mebibyte + 1))).rejects.toMatchObject({ code: 'unexpected_answer' })
  })
})
