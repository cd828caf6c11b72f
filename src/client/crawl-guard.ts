import { VitrineError } from './errors.js'

/** Pages hold no record where none of their rows can be shown; 100,000 such rows in a row are no data. */
const emptyPagesMax = 1000

/** Checks each page of a crawl before it is used. @throws VitrineError where the crawl would never end */
export type CrawlGuard = (page: { readonly data: readonly unknown[]; readonly cursor: string | null }) => void

/**
 * Creates the guard of one crawl. It finds cursors that repeat by Brent's algorithm, which compares each cursor with one
 * earlier cursor that it replaces at growing distances: memory stays constant, however long the crawl is.
 *
 * @param start the cursor that the crawl begins with.
 */
export function createCrawlGuard(start: string | null): CrawlGuard {
  let previous = start
  let checkpoint = start
  let pagesSinceCheckpoint = 0
  let checkpointDistance = 1
  let emptyPages = 0
  return ({ data, cursor }) => {
    if (cursor === null) return
    if (cursor === previous || cursor === checkpoint)
      throw new VitrineError('unexpected_answer', 'The crawl would never end: this cursor came before.')
    emptyPages = data.length === 0 ? emptyPages + 1 : 0
    if (emptyPages === emptyPagesMax) throw new VitrineError('unexpected_answer', renderEmpty())
    previous = cursor
    pagesSinceCheckpoint += 1
    if (pagesSinceCheckpoint < checkpointDistance) return
    checkpoint = cursor
    pagesSinceCheckpoint = 0
    checkpointDistance *= 2
  }
}

function renderEmpty(): string {
  return `The crawl was stopped: ${String(emptyPagesMax)} pages in a row hold no record, and each says that more follow.`
}
