import type { Row } from '../database/statement.js'
import type { ObjectName } from './mapped-tables.js'

/** One privilege on one object, or on one column of it, as a line of SHOW GRANTS gives it. */
export interface Held {
  /** As the line names it: the account, PUBLIC, or a role. */
  readonly grantee: string
  /** The role of the account that gives it; undefined where the account has it by itself. */
  readonly role: string | undefined
  /** As the line names it: `*.*`, a schema, a table, a routine with its type, or an account for PROXY. */
  readonly object: string
  /** In capitals: `SELECT`, `CREATE VIEW`; `GRANT OPTION` where the line ends with it. */
  readonly privilege: string
  /** Undefined for the whole object. */
  readonly column: string | undefined
}

/** What lines of SHOW GRANTS say. */
export interface GrantLines {
  readonly held: readonly Held[]
  /** As statements write them, with who holds them. */
  readonly roles: readonly { readonly role: string; readonly grantee: string }[]
  /** How many lines could not be read, which must never count as harmless. */
  readonly unread: number
}

const quoted = "(?:`(?:[^`]|``)*`|'(?:[^']|'')*')"
const account = `(?:${quoted}(?:@${quoted})?|PUBLIC)`
const columns = `(?: \\((?:${quoted}(?:, ?)?)+\\))?`
const privilege = `[A-Za-z][A-Za-z_ ]*?${columns}`
const grantLine = new RegExp(
  `^GRANT (?:(?<privileges>${privilege}(?:, ?${privilege})*) ON (?<object>(?:[^\`']|${quoted})+?)|(?<roles>${account}(?:, ?${account})*)) TO (?<grantee>${account})(?<options>.*)$`,
  'su',
)
const privilegePart = new RegExp(`([A-Za-z][A-Za-z_ ]*?)(${columns})(?:, ?|$)`, 'gu')

/**
 * Reads lines of SHOW GRANTS of MySQL or MariaDB. What follows the account, such as the hash of the password that MariaDB
 * prints, is not kept. The lines of a default role and of a partial revoke grant nothing.
 */
export function readGrantLines(rows: readonly Row[]): GrantLines {
  const lines = rows
    .map((row) => String(Object.values(row)[0]))
    .filter((line) => !/^(?:REVOKE|SET DEFAULT ROLE) /.test(line))
  const read = lines.map((line) => grantLine.exec(line)?.groups)
  return {
    held: read.flatMap((groups) => (groups === undefined ? [] : listHeld(groups))),
    roles: read.flatMap(({ roles = '', grantee = '' }: Groups = {}) =>
      (roles.match(new RegExp(account, 'gu')) ?? []).map((role) => ({ role, grantee })),
    ),
    unread: read.filter((groups) => groups === undefined).length,
  }
}

type Groups = Readonly<Partial<Record<string, string>>>

function listHeld({ privileges, object = '', grantee = '', options = '' }: Groups): readonly Held[] {
  if (privileges === undefined) return []
  const one = { grantee, role: undefined, object, column: undefined }
  const held = [...privileges.matchAll(privilegePart)].flatMap(
    ([, name = '', list = '']): readonly Held[] => {
      const named = { ...one, privilege: name.toUpperCase() }
      const names = list.match(new RegExp(quoted, 'gu'))
      return names === null ? [named] : names.map((column) => ({ ...named, column: unquote(column) }))
    },
  )
  return options.includes(' GRANT OPTION') ? [...held, { ...one, privilege: 'GRANT OPTION' }] : held
}

/** A routine has its type before its name. */
const objectParts = new RegExp(`^(?:[A-Z ]+ )?(\\*|${quoted})\\.(\\*|${quoted})$`, 'su')

/**
 * The schema, table or routine of a grant; `*` for everything, and for a whole schema, whose name can be a pattern. Undefined
 * for an account.
 */
export function toGrantObject(text: string): ObjectName | undefined {
  const [whole, database = '', name = ''] = objectParts.exec(text) ?? []
  return whole === undefined ? undefined : { database: unquote(database), name: unquote(name) }
}

/** The table or view of a grant; undefined for any other object. */
export function toTable(text: string): ObjectName | undefined {
  const place = /^[A-Z]/.test(text) ? undefined : toGrantObject(text)
  return place?.name === '*' ? undefined : place
}

/** A name without its quotes. */
function unquote(text: string): string {
  const mark = text.charAt(0)
  return text === '*' ? text : text.slice(1, -1).replaceAll(mark + mark, mark)
}
