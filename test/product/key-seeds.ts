import { createHash } from 'node:crypto'
import { keys } from './keys.js'

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
