/** What a mapping file can say at a place. */
export type MappingValue =
  string | number | boolean | null | readonly MappingValue[] | { readonly [name: string]: MappingValue }

/** One reason for a candidate, or against it. */
export interface Evidence {
  /** Compared within one question only; negative against the candidate. */
  readonly points: number
  readonly reason: string
}

/** One possible answer to a question about the mapping. */
export interface Candidate<Value = MappingValue> {
  readonly value: Value
  /** For people, such as `orders.email by order_id`. */
  readonly label: string
  readonly evidence: readonly Evidence[]
  /** What a person must verify, because names, types and rows cannot show it. */
  readonly verify?: string | undefined
  /** Stored codes without public words, which a person can give. */
  readonly codes?: readonly { readonly code: string; readonly rows: number | undefined }[] | undefined
}

/** A place of the mapping with all candidates that were found for it. */
export interface Question<Value = MappingValue> {
  /** Such as `registrations.fields.email`. */
  readonly path: string
  /** What is looked for, such as `the e-mail address of the attendee`. */
  readonly wanted: string
  /** The best one first; empty only where the table has nothing that could be taken. */
  readonly candidates: readonly Candidate<Value>[]
  /** Whether the place may be left out. */
  readonly optional?: boolean
  /** Whether a person is asked even if one candidate is clearly the best. */
  readonly important?: boolean
  /** Whether even the best candidate fits badly, so that leaving it out is proposed. */
  readonly isNearest?: boolean
}

/** Candidates with fewer points are shown, and never taken without a person. */
export const pointsMin = 3
/** With this lead over the second, a candidate is taken without a question. */
export const clearLead = 2.5

/** The sum of the evidence. */
export function countPoints({ evidence }: Pick<Candidate, 'evidence'>): number {
  return evidence.reduce((sum, { points }) => sum + points, 0)
}

/** The candidates, the best one first; those with equal points keep their order. */
export function rankCandidates<One extends Pick<Candidate, 'evidence'>>(
  candidates: readonly One[],
): readonly One[] {
  return [...candidates].sort((one, other) => countPoints(other) - countPoints(one))
}

/** The best candidate that has enough evidence; undefined for a place that stays open. */
export function takeBest<Value>({ candidates }: Question<Value>): Candidate<Value> | undefined {
  const [best] = candidates
  return best !== undefined && countPoints(best) >= pointsMin ? best : undefined
}

/** How sure the best candidate is: by its own evidence, and by its lead over the second. */
export type Confidence = 'sure' | 'likely' | 'unsure'

/** How sure a candidate of a question is. */
export function rateConfidence<Value>({ candidates }: Question<Value>, chosen: Candidate<Value>): Confidence {
  const points = countPoints(chosen)
  const others = candidates.filter((one) => one !== chosen).map(countPoints)
  const lead = points - Math.max(0, ...others)
  if (points >= 8 && lead >= clearLead) return 'sure'
  return points >= 5 && lead >= 1 ? 'likely' : 'unsure'
}

/** The points of a candidate as people read them. */
export function formatPoints(points: number): string {
  const rounded = Math.round(points * 10) / 10
  return rounded > 0 ? `+${rounded}` : String(rounded)
}

/** The value of a place that a person must decide. */
export const todo = 'TODO'
