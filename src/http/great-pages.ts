import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** The turn of a list of a workspace. */
export interface PageTurn {
  /** Whether the lists of the workspace run one at a time, because its last pages were great. */
  readonly isGreat: boolean
  /** Ends the turn. @param length the bytes of the page; 0 if there is none. */
  readonly end: (length: number) => void
}

/** From this length, in bytes, a page is great; one with 100 ordinary records has a thirtieth of it. */
const greatLength = 1_048_576
/** The most workspaces whose pages are known as great. */
const workspacesMax = 1000

/**
 * Lets the lists of a workspace whose pages have megabytes run one at a time, so that what they hold in memory, and the
 * time that they take from other workspaces, is bounded. All other lists run at once.
 */
export function createGreatPages(): (workspaceId: string) => Promise<PageTurn> {
  /** The end of the last turn of each workspace with great pages. */
  const lastEnds = new LRUCache<string, Promise<void>>({ max: workspacesMax })
  return async (workspaceId) => {
    const before = lastEnds.get(workspaceId)
    if (before === undefined)
      return {
        isGreat: false,
        end: (length) => {
          if (length >= greatLength && !lastEnds.has(workspaceId))
            lastEnds.set(workspaceId, Promise.resolve())
        },
      }
    const { promise, resolve } = createSignal()
    lastEnds.set(workspaceId, promise)
    await before
    return {
      isGreat: true,
      end: (length) => {
        if (length < greatLength && lastEnds.get(workspaceId) === promise) lastEnds.delete(workspaceId)
        resolve()
      },
    }
  }
}

/** `Promise.withResolvers`, which Node 20 has not. */
function createSignal(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Characters of JSON that are made before other requests have a turn. */
const sliceLength = 262_144

/** The JSON of the records of a page, with commas between. A great one, made at once, would delay every other request. */
export async function joinRecords(
  records: readonly object[],
  toJson: (record: object) => string,
  isGreat: boolean,
): Promise<string> {
  let text = ''
  let sliceStart = 0
  for (const record of records) {
    text += text === '' ? toJson(record) : `,${toJson(record)}`
    if (!isGreat || text.length - sliceStart < sliceLength) continue
    await setImmediate()
    sliceStart = text.length
  }
  return text
}
