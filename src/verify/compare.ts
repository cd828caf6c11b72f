import type { Caller } from './caller.js'
import type { Call } from './exchange.js'
import { askPage } from './pages.js'
import type { Page } from './pages.js'
import { confirm } from './run.js'
import type { Difference } from './verdict.js'

/**
 * Reads two lists that must have the same records: the first one, the other one, and the first one again. Only if the
 * first one stayed the same, the records did not change meanwhile.
 *
 * @returns undefined if they are equal, `unsteady` if the records changed each time.
 */
export function compareLists(
  caller: Caller,
  one: Call,
  other: Call,
  toDifference: (one: Page, other: Page) => Difference,
): Promise<Difference | 'unsteady' | undefined> {
  return confirm(async () => {
    const before = await askPage(caller, one)
    const between = await askPage(caller, other)
    if (isSame(before, between)) return undefined
    const after = await askPage(caller, one)
    return isSame(before, after) ? toDifference(before, between) : 'unsteady'
  })
}

/** Whether two pages have the same records. */
export function isSame(one: Page, other: Page): boolean {
  return JSON.stringify(one.records) === JSON.stringify(other.records)
}
