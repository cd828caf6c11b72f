import { createBulkhead } from '../../src/database/bulkhead.js'
import { createQueue } from '../../src/database/queue.js'
import type { Queue } from '../../src/database/queue.js'
import type { QueryContext } from '../../src/database/statement.js'

/** A queue before equal slots. */
export interface TestQueue extends Queue<true, QueryContext> {
  readonly active: () => number
}

/** A number of slots and a queue before them. */
export function createTestQueue(slotCount: number, limit: number, waitMs = 60_000): TestQueue {
  const active = createBulkhead(slotCount)
  const queue = createQueue<true, QueryContext>({
    slots: {
      take: (context) => {
        if (!active.hasRoom(context)) return undefined
        active.add(context)
        return true
      },
      giveBack: (_, context) => {
        active.remove(context)
      },
      isFull: () => !active.hasRoom(),
      countHeld: active.countOfWorkspace,
    },
    limit,
    waitMs,
  })
  return { ...queue, active: active.total }
}
