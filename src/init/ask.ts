import { parse } from 'yaml'
import type { Answers } from './answers.js'
import { clearLead, countPoints, formatPoints, listReasons, takeBest } from './candidate.js'
import type { Candidate, MappingValue, Question } from './candidate.js'

/** The person ended the dialogue. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

type Prompts = typeof import('@clack/prompts')

/** The candidates that a list on the terminal shows. */
const shownMax = 7
const output = process.stderr

/**
 * Asks on the terminal: about tables, the workspace, `where` and `archived` always; about other places where nothing
 * fits, where the first candidate is not clearly the best one, or where it has to be verified. The dialogue is on stderr,
 * so that stdout has nothing but the mapping.
 *
 * @throws Cancelled when the person ends the dialogue.
 */
export async function createAsk(): Promise<Answers> {
  const prompts = await import('@clack/prompts')
  return {
    isUnattended: false,
    choose: (question) =>
      isWorthAsking(question) ? ask(prompts, question) : Promise.resolve(takeBest(question)),
  }
}

function isWorthAsking<Value>(question: Question<Value>): boolean {
  const [best, second] = question.candidates
  if (question.important === true || takeBest(question) === undefined) return question.candidates.length > 0
  if (best === undefined || best.verify !== undefined) return best !== undefined
  return second !== undefined && countPoints(best) - countPoints(second) < clearLead
}

const openAnswer = -1
const ownAnswer = -2

async function ask<Value>(
  { select, isCancel, log }: Prompts,
  question: Question<Value>,
): Promise<Candidate<Value> | undefined> {
  const { path, wanted, candidates, isNearest = false } = question
  const shown = candidates.slice(0, shownMax)
  const verify = shown[0]?.verify
  if (verify !== undefined) log.info(verify, { output })
  if (isNearest) log.warn('No table fits well; the first one is the nearest.', { output })
  const answer = await select({
    message: `${path}: ${wanted}`,
    output,
    initialValue: isNearest || takeBest(question) === undefined ? openAnswer : 0,
    options: [
      ...shown.map((candidate, at) => ({ value: at, label: candidate.label, hint: toHint(candidate) })),
      ...listOtherAnswers(question),
    ],
  })
  if (isCancel(answer)) throw new Cancelled('nothing was written')
  return answer === ownAnswer ? writeOwn(path) : shown[answer]
}

function listOtherAnswers<Value>({
  path,
  optional = false,
}: Question<Value>): { value: number; label: string }[] {
  const open = { value: openAnswer, label: optional ? 'leave it out' : 'none of these: write TODO' }
  // A table of a collection or of keys is one of those that the database has.
  if (/\.table$|^apiKeys$/.test(path)) return path === 'apiKeys' ? [] : [open]
  return [{ value: ownAnswer, label: 'something else: write it as in the mapping file' }, open]
}

/** A value as the mapping file has it, such as `{ constant: SAR }`. */
async function writeOwn<Value>(path: string): Promise<Candidate<Value>> {
  const { text, isCancel } = await import('@clack/prompts')
  const answer = await text({ message: `${path}, as in the mapping file:`, output, validate: validateYaml })
  if (isCancel(answer)) throw new Cancelled('nothing was written')
  return {
    value: parse(answer) as Value,
    label: answer,
    evidence: [[10, 'it was written by hand']],
  }
}

function validateYaml(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return 'a value is needed'
  try {
    const value = parse(text) as MappingValue | undefined
    return value === undefined ? 'a value is needed' : undefined
  } catch {
    return 'this is no YAML'
  }
}

function toHint<Value>(candidate: Candidate<Value>): string {
  return `${listReasons(candidate).join('; ')}: ${formatPoints(countPoints(candidate))}`
}
