import { toYardstickPath } from './contenders.js'
import type { Load, Target } from './loads.js'
import { pickAny } from './loads.js'

/** How many requests of each load are looked at before its speed is. */
const sampleSize = 10

/**
 * Looks at some answers of each load: the status is the one that is wanted, a page is full, and the yardstick's
 * rows are those of Vitrine's records and one more.
 *
 * @throws Error at the first that is not so.
 */
export async function checkAnswers(
  loads: readonly Load[],
  origins: { readonly vitrine: string; readonly fastify: string },
): Promise<void> {
  for (const load of loads)
    for (const target of pickAny(load.targets, sampleSize)) {
      const answer = await askVitrine(origins.vitrine, target)
      const text = await answer.text()
      if (answer.status !== load.status) throw new Error(`${load.slug}: ${answer.status} ${text}`)
      if (load.status === 200) {
        const ids = listIds(JSON.parse(text))
        const path = toYardstickPath(load.slug)(target)
        const raw = (await (await fetch(`${origins.fastify}${path}`)).json()) as { id: string }[]
        const shown = raw.slice(0, ids.length).map((row) => row.id)
        if (ids.length === 0 || raw.length !== load.rows || String(shown) !== String(ids))
          throw new Error(`${load.slug}: ${ids.length} records beside ${raw.length} rows at ${target.path}`)
        if (Math.max(1, load.rows - 1) !== ids.length) throw new Error(`${load.slug}: a page is not full`)
      }
    }
}

/** Asks Vitrine as its generator will. */
export async function askVitrine(origin: string, target: Target): Promise<Response> {
  return fetch(`${origin}${target.path}`, {
    headers: {
      authorization: `Bearer ${target.key}`,
      ...(target.ifNoneMatch === undefined ? {} : { 'if-none-match': target.ifNoneMatch }),
    },
  })
}

function listIds(body: unknown): readonly string[] {
  const { data, id } = body as { data?: { id: string }[]; id?: string }
  return data === undefined ? [id ?? ''] : data.map((record) => record.id)
}
