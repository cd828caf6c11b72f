import type { Ledger } from './ledger.js'
import type { Crawl, Reader } from './reader.js'

/** A record that a reader does not have as the table has it, though it was committed before the crawl began. */
export interface Loss {
  readonly reader: string
  readonly id: string
  readonly round: number
  readonly what: 'missing from the copy' | 'stale in the copy' | 'missing from the crawl'
}

/** The table as the administrator's connection reads it: versions by id. */
export type Visible = ReadonlyMap<string, string>

/**
 * What a crawl that has just ended lost. Every record that was last committed before it began must be in the
 * copy as the table has it; and in the crawl itself, where it changed since the crawl's `updatedSince`.
 */
export function findLosses(
  input: { readonly reader: Reader; readonly crawl: Crawl; readonly round: number },
  ledger: Ledger,
  visible: Visible,
): readonly Loss[] {
  const { reader, crawl, round } = input
  return [...ledger.rows].flatMap(({ id, touched }) => {
    const stored = visible.get(id)
    if (stored === undefined || touched >= crawl.begunRound) return []
    const what =
      compareCopy(reader.copy.get(id), stored) ??
      (isSince(stored, crawl.since) && crawl.seen.get(id) !== stored ? 'missing from the crawl' : undefined)
    return what === undefined ? [] : [{ reader: reader.name, id, round, what }]
  })
}

/** What a copy lacks of the table once nothing changes any more; what is archived no sync can tell. */
export function findFinalLosses(reader: Reader, round: number, visible: Visible): readonly Loss[] {
  return [...visible].flatMap(([id, stored]) => {
    const what = compareCopy(reader.copy.get(id), stored)
    return what === undefined ? [] : [{ reader: reader.name, id, round, what }]
  })
}

function compareCopy(copied: string | undefined, stored: string): Loss['what'] | undefined {
  if (copied === stored) return undefined
  return copied === undefined ? 'missing from the copy' : 'stale in the copy'
}

function isSince(stored: string, since: string | undefined): boolean {
  return since === undefined || stored >= since
}
