import { toQuotedName } from '../database/quote.js'

/** One privilege, and the columns it is narrowed to; no columns means the whole object. */
export interface Privilege {
  /** In capitals, as the server writes it: `SELECT`, `CREATE VIEW`, `SYSTEM_VARIABLES_ADMIN`. */
  readonly name: string
  readonly columns: readonly string[]
}

/** What a grant is on: a table or view, a whole schema, everything, a routine, or an account for PROXY. */
export interface GrantObject {
  /** `PROCEDURE`, `FUNCTION` and the like; empty for tables, schemas and everything. */
  readonly sort: string
  /** `*` for everything; for a schema this may be a pattern with `%` and `_`. */
  readonly database: string
  /** `*` for a whole schema. */
  readonly name: string
  /** As it stands in a statement. */
  readonly text: string
}

/** A line of SHOW GRANTS, read. */
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
      /** As they stand in a statement. */
      readonly roles: readonly string[]
      readonly grantee: string
      /** WITH ADMIN OPTION. */
      readonly grantable: boolean
    }
  /** A default role, or a partial revoke, which only takes away. */
  | { readonly kind: 'nothing' }

/**
 * A line of SHOW GRANTS of MySQL or MariaDB. What stands behind the grantee, such as the password's hash that
 * MariaDB prints, is not kept.
 *
 * @returns undefined for a line that is not understood, which must never be taken for a harmless one.
 * Source: MySQL manual, "SHOW GRANTS Statement"; MariaDB, "SHOW GRANTS".
 */
export function parseGrant(line: string): Grant | undefined {
  const tokens = tokenize(line)
  const [first, second] = tokens
  if (first === undefined) return undefined
  if (isWord(first, 'REVOKE') || (isWord(first, 'SET') && isWord(second, 'DEFAULT')))
    return { kind: 'nothing' }
  if (!isWord(first, 'GRANT')) return undefined
  const to = findWord(tokens, 'TO', 1)
  if (to === -1) return undefined
  const on = findWord(tokens.slice(0, to), 'ON', 1)
  return on === -1 ? toRoles(tokens, to) : toPrivileges(tokens, on, to)
}

interface Token {
  readonly kind: 'word' | 'name' | 'mark'
  readonly text: string
}

/** Names in any of the three quotes, bare words, and single marks. */
const tokenPattern = /`((?:[^`]|``)*)`|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|([\p{L}\p{N}_$]+)|(\S)/gu

function tokenize(line: string): readonly Token[] {
  return [...line.matchAll(tokenPattern)].map(([, back, single, double, word, mark]): Token => {
    if (word !== undefined) return { kind: 'word', text: word }
    if (mark !== undefined) return { kind: 'mark', text: mark }
    if (back !== undefined) return { kind: 'name', text: back.replaceAll('``', '`') }
    return {
      kind: 'name',
      text: single === undefined ? (double ?? '').replaceAll('""', '"') : single.replaceAll("''", "'"),
    }
  })
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word
}

function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.text === mark
}

function findWord(tokens: readonly Token[], word: string, from: number): number {
  return tokens.findIndex((token, at) => at >= from && isWord(token, word))
}

function toRoles(tokens: readonly Token[], to: number): Grant | undefined {
  const roles = splitAt(tokens.slice(1, to), ',').map(toAccountText)
  return {
    kind: 'roles',
    roles,
    grantee: toGrantee(tokens.slice(to + 1)),
    grantable: hasOption(tokens.slice(to), 'ADMIN'),
  }
}

function toPrivileges(tokens: readonly Token[], on: number, to: number): Grant | undefined {
  const privileges = splitPrivileges(tokens.slice(1, on))
  const place = tokens.slice(on + 1, to)
  const proxy = privileges.some(({ name }) => name === 'PROXY')
  const object = proxy ? toProxied(place) : toObject(place)
  if (object === undefined || privileges.some(({ name }) => name === '')) return undefined
  const grantee = toGrantee(tokens.slice(to + 1))
  return {
    kind: 'privileges',
    privileges,
    object,
    grantee,
    grantable: hasOption(tokens.slice(to), 'GRANT'),
  }
}

/** `SELECT (a, b), INSERT` in its parts: the commas within parentheses part columns, the others privileges. */
function splitPrivileges(tokens: readonly Token[]): readonly Privilege[] {
  const open = tokens.findIndex((token) => isMark(token, '('))
  const comma = tokens.findIndex((token) => isMark(token, ','))
  if (open === -1 || (comma !== -1 && comma < open)) {
    if (comma === -1) return [{ name: toWords(tokens), columns: [] }]
    return [
      { name: toWords(tokens.slice(0, comma)), columns: [] },
      ...splitPrivileges(tokens.slice(comma + 1)),
    ]
  }
  const close = tokens.findIndex((token) => isMark(token, ')'))
  const columns = tokens.slice(open + 1, close).flatMap(({ kind, text }) => (kind === 'mark' ? [] : [text]))
  const rest = tokens.slice(close + 2)
  return [
    { name: toWords(tokens.slice(0, open)), columns },
    ...(rest.length === 0 ? [] : splitPrivileges(rest)),
  ]
}

function toWords(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text.toUpperCase()).join(' ')
}

function toObject(place: readonly Token[]): GrantObject | undefined {
  const dot = place.findIndex((token) => isMark(token, '.'))
  const database = place[dot - 1]
  const name = place[dot + 1]
  if (dot === -1 || database === undefined || name === undefined || place.length > dot + 2) return undefined
  const sort = place
    .slice(0, dot - 1)
    .map(({ text }) => text.toUpperCase())
    .join(' ')
  const text = `${toPart(database)}.${toPart(name)}`
  return { sort, database: database.text, name: name.text, text: sort === '' ? text : `${sort} ${text}` }
}

function toPart(token: Token): string {
  return isMark(token, '*') ? '*' : toQuotedName(token.text)
}

function toProxied(place: readonly Token[]): GrantObject {
  const text = toAccountText(place)
  return { sort: 'ACCOUNT', database: '', name: text, text }
}

/** An account or role as a statement names it; MariaDB's roles have no host. */
function toAccountText(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.kind === 'mark' ? token.text : toQuotedName(token.text))).join('')
}

/** The first account behind TO: a name, and its host where it has one. */
function toGrantee(tokens: readonly Token[]): string {
  const [name, at, host] = tokens
  if (name === undefined) return ''
  if (isWord(name, 'PUBLIC')) return 'PUBLIC'
  return toAccountText(isMark(at, '@') && host !== undefined ? [name, at as Token, host] : [name])
}

function splitAt(tokens: readonly Token[], mark: string): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (isMark(token, mark)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

/** `WITH GRANT OPTION`; MariaDB may write limits of the account behind it. */
function hasOption(tokens: readonly Token[], word: string): boolean {
  return tokens.some((token, at) => isWord(token, word) && isWord(tokens[at + 1], 'OPTION'))
}
