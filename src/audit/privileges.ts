import type { GrantObject, Privilege } from './grant.js'

/** Who holds a grant: the account itself, or something that it has by being that account. */
export type Holder =
  | { readonly kind: 'account' }
  /** `revocable` unless the server's configuration gives the role to everybody. */
  | { readonly kind: 'role'; readonly role: string; readonly revocable: boolean }
  /** MariaDB: what is granted to PUBLIC is granted to every account. */
  | { readonly kind: 'public' }

/** Privileges on one object, with their holder. */
export interface HeldGrant {
  readonly holder: Holder
  readonly object: GrantObject
  readonly privileges: readonly Privilege[]
  /** Whether they may be granted on. */
  readonly grantable: boolean
}

/** A role that the account may take. */
export interface HeldRole {
  readonly role: string
  /** Whether it may be granted on. */
  readonly grantable: boolean
}

/** A column that some session of the account could do something with. */
export interface ReachableColumn {
  readonly table: string
  readonly column: string
  /** In small letters, as the server writes them: `select`, `insert`. */
  readonly privileges: readonly string[]
  /** Of a generated column; empty for others. */
  readonly expression: string
}

/** A table, routine or schema that some session of the account can see. */
export interface VisibleObject {
  readonly database: string
  /** `*` for a schema. */
  readonly name: string
  /** `table`, `procedure`, `function` or `schema`. */
  readonly sort: string
}

/** A privilege on a whole schema, which a statement that was not denied shows. */
export interface SchemaPrivilege {
  readonly schema: string
  /** Undefined where it may be one of several. */
  readonly privilege: string | undefined
}

/** What the server lets the account do and see, whatever it says of grants. */
export interface Reach {
  readonly columns: readonly ReachableColumn[]
  readonly objects: readonly VisibleObject[]
  readonly schemas: readonly SchemaPrivilege[]
}

/** All that the account may do. */
export interface Privileges {
  /** As a statement names it: `vitrine`@`%`, in backticks. */
  readonly account: string
  readonly database: string
  /** Whether the server tells table names apart by case. */
  readonly casedTables: boolean
  readonly grants: readonly HeldGrant[]
  readonly roles: readonly HeldRole[]
  /** Roles that the account's own roles hold, and may grant on; without their hosts. */
  readonly nestedGrantable: readonly string[]
  readonly reach: Reach
  /** How many lines of SHOW GRANTS were not understood. */
  readonly unread: number
}
