import { VitrineError } from './errors.js'

/** What an update would remove, as the cause of `too_many_removals`. */
export interface Removals {
  /** Records of the store that were compared. */
  readonly held: number
  /** Those that the service does not have. */
  readonly removed: number
}

/** Whether removals need a permission: with a wrong key, filter or URL, few or no records are returned. */
export function needsPermission(held: number, removed: number): boolean {
  return removed > 100 && removed > held / 2
}

/** @throws VitrineError for removals that need a permission */
export function requirePermission(removals: Removals, allowRemovals: boolean | undefined): void {
  const { held, removed } = removals
  if (!allowRemovals && needsPermission(held, removed))
    throw new VitrineError(
      'too_many_removals',
      `The mirror would lose ${String(removed)} of ${String(held)} records. allowRemovals permits it.`,
      { cause: removals },
    )
}
