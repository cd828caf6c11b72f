const removalsMax = 100

/** What a full sync would do to a copy. */
export interface Removals {
  /** Records that the copy holds. */
  readonly held: number
  /** Those that the sync did not see. */
  readonly removed: number
}

/** A full sync that would remove more of a copy than it may; the copy stays as it is. */
export class RemovalsError extends Error {
  override readonly name = 'RemovalsError'

  constructor({ held, removed }: Removals) {
    super(
      `the full sync would remove ${String(removed)} of the ${String(held)} records that the copy holds, ` +
        'so the copy was left as it is; if these records have really vanished, repeat it with --full --allow-removals',
    )
  }
}

/** Whether a full sync needs permission to remove: a wrong key, filter or server shows few records, or none. */
export function needsPermission({ held, removed }: Removals): boolean {
  return removed > removalsMax && removed > held / 2
}
