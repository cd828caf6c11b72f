import type { Row } from '../database/statement.js'
import { parseGrant } from './grant.js'
import type { Grant } from './grant.js'

/** The answer of SHOW GRANTS, read. */
export interface GrantLines {
  readonly grants: readonly Grant[]
  /** Lines that are not understood. */
  readonly unread: number
}

/** Every line that is understood, and how many are not. */
export function readLines(rows: readonly Row[]): GrantLines {
  const read = rows.map((row) => parseGrant(String(Object.values(row)[0])))
  const grants = read.filter((grant) => grant !== undefined)
  return { grants, unread: read.length - grants.length }
}
