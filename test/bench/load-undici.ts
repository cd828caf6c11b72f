import { readFileSync } from 'node:fs'
import { Client } from 'undici'
import { toSlice } from './slice.js'

/*
 * Does what wrk does with load.lua, where there is no wrk; slower, because answers are parsed in JavaScript.
 * `node load-undici.js ORIGIN CONNECTIONS MS FILE`.
 */

const [origin, connections, ms, file] = process.argv.slice(2) as [string, string, string, string]
const requests = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [path, key, etag] = line.split('\t') as [string, string, string]
    const headers = { authorization: `Bearer ${key}`, ...(etag === '' ? {} : { 'if-none-match': etag }) }
    return { path, headers }
  })
const times: number[] = []
let refused = 0
let broken = 0
let turn = Math.floor(Math.random() * requests.length)
const start = performance.now()

async function ask(): Promise<void> {
  const client = new Client(origin)
  while (performance.now() < start + Number(ms)) {
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

await Promise.all(Array.from({ length: Number(connections) }, ask))
const slice = toSlice(times, performance.now() - start, 0)
process.stdout.write(`JSON ${JSON.stringify({ ...slice, refused, broken })}\n`)
