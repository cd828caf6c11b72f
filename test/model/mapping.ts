/*
 * The mapping language as the model writes and interprets it: written again from the contract, not taken from `src`.
 */

/** A column of the section's own table, or of a row of another one. */
export interface ColumnOption {
  readonly column: string
  readonly as?: 'uuid' | 'uuid-swapped' | undefined
  readonly zeros?: false | undefined
  readonly epoch?: 's' | 'ms' | 'us'
  /** The path of text in a JSON document. */
  readonly json?: string
  readonly charset?: 'utf8-in-latin1'
}

/** What finds the row of another table. */
export interface LookupOption {
  readonly from: string
  readonly on: string | (LookupOption & { readonly column: string })
  readonly key?: string
  readonly where?: readonly TestOption[]
  readonly last?: true
}

/** A column by its name or with options, here or in another table. */
export type FieldOption = string | ColumnOption | (LookupOption & ColumnOption)

/** The first of several places that has a value. */
export interface FirstOption<Place = unknown> {
  readonly first: readonly (Place | { readonly constant: string })[]
}

/** Whether an option is the first of several places. */
export function isFirst(option: unknown): option is FirstOption {
  return typeof option === 'object' && option !== null && 'first' in option
}

/** Stored values of a test. */
export type TestValue = string | number | boolean | null

/** The forms of a condition. */
export interface TestOption extends Partial<LookupOption> {
  /** Without it, a test of whether the lookup finds a row. */
  readonly column?: string
  readonly equals?: TestValue
  readonly notEquals?: TestValue
  readonly in?: readonly TestValue[]
  readonly notIn?: readonly TestValue[]
  /** `{ equals }` is the form of `archived`. */
  readonly is?: 'set' | 'unset' | { readonly equals: TestValue }
}

/** Several columns as one name. */
export type NameOption = FieldOption | PartsOption
interface PartsOption extends Partial<LookupOption>, Pick<ColumnOption, 'charset'> {
  readonly columns: readonly string[]
  readonly separator?: string
}

/** A status by one column, or by the first condition that holds. */
export type StatusOption =
  | string
  | (Partial<LookupOption> & {
      readonly column: string
      readonly values?: Readonly<Record<string, string>> | readonly string[]
      readonly otherwise?: string
    })
  | { readonly when: readonly (TestOption & { readonly then: string })[]; readonly otherwise?: string }

/** One amount. */
export type PartOption =
  | string
  | {
      readonly column: string
      readonly unit?: 'major' | 'minor'
      readonly scale?: number
      readonly float?: number
      readonly text?: 'decimal'
    }

/** The sum over rows of another table. */
export interface LinesOption {
  readonly from: string
  readonly key: string
  /** The id without it. */
  readonly on?: string
  readonly where?: readonly TestOption[]
  readonly sum: readonly PartOption[]
  readonly nullIsZero?: boolean
}

/** The total of an invoice. */
export type TotalOption =
  PartOption | LinesOption | { readonly sum: readonly PartOption[]; readonly nullIsZero?: boolean }

/** The currency of an invoice. */
export type CurrencyOption =
  FieldOption | { readonly constant: string } | { readonly first: readonly CurrencyOption[] }

/** The event of an invoice, which its record does not show. */
export type EventOption =
  | FieldOption
  | FirstOption
  | { readonly table: string; readonly invoice: FieldOption; readonly event: FieldOption }
  | null

/** A collection. */
export interface Section {
  readonly table: string
  readonly where?: readonly TestOption[]
  readonly workspace: FieldOption | { readonly constant: string }
  readonly archived: TestOption | readonly TestOption[]
  readonly invalidRows?: 'skip' | 'fail'
  /** Of invoices. */
  readonly eventId?: EventOption
  readonly fields: Readonly<Record<string, unknown>>
}

/** Whether an option reads another table. */
export function isLookup(option: unknown): option is LookupOption {
  return (
    typeof option === 'object' && option !== null && 'from' in option && 'on' in option && !('sum' in option)
  )
}

/** The tests of `archived`. */
export function listArchived({ archived }: Section): readonly TestOption[] {
  return Array.isArray(archived) ? (archived as readonly TestOption[]) : [archived as TestOption]
}

/** The column that an option names. */
export function nameOf(option: string | { readonly column: string }): string {
  return typeof option === 'string' ? option : option.column
}

/** The only statuses that a list is filtered by; undefined where any is allowed. */
export function listStatuses(option: StatusOption): readonly string[] | undefined {
  if (typeof option === 'string') return undefined
  const { otherwise } = option
  const values = 'when' in option ? option.when.map(({ then }) => then) : option.values
  if (values === undefined) return undefined
  const listed = Array.isArray(values) ? (values as readonly string[]) : Object.values(values)
  return otherwise === undefined ? listed : [...listed, otherwise]
}
