import { readFileSync } from 'node:fs'
import { Client } from 'undici'
import type { GeneratorOrder, Seen } from './generator.js'
import { obey } from './script.js'
import { toSlice } from './slice.js'

/*
 * Does what wrk does with load.lua, where there is no wrk; slower, because answers are parsed in JavaScript. A
 * process of its own, ordered about by messages.
 */

interface Request {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

async function run({ origin, file, connections, ms, encoding }: GeneratorOrder): Promise<Seen> {
  const requests = readRequests(file, encoding)
  const times: number[] = []
  let refused = 0
  let broken = 0
  let turn = Math.floor(Math.random() * requests.length)
  const start = performance.now()
  const ask = async (): Promise<void> => {
    const client = new Client(origin)
    while (performance.now() < start + ms) {
      turn = (turn + 1) % requests.length
      const began = performance.now()
      try {
        const { statusCode, body } = await client.request({ ...requests[turn]!, method: 'GET' })
        await body.dump()
        if (statusCode >= 400) refused += 1
      } catch {
        broken += 1
      }
      times.push(performance.now() - began)
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: connections }, ask))
  return { ...toSlice(times, performance.now() - start, 0), refused, broken }
}

function readRequests(file: string, encoding: string | undefined): readonly Request[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [path = '', key = '', etag = ''] = line.split('\t')
      const headers = {
        authorization: `Bearer ${key}`,
        ...(etag === '' ? {} : { 'if-none-match': etag }),
        ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
      }
      return { path, headers }
    })
}

obey(run)
