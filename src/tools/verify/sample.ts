import { readUpdatedAt, toPlace } from './answer.js'
import type { Call, Json, KeyName, Page } from './answer.js'
import type { Check, Collection, Crawl, Run, Sample } from './run.js'

interface CrawlInput extends Pick<Call, 'path' | 'from'> {
  readonly query?: Exclude<Call['query'], string>
  /** Sizes of the pages, one after the other; the last one again and again. */
  readonly limits: readonly number[]
  readonly pagesMax?: number
}

/** So many pages without a record count for no limit: rows that cannot be shown stand there. */
const emptyMax = 20

/** Follows the cursor from the first page on. @param input without `pagesMax`, a page for each of the limits */
export async function crawl(run: Run, input: CrawlInput): Promise<Crawl> {
  const { query = {}, limits, pagesMax = limits.length, ...call } = input
  const pages: Page[] = []
  let [parameters, empty, isComplete] = [query, 0, false]
  while (!isComplete && pages.length - Math.min(empty, emptyMax) < pagesMax) {
    const limit = limits[Math.min(pages.length, limits.length - 1)] ?? 25
    const page = await run.askPage({ ...call, query: { ...parameters, limit } })
    if (page.nextUpdatedSince === '') break
    pages.push(page)
    if (page.records.length === 0) empty += 1
    isComplete = page.cursor === null
    parameters = { cursor: page.cursor ?? '' }
  }
  return { pages, records: pages.flatMap(({ records }) => records), isComplete }
}

/** Where the sample of a collection is kept. */
export const toSampleKey = (name: string, from: KeyName = 'key'): string => `${from} ${name}`

/** Reads the sample of a collection that a key can read, once for all guarantees. */
export async function readSample(
  run: Run,
  { name, path }: Collection,
  from: KeyName = 'key',
): Promise<Sample | undefined> {
  const { samples, maxRequests } = run.session
  const key = toSampleKey(name, from)
  if (samples.has(key)) return samples.get(key)
  const crawled = await crawl(run, { path, from, limits: [100], pagesMax: toPagesMax(maxRequests) })
  const [first] = crawled.pages
  const settledBefore = first?.nextUpdatedSince ?? ''
  const settled = crawled.records.filter((record) => readUpdatedAt(record) < settledBefore)
  const sample = first && { ...crawled, path, first, settled, end: toEnd(crawled, settledBefore) }
  // The next guarantee reads it where this one got no answer.
  if (!run.isStopped) samples.set(key, sample)
  return sample
}

/** Five pages in a run of 600 requests, and one more for every ten requests beyond. */
function toPagesMax(maxRequests: number): number {
  const few = Math.min(5, Math.max(1, Math.floor(maxRequests / 60)))
  return Math.max(few, Math.floor((maxRequests - 550) / 10))
}

/** Before this instant a crawl has every record: more records of its last instant can follow. */
function toEnd({ records, isComplete }: Crawl, most: string): string {
  const last = readUpdatedAt(records.at(-1))
  return isComplete || most < last ? most : last
}

/** Expects the records of the sample that are meant, and no others, in their order, up to where both were read. */
export function expectSettled(
  run: Run,
  sample: Sample,
  list: Crawl,
  expected: string,
  isMeant: (record: Json) => boolean = () => true,
): void {
  const end = toEnd(list, sample.end)
  const [all = [], got = []] = [sample, list].map(({ records }) =>
    records.filter((record) => readUpdatedAt(record) < end && isMeant(record)).map(toPlace),
  )
  const at = [...(all.length < got.length ? got : all)].findIndex((_, index) => all[index] !== got[index])
  const show = (place: string | undefined): string => `${place ?? 'no record'} at position ${at + 1}`
  const { exchange } = list.pages[0] ?? sample.first
  run.expect(exchange, [at === -1, show(got[at]), `${show(all[at])}: ${expected}`])
}

const attemptsMax = 3

/** Verifies something for one collection. The result says what the collection lacks for it, such as a second record. */
export type SampleCheck = (run: Run, sample: Sample) => Promise<string | undefined> | Promise<void>

/** Verifies something for each collection that the key can read; what one lacks is a reason, and the next one counts. */
export function forEachSample(check: SampleCheck): Check {
  return async (run) => {
    for (const collection of run.readable) await verifySample(run, collection, check)
    if (run.readable.length === 0) run.skip('no list can be read')
  }
}

/** A record that changed meanwhile explains a finding too: it counts if the sample stays the same. */
async function verifySample(run: Run, collection: Collection, check: SampleCheck): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const sample = await readSample(run, collection)
    const { length: before } = run.findings
    const lacking = sample === undefined ? 'the list cannot be read' : await check(run, sample)
    if (typeof lacking === 'string') run.skip(`${collection.name}: ${lacking}`)
    if (run.findings.length === before || run.isStopped) return
    run.session.samples.delete(toSampleKey(collection.name))
    const again = await readSample(run, collection)
    if (JSON.stringify(again?.settled) === JSON.stringify(sample?.settled)) return
    run.keepFindings(before)
  }
  run.skip(`${collection.name}: its records changed in each of ${attemptsMax} attempts`)
}
