/*
 * The mapping file as a type, for `createProduct` and `startVitrine`. It stands here by itself, because the tools of QA
 * come without the sources of Vitrine; test/unit/product/mapping.test.ts holds it equal to the shape that Vitrine checks.
 */

/** A column of the 16 bytes of a UUID. */
interface UuidColumn {
  column: string
  as: 'uuid' | 'uuid-swapped'
}

/** The row of another table whose column `key` has the value of the column `on`; of several that pass `where`, the first. */
interface Lookup {
  from: string
  on: string | { from: string; on: string; key?: string; where?: Test[]; column: string }
  key?: string
  where?: Test[]
}

type Epoch = 's' | 'ms' | 'us'
type Reference = string | UuidColumn | (Lookup & { column: string; as?: 'uuid' | 'uuid-swapped' })
type Text =
  | string
  | { column: string; charset: Charset }
  | (Lookup & { column: string; charset: Charset })
  | { column: string; json: string }
  | (Lookup & { column: string; json?: string })
type Charset = 'utf8-in-latin1'
/** One of these places, or the first of several that is not empty. */
type First<Place> = Place | { first: (Place | { constant: string })[] }
type Time = string | { column: string; epoch: Epoch }
type LookedUpTime = Time | (Lookup & { column: string; epoch?: Epoch })
type ChangeTime =
  string | { column: string; epoch?: Epoch; neverChanges?: true; from?: never } | { first: Time[] }

type TestValue = string | number | boolean
/** Exactly one of these is there. */
interface Operators {
  equals?: TestValue | null
  notEquals?: TestValue | null
  in?: TestValue[]
  notIn?: TestValue[]
  is?: 'set' | 'unset'
}
/** A condition on a column; `More` are further names. */
type Test<More = unknown> = More & { column: string } & Operators
/** Without a column, whether there is such a row. */
type LookupTest<More = unknown> = Lookup & More & { column?: string } & Operators
type RowTest = Test | LookupTest
type StatusValues = Record<string, string> | string[]
type Status =
  | string
  | { column: string; values: StatusValues; otherwise?: string }
  | (Lookup & { column: string; values?: StatusValues; otherwise?: string })
  | { when: (Test<{ then: string }> | LookupTest<{ then: string }>)[]; otherwise: string }

interface NameColumns {
  columns: string[]
  separator?: string
  charset?: Charset
}
type PersonName = Text | NameColumns | (Lookup & NameColumns)

type Amount =
  | string
  | { column: string; unit: 'major' | 'minor' }
  | { column: string; scale: number }
  | { column: string; float: number }
  | { column: string; text: 'decimal' }

/** The sum over rows of another table. */
interface Lines {
  from: string
  key: string
  on?: string
  where?: Test[]
  sum: (string | { column: string; unit: 'major' | 'minor' } | { column: string; scale: number })[]
  nullIsZero?: boolean
}

type Currency = Text | { constant: string }

/** `is: { equals }` is how it was written first. */
type ArchivedTest = (Omit<Test, 'is'> & { is?: 'set' | 'unset' | { equals: TestValue } }) | LookupTest

interface Section {
  table: string
  where?: RowTest[]
  workspace: Reference | { constant: string; confirmed?: true }
  archived: ArchivedTest | ArchivedTest[]
  invalidRows?: 'skip' | 'fail'
}

/** A mapping file as an object; `docs/contract.md`, "Mapping file", describes each option. */
export interface Mapping {
  timezone: string
  zeroDates?: boolean
  epoch?: number
  heartbeat?: { table: string; column: string; oldestOpen?: string }
  apiKeys: {
    table: string
    hash: {
      column: string
      algorithm: 'sha256' | 'sha384' | 'sha512'
      encoding: 'hex' | 'base64' | 'base64url' | 'binary'
      of?: 'afterBar'
    }
    workspace: string | UuidColumn | { constant: string; confirmed?: true }
    scopes: { column: string; format: 'space' | 'comma' | 'json'; all?: string } | { grant: Scope[] }
    prefix?: string
    expiresAt?: Time
    revokedAt?: Time
    rateLimitPerMinute?: string
    where?: Test[]
  }
  registrations?: Section & {
    fields: {
      id: string | UuidColumn
      eventId: First<Reference>
      status: Status
      name: First<PersonName>
      email: First<Text>
      checkedIn: string | { from: 'checkedInAt' } | { constant: false } | RowTest
      checkedInAt?: LookedUpTime
      createdAt: LookedUpTime
      updatedAt: ChangeTime
    }
  }
  invoices?: Section & {
    eventId:
      First<Reference> | { table: string; invoice: string | UuidColumn; event: string | UuidColumn } | null
    fields: {
      id: string | UuidColumn
      number: First<Text>
      status: Status
      total: Amount | { sum: Amount[]; nullIsZero?: boolean } | Lines
      currency: Currency | { first: Currency[] }
      issueDate: LookedUpTime
      dueDate: LookedUpTime | null
      createdAt: LookedUpTime
      updatedAt: ChangeTime
    }
  }
  neverRead: string[]
}

/** The permission to read one collection. */
export type Scope = 'registration.read' | 'invoices.read'
