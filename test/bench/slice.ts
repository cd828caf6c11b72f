/** What was seen in one turn of one contender. */
export interface Slice {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers that were not what they had to be. */
  readonly failures: number
}

/** What the floor is told to do. */
export interface SliceOrder {
  readonly slug: string
  readonly connections: number
  readonly ms: number
}

/** The statements behind the targets of each load, by its slug. */
export type FloorStatements = Readonly<
  Record<string, { readonly sql: string; readonly rows: number; readonly values: readonly unknown[][] }>
>

/** A turn whose every request was timed, in milliseconds. */
export function toSlice(times: readonly number[], ms: number, failures: number): Slice {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  return { requests: times.length, seconds: ms / 1000, p50Ms: at(0.5), p99Ms: at(0.99), failures }
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = (sorted.length - 1) / 2
  return (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2
}
