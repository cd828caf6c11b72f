import type { CollectionName } from '../client/index.js'

/** What a copy is a copy of; one file never mixes two. */
export interface Target {
  readonly collection: CollectionName
  readonly url: string
  readonly eventId: string | null
  readonly status: string | null
}

/** A target in the words of a command line. */
export function renderTarget({ collection, url, eventId, status }: Target): string {
  const filters = [
    ...(eventId === null ? [] : [`--event-id ${eventId}`]),
    ...(status === null ? [] : [`--status ${status}`]),
  ]
  return [collection, `--url ${url}`, ...filters].join(' ')
}
