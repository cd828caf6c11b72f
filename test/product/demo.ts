import { once } from 'node:events'
import { listSettings } from './built.js'
import { keys } from './keys.js'
import { startVitrine } from './start-vitrine.js'
import { startThrowaway } from './throwaway.js'
import type { ProductDatabase } from './throwaway.js'
import { toMessage } from './error-text.js'

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

/** The limits of a deployment, which `startVitrine` turns off. */
const defaults = {
  PORT: '8080',
  RATE_LIMIT_PER_MINUTE: '1200',
  REFUSED_KEYS_PER_MINUTE: '60',
}

async function runDemo(): Promise<void> {
  say('Starting a throwaway database …')
  const throwaway = await startThrowaway()
  try {
    const product = await throwaway.createProduct('plain')
    const { readUrl, mappingFile } = product
    const settings = await listSettings()
    const own = Object.entries(process.env).filter(([name]) => settings.includes(name))
    const env = { ...defaults, ...(Object.fromEntries(own) as Record<string, string>) }
    const vitrine = await startVitrine({ databaseUrl: readUrl, mapping: mappingFile, env })
    say(toBanner(vitrine.url, throwaway.origin))
    // Keeps the demo alive until it is stopped.
    const changes = changeRecords(product, Number(process.env['DEMO_CHANGE_MS'] ?? 30_000))
    if (!stopped.signal.aborted) await once(stopped.signal, 'abort')
    clearInterval(changes)
    await vitrine.stop()
    say('\nEverything the demo made is gone.')
  } finally {
    await throwaway.stop()
  }
}

/** What a sync finds: the oldest registration of the workspace is checked in or out, and each fourth time archived. */
function changeRecords({ query, product }: ProductDatabase, everyMs: number): NodeJS.Timeout {
  let count = 0
  return setInterval(() => {
    count += 1
    const change = count % 4 === 0 ? 'archived_at' : 'checked_in_at'
    const sql = `UPDATE event_registrations SET ${change} = IF(${change} IS NULL, utc_timestamp(3), NULL), updated_at = utc_timestamp(3)
      WHERE workspace_id = ? AND archived_at IS NULL ORDER BY updated_at, id LIMIT 1`
    // At the end the database is removed meanwhile.
    query(sql, [product.workspaceId(0)]).catch(() => undefined)
  }, everyMs)
}

function toBanner(origin: string, database: string): string {
  const curl = (path: string): string =>
    `  curl -sS -H "Authorization: Bearer $VITRINE_KEY" "$VITRINE_URL/api/public/v1${path}"`
  return `
Vitrine serves a made-up product out of ${database}, as a user who can only read.

  export VITRINE_URL=${origin} VITRINE_KEY=${keys.both}
${curl('/registrations?limit=3')}
${curl('/invoices?updatedSince=2026-01-06T00:00:00Z&status=PAID')}
${curl('/registrations?limit=1')} -i

Twice a minute a registration changes; each fourth time one is archived instead.

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
  process.stderr.write(`${toMessage(error)}\n`)
  process.exitCode = 1
})
