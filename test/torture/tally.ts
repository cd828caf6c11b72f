/** What happened in a run. */
export interface Tally {
  rounds: number
  /** Rows that writers wrote and committed. */
  writes: number
  commits: number
  rollbacks: number
  /** Commits with a stamp from before a crawl that had begun by then: what the overlap is for. */
  lateCommits: number
  /** Commits that a slow machine made later than the overlap, so that their rows were written once more. */
  tooLate: number
  /** Rows that were given exactly the time of another one. */
  ties: number
  archived: number
  restarts: number
  cuts: number
  pages: number
  crawls: number
  seen: number
  /** Records that came although the reader had them just so. */
  seenTwice: number
}

/** Nothing yet. */
export function createTally(): Tally {
  return {
    rounds: 0,
    writes: 0,
    commits: 0,
    rollbacks: 0,
    lateCommits: 0,
    tooLate: 0,
    ties: 0,
    archived: 0,
    restarts: 0,
    cuts: 0,
    pages: 0,
    crawls: 0,
    seen: 0,
    seenTwice: 0,
  }
}

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
