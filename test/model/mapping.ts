/*
 * The mapping language as the model writes and interprets it: written again from the contract, not taken from `src`.
 */

/** Stored values of a test. */
export type TestValue = string | number | boolean | null

/** A column by its name, or options. */
export type Given = string | Option

/** Every option; each place of a mapping takes some of them. */
export interface Option {
  readonly column?: string
  readonly as?: 'uuid' | 'uuid-swapped' | undefined
  readonly zeros?: false | undefined
  readonly epoch?: 's' | 'ms' | 'us'
  /** The path of text in a JSON document. */
  readonly json?: string
  readonly charset?: 'utf8-in-latin1'
  /** What finds the row of another table, or with `sum` the rows of which amounts are added. */
  readonly from?: string
  readonly on?: Given
  readonly key?: string
  readonly where?: readonly Option[]
  readonly last?: boolean
  /** A test; without a column, of whether the lookup finds a row. `is: { equals }` is a form of `archived`. */
  readonly equals?: TestValue
  readonly notEquals?: TestValue
  readonly in?: readonly TestValue[]
  readonly notIn?: readonly TestValue[]
  readonly is?: 'set' | 'unset' | { readonly equals: TestValue }
  /** The first of several places that has a value. */
  readonly first?: readonly Given[]
  readonly constant?: string | false
  /** Several columns as one name. */
  readonly columns?: readonly string[]
  readonly separator?: string
  /** A status by one column, or by the first condition that holds. */
  readonly values?: Readonly<Record<string, string>> | readonly string[]
  readonly otherwise?: string
  readonly when?: readonly Option[]
  readonly then?: string
  /** An amount, or a sum of several. */
  readonly unit?: 'minor'
  readonly scale?: number
  readonly float?: number
  readonly text?: 'decimal'
  readonly sum?: readonly Given[]
  readonly nullIsZero?: boolean
  /** A table with an event of each invoice. */
  readonly table?: string
  readonly invoice?: Given
  readonly event?: Given
}

/** A collection. */
export interface Section {
  readonly table: string
  readonly where?: readonly Option[]
  readonly workspace: Given
  readonly archived: Option | readonly Option[]
  readonly invalidRows?: 'skip' | 'fail'
  /** Of invoices, whose records do not show it. */
  readonly eventId?: Given | null
  readonly fields: Readonly<Record<string, Given | null>>
}

/** The options of a column that is given by its name too; none where nothing is given. */
export function toOptions(given: Given | null | undefined): Option {
  return typeof given === 'string' ? { column: given } : (given ?? {})
}

/** Whether an option reads another table. */
export function isLookup({ from, on, sum }: Option): boolean {
  return from !== undefined && on !== undefined && sum === undefined
}

/** The only statuses that a list is filtered by; undefined where any is allowed. */
export function listStatuses({ fields: { status } }: Section): readonly string[] | undefined {
  const { when, values: given, otherwise } = toOptions(status)
  const values = when?.map(({ then }) => then!) ?? given
  if (values === undefined) return undefined
  const listed = Array.isArray(values) ? (values as readonly string[]) : Object.values(values)
  return otherwise === undefined ? listed : [...listed, otherwise]
}
