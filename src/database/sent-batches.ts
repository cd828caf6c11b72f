import { ShortLivedMap } from '../values/short-lived.js'
import type { Entry } from './entry.js'

/** How long a batch waits for the statement before it, in milliseconds: that one may wait for a lock. */
const batchDelayMaxMs = 20

/** The batches of which a statement was sent, so that the next one waits for it. */
export interface SentBatches {
  /** Whether the entry waits for another one of its batch. */
  readonly isSent: (entry: Entry) => boolean
  readonly noteSent: (entry: Entry) => void
  readonly noteEnd: (entry: Entry) => void
}

/** No batch was sent. @param onDelayed called when the next statement of a batch does not wait any longer. */
export function createSentBatches(onDelayed: () => void): SentBatches {
  const batches = new ShortLivedMap<string, { readonly entry: Entry; readonly delay: NodeJS.Timeout }>()
  const toKey = ({ members: [first] }: Entry): string | undefined => first?.statement.batch?.key
  return {
    isSent: (entry) => {
      const key = toKey(entry)
      return key !== undefined && batches.get(key) !== undefined
    },
    noteSent: (entry) => {
      const key = toKey(entry)
      if (key === undefined) return
      clearTimeout(batches.get(key)?.delay)
      const delay = setTimeout(() => {
        batches.delete(key)
        onDelayed()
      }, batchDelayMaxMs)
      batches.set(key, { entry, delay })
    },
    noteEnd: (entry) => {
      const key = toKey(entry)
      const sent = key === undefined ? undefined : batches.get(key)
      if (key === undefined || sent?.entry !== entry) return
      clearTimeout(sent.delay)
      batches.delete(key)
    },
  }
}
