/** What a mapping file can say at a place. */
export type MappingValue =
  string | number | boolean | null | readonly MappingValue[] | { readonly [name: string]: MappingValue }

/** One possible answer to a question about the mapping. */
export interface Candidate<Value = MappingValue> {
  readonly value: Value
  /** For people, such as `orders.email by order_id`. */
  readonly label: string
  /** Compared with the other candidates of its question only. */
  readonly score: number
  readonly reasons: readonly string[]
  /** What a person must verify, because names and types cannot show it. */
  readonly verify?: string
}

/** A place of the mapping with all candidates that were found for it. */
export interface Question<Value = MappingValue> {
  /** Such as `registrations.fields.email`. */
  readonly path: string
  /** What is looked for, such as `the e-mail address of the attendee`. */
  readonly wanted: string
  /** The best one first; never empty. */
  readonly candidates: readonly Candidate<Value>[]
  /** Whether there may be none, as of a section. */
  readonly optional?: boolean
}

/** Chooses among candidates; undefined for none of them. `--yes` takes the first, a person any. */
export type Pick = <Value>(question: Question<Value>) => Promise<Candidate<Value> | undefined>

/** The best candidate, as `--yes` chooses. */
export const pickBest: Pick = ({ candidates }) => Promise.resolve(candidates[0])

/** The candidates, the best one first; those of equal score keep their order. */
export function sortByScore<Value>(candidates: readonly Candidate<Value>[]): readonly Candidate<Value>[] {
  return [...candidates].sort((one, other) => other.score - one.score)
}

/** A choice that was made, with what a reader of the file needs to check it. */
export interface Choice {
  readonly path: string
  readonly wanted: string
  /** `TODO` where nothing was found. */
  readonly value: MappingValue
  readonly reasons: readonly string[]
  readonly runnersUp: readonly {
    readonly label: string
    readonly score: number
    readonly value: MappingValue
  }[]
  /** What a person must verify or, for a `TODO`, decide. */
  readonly undecided?: string
}

/** The value of a choice that a person must make. */
export const todo = 'TODO'
