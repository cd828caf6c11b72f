import { once } from 'node:events'
import { listSettings } from './built.js'
import { keys } from './keys.js'
import { startVitrine } from './start-vitrine.js'
import { startThrowaway } from './throwaway.js'

/*
 * `npm run demo`: a throwaway product database, and Vitrine before it through the user who can only read. What
 * it started is removed when it ends, by whatever end.
 */

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
    const { readUrl, mappingFile } = await throwaway.createProduct('plain')
    const settings = await listSettings()
    const own = Object.entries(process.env).filter(([name]) => settings.includes(name))
    const env = { PORT: '8080', OPS_PORT: '9090', ...(Object.fromEntries(own) as Record<string, string>) }
    const vitrine = await startVitrine({ databaseUrl: readUrl, mapping: mappingFile, env })
    say(toBanner(vitrine.url, throwaway.origin))
    if (!stopped.signal.aborted) await once(stopped.signal, 'abort')
    await vitrine.stop()
    say('\nEverything the demo made is gone.')
  } finally {
    await throwaway.stop()
  }
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
