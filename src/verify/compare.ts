import type { Caller } from './caller.js'
import type { Call } from './exchange.js'
import { askPage, readId } from './pages.js'
import type { Page } from './pages.js'
import { confirm } from './run.js'
import type { Attempt } from './verdict.js'

/**
 * Reads two lists that must have the same records: the first one, the other one, and the first one again. Only if the
 * first one stayed the same, the records did not change meanwhile.
 */
export function compareLists(caller: Caller, one: Call, other: Call): Promise<Attempt> {
  return confirm(async () => {
    const before = await askPage(caller, one)
    const between = await askPage(caller, other)
    if (isSame(before, between)) return undefined
    if (!isSame(before, await askPage(caller, one))) return 'unsteady'
    const expected = `${renderRecords(before)}, as with ${before.exchange.url}`
    return { exchange: between.exchange, got: `other records: ${renderRecords(between)}`, expected }
  })
}

function renderRecords({ records }: Page): string {
  return `${records.length} from ${JSON.stringify(readId(records[0]))} on`
}

/** Whether two pages have the same records. */
export function isSame(one: Page, other: Page): boolean {
  return JSON.stringify(one.records) === JSON.stringify(other.records)
}
