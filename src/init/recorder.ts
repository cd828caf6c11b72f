import { todo } from './candidate.js'
import type { Candidate, Choice, MappingValue, Pick, Question } from './candidate.js'

/** Makes choices and keeps them in the order in which they were made. */
export interface Recorder {
  /**
   * Asks for one candidate, and keeps the choice.
   *
   * @returns the chosen value; `TODO` where there are no candidates; undefined where none was chosen of an optional one.
   */
  readonly choose: (question: Question) => Promise<MappingValue | undefined>
  /** Keeps a choice that needs no question. */
  readonly keep: (choice: Choice) => void
  /** Asks without keeping: for tables, whose name is kept apart. */
  readonly pick: Pick
  readonly choices: () => readonly Choice[]
}

/** The runners-up that a reader is shown. */
const runnersUpMax = 3

/** A recorder that asks in this way. */
export function createRecorder(pick: Pick): Recorder {
  const choices: Choice[] = []
  const keep = (choice: Choice): void => {
    choices.push(choice)
  }
  return {
    keep,
    pick,
    choices: () => choices,
    choose: async (question) => {
      const candidate = question.candidates.length === 0 ? undefined : await pick(question)
      if (candidate === undefined && question.optional === true) return undefined
      keep(toChoice(question, candidate))
      return candidate === undefined ? todo : candidate.value
    },
  }
}

/** A choice as the file explains it. */
export function toChoice<Value>(
  { path, wanted, candidates }: Question<Value>,
  chosen: Candidate<Value> | undefined,
  toValue: (value: Value) => MappingValue = (value) => value as MappingValue,
): Choice {
  const others = candidates.filter((candidate) => candidate !== chosen).slice(0, runnersUpMax)
  const undecided = chosen === undefined ? wanted : chosen.verify
  return {
    path,
    wanted,
    value: chosen === undefined ? todo : toValue(chosen.value),
    reasons: chosen?.reasons ?? ['no column was found that fits'],
    runnersUp: others.map(({ label, score, value }) => ({
      label,
      score: round(score),
      value: toValue(value),
    })),
    ...(undecided === undefined ? {} : { undecided }),
  }
}

function round(score: number): number {
  return Math.round(score * 10) / 10
}
