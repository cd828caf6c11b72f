import { toQuotedName } from '../database/sql.js'
import { findWord, isMark, isWord, splitAtCommas, tokenize } from './tokenize.js'
import type { Token } from './tokenize.js'

/** A privilege, and the columns that it is limited to; no columns means the whole object. */
export interface Privilege {
  /** In capitals, as the server writes it: `SELECT`, `CREATE VIEW`, `SYSTEM_VARIABLES_ADMIN`. */
  readonly name: string
  readonly columns: readonly string[]
}

/** The object of a grant: a table or view, a whole schema, everything, a routine, or an account for PROXY. */
export interface GrantObject {
  /** `PROCEDURE`, `FUNCTION` and so on; empty for tables, schemas and everything. */
  readonly type: string
  /** `*` for everything; for a schema this can be a pattern with `%` and `_`. */
  readonly database: string
  /** `*` for a whole schema. */
  readonly name: string
  /** As statements write it. */
  readonly text: string
}

/** A parsed line of SHOW GRANTS. */
export type Grant =
  | {
      readonly kind: 'privileges'
      readonly privileges: readonly Privilege[]
      readonly object: GrantObject
      readonly grantee: string
      /** WITH GRANT OPTION. */
      readonly grantable: boolean
    }
  | {
      readonly kind: 'roles'
      /** As statements write them. */
      readonly roles: readonly string[]
      readonly grantee: string
      /** WITH ADMIN OPTION. */
      readonly grantable: boolean
    }
  /** A default role or a partial revoke: it grants nothing. */
  | { readonly kind: 'nothing' }

/**
 * Parses a line of SHOW GRANTS of MySQL or MariaDB. What follows the grantee, such as the hash of the password that
 * MariaDB prints, is not kept.
 *
 * @returns undefined for a line that cannot be parsed, which must never count as harmless.
 * Source: MySQL manual, "SHOW GRANTS Statement"; MariaDB, "SHOW GRANTS".
 */
export function parseGrant(line: string): Grant | undefined {
  const tokens = tokenize(line, 'grants')
  const [first, second] = tokens
  if (isWord(first, 'REVOKE') || (isWord(first, 'SET') && isWord(second, 'DEFAULT')))
    return { kind: 'nothing' }
  const to = findWord(tokens, 'TO', 1)
  if (!isWord(first, 'GRANT') || to === -1) return undefined
  const grantee = toGrantee(tokens.slice(to + 1))
  const on = findWord(tokens.slice(0, to), 'ON', 1)
  if (on === -1) {
    const roles = splitAtCommas(tokens.slice(1, to)).map(toAccountText)
    return { kind: 'roles', roles, grantee, grantable: hasOption(tokens.slice(to), 'ADMIN') }
  }
  const privileges = splitAtCommas(tokens.slice(1, on)).map(toPrivilege)
  const place = tokens.slice(on + 1, to)
  const object = privileges.some(({ name }) => name === 'PROXY') ? toProxiedAccount(place) : toObject(place)
  if (object === undefined || privileges.some(({ name }) => name === '')) return undefined
  return {
    kind: 'privileges',
    privileges,
    object,
    grantee,
    grantable: hasOption(tokens.slice(to), 'GRANT'),
  }
}

/** `SELECT (a, b)` or `CREATE VIEW`. */
function toPrivilege(tokens: readonly Token[]): Privilege {
  const open = tokens.findIndex((token) => isMark(token, '('))
  if (open === -1) return { name: toWords(tokens), columns: [] }
  const columns = tokens.slice(open + 1).flatMap(({ kind, text }) => (kind === 'mark' ? [] : [text]))
  return { name: toWords(tokens.slice(0, open)), columns }
}

function toWords(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text.toUpperCase()).join(' ')
}

function toObject(place: readonly Token[]): GrantObject | undefined {
  const dot = place.findIndex((token) => isMark(token, '.'))
  const [database, name] = [place[dot - 1], place[dot + 1]]
  if (dot === -1 || database === undefined || name === undefined || place.length > dot + 2) return undefined
  const type = toWords(place.slice(0, dot - 1))
  const text = [database, name]
    .map((token) => (isMark(token, '*') ? '*' : toQuotedName(token.text)))
    .join('.')
  return { type, database: database.text, name: name.text, text: type === '' ? text : `${type} ${text}` }
}

function toProxiedAccount(place: readonly Token[]): GrantObject {
  const text = toAccountText(place)
  return { type: 'ACCOUNT', database: '', name: text, text }
}

/** An account or role as statements write it; the roles of MariaDB have no host. */
function toAccountText(tokens: readonly Token[]): string {
  return tokens.map(({ kind, text }) => (kind === 'mark' ? text : toQuotedName(text))).join('')
}

/** The first account after TO: a name, and its host where it has one. */
function toGrantee(tokens: readonly Token[]): string {
  if (isWord(tokens[0], 'PUBLIC')) return 'PUBLIC'
  return toAccountText(tokens.slice(0, isMark(tokens[1], '@') && tokens.length > 2 ? 3 : 1))
}

/** `WITH GRANT OPTION`; MariaDB can write limits of the account after it. */
function hasOption(tokens: readonly Token[], word: string): boolean {
  return tokens.some((token, at) => isWord(token, word) && isWord(tokens[at + 1], 'OPTION'))
}
