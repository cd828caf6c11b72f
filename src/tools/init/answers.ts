import {
  clearLead,
  countPoints,
  formatPoints,
  likelyPoints,
  listReasons,
  takeBest,
  todo,
} from './candidate.js'
import type { Candidate, MappingValue, Question } from './candidate.js'

/** The person wants the question before the last one again. */
export class StepBack extends Error {
  override readonly name = 'StepBack'
}

/** What answers the questions: a person, or the best proposal. */
export interface Answers {
  /** Whether no person is asked. */
  readonly isUnattended: boolean
  /** One of the candidates or an own one; undefined for a place that stays open, or that is left out. */
  readonly choose: <Value>(question: Question<Value>) => Promise<Candidate<Value> | undefined>
  /** Begins again after a StepBack; the answers before it are repeated. */
  readonly restart?: () => void
}

/** Takes the best candidate of each place that has one with enough evidence, as `--yes` does. */
export const takeBestAnswers: Answers = {
  isUnattended: true,
  choose: (question) => Promise.resolve(takeBest(question)),
}

/** A choice that was made, with what a reader of the file needs to check it. */
export interface Choice {
  readonly path: string
  readonly wanted: string
  /** `TODO` where a person must decide; undefined for a collection that was left out. */
  readonly value: MappingValue | undefined
  /** By its own evidence, and by its lead over the second; undefined for a `TODO`. */
  readonly confidence: 'sure' | 'likely' | 'unsure' | undefined
  /** With their points; the candidates of a `TODO` have theirs. */
  readonly reasons: readonly string[]
  /** Candidates that were not chosen. */
  readonly runnersUp: readonly {
    readonly label: string
    readonly points: number
    readonly value: MappingValue
  }[]
  /** What a person must verify or, for a `TODO`, decide. */
  readonly undecided?: string
}

/** The runners-up that a reader is shown; more of a place that is open. */
const runnersUpMax = { chosen: 3, open: 5 } as const

/** A choice as the file explains it. */
export function toChoice<Value>(
  question: Question<Value>,
  chosen: Candidate<Value> | undefined,
  toValue: (value: Value) => MappingValue = (value) => value as MappingValue,
): Choice {
  const { path, wanted, candidates } = question
  const others = candidates.filter(
    (candidate, at) =>
      candidate !== chosen && !candidates.slice(0, at).some(({ label }) => label === candidate.label),
  )
  const shown = others.slice(0, chosen === undefined ? runnersUpMax.open : runnersUpMax.chosen)
  const runnersUp = shown.map((one) => ({
    label: one.label,
    points: Math.round(countPoints(one) * 10) / 10,
    value: toValue(one.value),
  }))
  if (chosen === undefined) {
    const [none, few] = ['the table has nothing that could be taken', 'no candidate has enough for it']
    const reason = candidates.length === 0 ? none : few
    const list = shown.map((one) => `${one.label} (${listReasons(one).join(', ')})`)
    const undecided = `${wanted}; ${reason}${list.length === 0 ? '' : `. Candidates: ${list.join('; ')}`}`
    return { path, wanted, value: todo, confidence: undefined, reasons: [reason], runnersUp, undecided }
  }
  const confidence = chosen.isOwn === true ? undefined : rateConfidence(chosen, others)
  const undecided =
    chosen.verify ?? (confidence === 'unsure' ? describeUncertainty(chosen, others) : undefined)
  const reasons = listReasons(chosen)
  const choice = { path, wanted, value: toValue(chosen.value), confidence, reasons, runnersUp }
  return undecided === undefined ? choice : { ...choice, undecided }
}

function rateConfidence(
  chosen: Candidate<unknown>,
  others: readonly Candidate<unknown>[],
): Choice['confidence'] {
  const points = countPoints(chosen)
  const lead = points - Math.max(0, ...others.map(countPoints))
  if (points >= 8 && lead >= clearLead && chosen.verify === undefined) return 'sure'
  return points >= likelyPoints && lead >= 1 ? 'likely' : 'unsure'
}

/** A candidate that is not clearly the best is to be verified. */
function describeUncertainty(chosen: Candidate<unknown>, [second]: readonly Candidate<unknown>[]): string {
  const points = formatPoints(countPoints(chosen))
  return second === undefined || countPoints(second) < countPoints(chosen) - 1
    ? `init is unsure of ${chosen.label} (${points})`
    : `init is unsure: ${second.label} has nearly as much for it (${formatPoints(countPoints(second))} against ${points})`
}
