import type { DescribedTable, Description } from '../description.js'

/** What a mapping file can say at a place. */
export type MappingValue =
  string | number | boolean | null | readonly MappingValue[] | { readonly [name: string]: MappingValue }

/** A part of the proposed mapping with names of its own. */
export type Section = Readonly<Record<string, MappingValue>>

/** Whether a value has names of its own. */
export function isSection(value: MappingValue | undefined): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a place that a person must decide. */
export const todo = 'TODO'

/** The column of a value that is a name alone or an object with a column; undefined for any other. */
export function toColumnName(value: MappingValue | undefined): string | undefined {
  if (typeof value === 'string') return value === todo ? undefined : value
  return isSection(value) && typeof value['column'] === 'string' ? value['column'] : undefined
}

/** A reason for a candidate, or against it. Points are compared within one question only. */
export type Evidence = readonly [points: number, reason: string]

/** One possible answer to a question about the mapping. */
export interface Candidate<Value = MappingValue> {
  readonly value: Value
  /** For people, such as `orders.email by order_id`. */
  readonly label: string
  readonly evidence: readonly Evidence[]
  /** What a person must verify, because names, types and rows cannot show it. */
  readonly verify?: string | undefined
  /** Whether a person wrote it, so that init does not say how sure it is. */
  readonly isOwn?: boolean
}

/** A place of the mapping with all candidates that were found for it. */
export interface Question<Value = MappingValue> {
  /** Such as `registrations.fields.email`. */
  readonly path: string
  /** What is looked for, such as `the e-mail address of the attendee`. */
  readonly wanted: string
  /** The best one first; empty only where the table has nothing that could be taken. */
  readonly candidates: readonly Candidate<Value>[]
  /** Where a column of an answer must exist; undefined for a place without one. */
  readonly schema?: { readonly table: DescribedTable; readonly description: Description }
  /** Whether the place may be left out. */
  readonly optional?: boolean
  /** Whether a person is asked even if one candidate is clearly the best. */
  readonly important?: boolean
  /** Whether even the best candidate fits badly, so that leaving it out is proposed. */
  readonly isNearest?: boolean
}

/** Candidates with fewer points are shown, and never taken without a person. */
export const pointsMin = 3
/** Candidates with fewer are unsure, so that a person is asked. */
export const likelyPoints = 5
/** With this lead over the second, a candidate is taken without a question. */
export const clearLead = 2.5

type Weighed = Pick<Candidate, 'evidence'>

/** The sum of the evidence. */
export function countPoints({ evidence }: Weighed): number {
  return evidence.reduce((sum, [points]) => sum + points, 0)
}

/** The candidates, the best one first; those with equal points keep their order. */
export function rankCandidates<One extends Weighed>(candidates: readonly One[]): readonly One[] {
  return [...candidates].sort((one, other) => countPoints(other) - countPoints(one))
}

/** The best candidate that has enough evidence; undefined for a place that stays open. */
export function takeBest<Value>({ candidates: [best] }: Question<Value>): Candidate<Value> | undefined {
  return best !== undefined && countPoints(best) >= pointsMin ? best : undefined
}

/** The points of a candidate as people read them. */
export function formatPoints(points: number): string {
  const rounded = Math.round(points * 10) / 10
  return rounded > 0 ? `+${rounded}` : String(rounded)
}

/** The evidence of a candidate with its points, the strongest first. */
export function listReasons({ evidence }: Weighed): readonly string[] {
  return evidence.map(([points, reason]) => (points === 0 ? reason : `${reason} (${formatPoints(points)})`))
}
