import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { keys } from './keys.js'
import { inRepository } from './product.js'
import { startThrowaway } from './throwaway.js'
import type { ProductDatabase, Throwaway } from './throwaway.js'
import { keepChanging } from './live.js'

/*
 * `npm run demo`: a throwaway product database, and Vitrine before it through the user who can only read. What
 * it started is removed when it ends, by whatever end.
 */

const { values } = parseArgs({ options: { live: { type: 'boolean', default: false } } })
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped.abort()
  })
}

async function runDemo(): Promise<void> {
  say('Starting a throwaway database …')
  const throwaway = await startThrowaway()
  try {
    const database = await throwaway.createProduct('plain')
    await serveDemo(throwaway, database)
  } finally {
    await throwaway.stop()
  }
}

async function serveDemo(throwaway: Throwaway, database: ProductDatabase): Promise<void> {
  const server = startServer(database)
  if (server.pid !== undefined) throwaway.undo({ do: 'kill', pid: server.pid })
  const exited = once(server, 'exit')
  const origin = await Promise.race([readOrigin(server), once(stopped.signal, 'abort').then(() => undefined)])
  if (origin === undefined) return
  say(toBanner(origin, throwaway.origin))
  const live = values.live ? keepChanging(database, stopped.signal, say) : undefined
  await Promise.race([exited, once(stopped.signal, 'abort')])
  stopped.abort()
  server.kill('SIGTERM')
  await Promise.all([exited, live])
  say('\nEverything the demo made is gone.')
}

function startServer(database: ProductDatabase): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(inRepository('dist/cli.js')), 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PORT: '8080',
      OPS_PORT: '9090',
      ...process.env,
      DATABASE_URL: database.readUrl,
      MAPPING_FILE: database.mappingFile,
      // The banner waits for a line of this level.
      LOG_LEVEL: 'info',
    },
    // Its own group: a terminal's Ctrl-C reaches this process alone, which then ends it in order.
    detached: true,
  })
}

/** Waits for the log line that says where the API listens. @throws Error with the log, when it ends without this line. */
async function readOrigin(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    server.stdout?.on('data', (chunk: Buffer) => {
      text = `${text}${chunk.toString()}`.slice(-4096)
      const api = /"api":"([^"]+)"/.exec(text)?.[1]
      if (api !== undefined) resolve(api)
    })
    server.stdout?.on('end', () => {
      reject(new Error(`The server did not start. ${text}`))
    })
  })
}

function toBanner(origin: string, database: string): string {
  const api = `${origin}/api/public/v1`
  const curl = (path: string): string => `  curl -sS -H 'Authorization: Bearer ${keys.both}' '${api}${path}'`
  return `
Vitrine serves a made-up product out of ${database}, as a user who can only read.

${curl('/registrations?limit=3')}
${curl('/invoices?updatedSince=2026-01-06T00:00:00Z&status=PAID')}
${curl('/registrations?limit=1')} -i

Docs  ${origin}/docs        Problem types  ${origin}/docs/errors

Keys  both scopes          ${keys.both}
      registrations only   ${keys.registrations}
      invoices only        ${keys.invoices}
      other workspace      ${keys.other}
      empty workspace      ${keys.empty}
      expired              ${keys.expired}
      revoked              ${keys.revoked}

Ctrl-C ends it and removes everything.`
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

runDemo().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
