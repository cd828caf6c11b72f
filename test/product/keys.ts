import { createHash } from 'node:crypto'

/** One key for each case that an API key can be in. They open nothing but throwaway databases. */
export const keys = {
  both: 'evk_6Tx6r47lhsip1n3AEA210r2SFLXOnv5KxkFczvmeWBm0bQUrH',
  registrations: 'evk_sd6tuTbjL2uzgjAVnQcfVqUpVAuk5F6CpGEVYFjEMTS2PWxZO',
  invoices: 'evk_KOIZAZQsBQa6UxQfuhPYOQQGrsf2ZrTKaq9PGzVaUCc3esl6H',
  expired: 'evk_GZ6tvTnV3Wd08eWylH3s7ZWtiGOm8h8ElxnjS5MuEx61AUDwZ',
  revoked: 'evk_pVaA3WUoTdGAJfo2K3Zns24zPfOwi5CLW2HWwvH8bMV0UptJZ',
  other: 'evk_lrJbOhvaiPNHbItVnTvJgyTcexrMOX1NjBjAORAVuIQ0ryP5D',
  empty: 'evk_guIKBpNB0Pq2JrHHz37LCA5Ho7Osvewwl9QNIPPIB5f3nVJut',
} as const

/** What each key may do, as both products store it in their own form. */
export interface KeySeed {
  readonly label: keyof typeof keys
  readonly hash: Buffer
  /** Index of the workspace. */
  readonly workspace: number
  readonly scopes: readonly string[]
  readonly expired: boolean
  readonly revoked: boolean
}

const everything = ['registration.read', 'invoices.read']

/** The rows of the key table. */
export const keySeeds: readonly KeySeed[] = [
  seed('both', 0, everything),
  seed('registrations', 0, ['registration.read']),
  seed('invoices', 0, ['invoices.read']),
  { ...seed('expired', 0, everything), expired: true },
  { ...seed('revoked', 0, everything), revoked: true },
  seed('other', 1, everything),
  seed('empty', 2, everything),
]

function seed(label: keyof typeof keys, workspace: number, scopes: readonly string[]): KeySeed {
  const hash = createHash('sha256').update(keys[label]).digest()
  return { label, hash, workspace, scopes, expired: false, revoked: false }
}
