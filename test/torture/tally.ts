/** What happened in a run: nothing yet. */
export const createTally = () => ({
  rounds: 0,
  /** Rows that writers wrote and committed. */
  writes: 0,
  commits: 0,
  rollbacks: 0,
  /** Commits with a stamp from before a crawl that had begun by then: what the overlap is for. */
  lateCommits: 0,
  /** Commits that a slow machine made later than the overlap, so that their rows were written once more. */
  tooLate: 0,
  /** Rows that were given exactly the time of another one. */
  ties: 0,
  archived: 0,
  restarts: 0,
  cuts: 0,
  pages: 0,
  crawls: 0,
  seen: 0,
  /** Records that came although the reader had them just so. */
  seenTwice: 0,
})
export type Tally = ReturnType<typeof createTally>

/** Adds one run to another. */
export function addTally(sum: Tally, other: Tally): void {
  for (const name of Object.keys(sum) as (keyof Tally)[]) sum[name] += other[name]
}

/** One line for people. */
export function toTallyText(tally: Tally, lost: number): string {
  const parts = [
    `${tally.rounds} rounds`,
    `${tally.writes} rows written in ${tally.commits} commits (${tally.lateCommits} late, ${tally.tooLate} too late and written again)`,
    `${tally.rollbacks} rolled back`,
    `${tally.ties} ties`,
    `${tally.archived} archived`,
    `${tally.restarts} restarts`,
    `${tally.cuts} cuts`,
    `${tally.pages} pages in ${tally.crawls} crawls`,
    `${tally.seen} records seen, ${tally.seenTwice} of them twice`,
    `${lost} lost`,
  ]
  return parts.join(', ')
}
