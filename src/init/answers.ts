import { countPoints, formatPoints, rateConfidence, takeBest, todo } from './candidate.js'
import type { Candidate, Confidence, MappingValue, Question } from './candidate.js'
import type { Code } from './content.js'

/** Whoever answers the questions: a person, or the best proposal. */
export interface Answers {
  /** Whether nobody is asked. */
  readonly isUnattended: boolean
  /** One of the candidates or an own one; undefined for a place that stays open, or that is left out. */
  readonly choose: <Value>(question: Question<Value>) => Promise<Candidate<Value> | undefined>
  /** Public words for stored codes; undefined where nobody gives them. */
  readonly nameCodes: (
    path: string,
    codes: readonly Code[],
  ) => Promise<Readonly<Record<string, string>> | undefined>
}

/** Takes the best candidate of each place that has one with enough evidence, as `--yes` does. */
export const takeBestAnswers: Answers = {
  isUnattended: true,
  choose: (question) => Promise.resolve(takeBest(question)),
  nameCodes: () => Promise.resolve(undefined),
}

/** A choice that was made, with what a reader of the file needs to check it. */
export interface Choice {
  readonly path: string
  readonly wanted: string
  /** `TODO` where a person must decide; undefined for a collection that was left out. */
  readonly value: MappingValue | undefined
  /** Undefined for a `TODO`. */
  readonly confidence: Confidence | undefined
  /** With their points; the candidates of a `TODO` have theirs. */
  readonly reasons: readonly string[]
  readonly runnersUp: readonly RunnerUp[]
  /** What a person must verify or, for a `TODO`, decide. */
  readonly undecided?: string
}

/** A candidate that was not chosen. */
export interface RunnerUp {
  readonly label: string
  readonly points: number
  readonly value: MappingValue
}

/** The runners-up that a reader is shown. */
const runnersUpMax = 3

/** A choice as the file explains it. */
export function toChoice<Value>(
  question: Question<Value>,
  chosen: Candidate<Value> | undefined,
  toValue: (value: Value) => MappingValue = (value) => value as MappingValue,
): Choice {
  const { path, wanted, candidates } = question
  const others = candidates.filter((candidate) => candidate !== chosen)
  const runnersUp = others.slice(0, chosen === undefined ? runnersUpMax + 2 : runnersUpMax).map((one) => ({
    label: one.label,
    points: Math.round(countPoints(one) * 10) / 10,
    value: toValue(one.value),
  }))
  const shared = { path, wanted, runnersUp }
  if (chosen === undefined) {
    const reason = describeOpen(question)
    return {
      ...shared,
      value: todo,
      confidence: undefined,
      reasons: [reason],
      undecided: describeTodo(question, reason),
    }
  }
  const confidence = rateConfidence(question, chosen)
  const undecided = chosen.verify ?? describeDoubt(confidence, chosen, others)
  return {
    ...shared,
    value: toValue(chosen.value),
    confidence,
    reasons: listReasons(chosen),
    ...(undecided === undefined ? {} : { undecided }),
  }
}

/** The evidence of a candidate with its points, the strongest first. */
export function listReasons<Value>({ evidence }: Candidate<Value>): readonly string[] {
  return evidence.map(({ points, reason }) => (points === 0 ? reason : `${reason} (${formatPoints(points)})`))
}

/** A candidate that is not clearly the best is to be verified. */
function describeDoubt<Value>(
  confidence: Confidence,
  chosen: Candidate<Value>,
  [second]: readonly Candidate<Value>[],
): string | undefined {
  if (confidence !== 'unsure') return undefined
  const points = formatPoints(countPoints(chosen))
  return second === undefined || countPoints(second) < countPoints(chosen) - 1
    ? `init is unsure of ${chosen.label} (${points})`
    : `init is unsure: ${second.label} has nearly as much for it (${formatPoints(countPoints(second))} against ${points})`
}

function describeOpen<Value>({ candidates }: Question<Value>): string {
  return candidates.length === 0
    ? 'the table has nothing that could be taken'
    : 'no candidate has enough for it'
}

function describeTodo<Value>({ wanted, candidates }: Question<Value>, reason: string): string {
  const shown = candidates
    .slice(0, runnersUpMax + 2)
    .map((one) => `${one.label} (${listReasons(one).join(', ')})`)
  return `${wanted}; ${reason}${shown.length === 0 ? '' : `. Candidates: ${shown.join('; ')}`}`
}
