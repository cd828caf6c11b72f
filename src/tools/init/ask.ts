import { Value } from '@sinclair/typebox/value'
import { parse } from 'yaml'
import { findColumn } from '../description.js'
import type { DescribedTable } from '../description.js'
import { MappingSchema } from '../../mapping/mapping-schema.js'
import { StepBack } from './answers.js'
import type { Answers } from './answers.js'
import { clearLead, countPoints, formatPoints, likelyPoints, listReasons, takeBest } from './candidate.js'
import type { Candidate, MappingValue, Question } from './candidate.js'
import { describeRows } from './tables.js'
import { listUsedColumns } from './used-columns.js'

/** The person ended the dialogue. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

type Prompts = Pick<typeof import('@clack/prompts'), 'select' | 'autocomplete' | 'text' | 'isCancel' | 'log'>

/** The candidates that a list on the terminal shows; all tables can be reached. */
const shownMax = 7
const output = process.stderr

/**
 * Asks on the terminal: about tables, the workspace, `where` and `archived` always; about other places where nothing
 * fits, where the first candidate is not clearly the best one, or where it has to be verified. The dialogue is on stderr,
 * so that stdout has nothing but the mapping.
 *
 * @param given the prompts of a test.
 * @throws Cancelled when the person ends the dialogue.
 */
export async function createAsk(given?: Prompts): Promise<Answers> {
  const prompts = given ?? (await import('@clack/prompts'))
  const answers: (Candidate<unknown> | undefined)[] = []
  /** The last answers to questions that are asked again, by their paths. */
  const earlier = new Map<string, AskState['before']>()
  let at = 0
  return {
    isUnattended: false,
    restart: () => {
      answers.pop()
      at = 0
    },
    choose: async <Value>(question: Question<Value>) => {
      if (!isWorthAsking(question)) return takeBest(question)
      // The same questions follow from the same answers.
      if (at === answers.length) {
        const before = earlier.get(question.path)
        answers.push(await ask(prompts, question, { canGoBack: at > 0, before }))
      }
      const answer = answers[at] as Candidate<Value> | undefined
      earlier.set(question.path, { answer })
      at += 1
      // After a step back, the candidates are new ones.
      return question.candidates.find(({ label }) => label === answer?.label) ?? answer
    },
  }
}

function isWorthAsking<Value>(question: Question<Value>): boolean {
  const [best, second] = question.candidates
  if (question.important === true || takeBest(question) === undefined) return question.candidates.length > 0
  if (best === undefined || best.verify !== undefined) return best !== undefined
  if (countPoints(best) < likelyPoints) return true
  return second !== undefined && countPoints(best) - countPoints(second) < clearLead
}

const openAnswer = -1
const ownAnswer = -2
const backAnswer = -3

/** Whether there is a question before, and the answer that was given before a step back. */
interface AskState {
  readonly canGoBack: boolean
  readonly before: { readonly answer: Candidate<unknown> | undefined } | undefined
}

/** The answer that stands first: the one that was given before, or else the best. */
function findInitial<Value>(
  question: Question<Value>,
  shown: readonly Candidate<Value>[],
  { before }: AskState,
): number {
  const best = canTakeFirst(question) ? 0 : openAnswer
  if (before === undefined) return best
  if (before.answer === undefined) return openAnswer
  const at = shown.findIndex(({ label }) => label === before.answer?.label)
  return at === -1 ? best : at
}

async function ask<Value>(
  prompts: Prompts,
  question: Question<Value>,
  state: AskState,
): Promise<Candidate<Value> | undefined> {
  const { select, autocomplete, isCancel, log } = prompts
  const shown = isOfTables(question) ? question.candidates : question.candidates.slice(0, shownMax)
  for (const note of listNotes(question)) log.info(note, { output })
  const back = state.canGoBack ? [{ value: backAnswer, label: 'back to the question before' }] : []
  const list = {
    message: `${question.path}: ${question.wanted}`,
    output,
    initialValue: findInitial(question, shown, state),
    options: [
      ...shown.map((candidate, at) => ({ value: at, label: toLabel(candidate), hint: toHint(candidate) })),
      ...listOtherAnswers(question),
      ...back,
    ],
  }
  // Many tables are searched by typing a part of a name.
  const answer = await (shown.length > shownMax ? autocomplete({ ...list, maxItems: 12 }) : select(list))
  if (isCancel(answer)) throw new Cancelled('nothing was written')
  if (answer === backAnswer) throw new StepBack()
  if (answer !== ownAnswer) return shown[answer]
  return (await writeOwn(prompts, question)) ?? ask(prompts, question, state)
}

function listNotes<Value>({ candidates: [first], isNearest = false }: Question<Value>): readonly string[] {
  const nearest = isNearest ? ['No table fits well; the first one is the nearest.'] : []
  return first?.verify === undefined ? nearest : [first.verify, ...nearest]
}

function canTakeFirst<Value>(question: Question<Value>): boolean {
  return question.isNearest !== true && takeBest(question) !== undefined
}

function isOfTables({ path }: Question<unknown>): boolean {
  return path.endsWith('.table')
}

function listOtherAnswers<Value>(question: Question<Value>): { value: number; label: string }[] {
  const open = {
    value: openAnswer,
    label: question.optional === true ? 'leave it out' : 'none of these: write TODO',
  }
  // A table of a collection or of keys is one of those that the database has.
  if (question.path === 'apiKeys') return []
  if (isOfTables(question)) return [open]
  return [{ value: ownAnswer, label: 'something else: write it as in the mapping file' }, open]
}

/** A value as the mapping file has it, such as `{ constant: SAR }`; undefined for an empty one. */
async function writeOwn<Value>(
  { text, isCancel }: Prompts,
  question: Question<Value>,
): Promise<Candidate<Value> | undefined> {
  const { path } = question
  const answer = await text({
    message: `${path}, as in the mapping file (empty: back to the list):`,
    output,
    validate: (input = '') => (isEmpty(input) ? undefined : findIssue(input, question)),
  })
  if (isCancel(answer)) throw new Cancelled('nothing was written')
  if (isEmpty(answer)) return undefined
  return {
    value: parse(answer) as Value,
    label: answer,
    evidence: [[0, 'it was written by hand']],
    isOwn: true,
  }
}

function isEmpty(text: string): boolean {
  return text.trim() === ''
}

/**
 * What is wrong with an answer: it is no YAML, the mapping file does not allow it, or a column does not exist.
 *
 * @returns undefined for an answer that can be written.
 */
export function findIssue(
  text: string,
  { path, schema }: Pick<Question<unknown>, 'path' | 'schema'>,
): string | undefined {
  let value: MappingValue | undefined
  try {
    value = parse(text) as MappingValue
  } catch {
    return 'this is no YAML'
  }
  const allowed = findSchema(path)
  if (allowed !== undefined && !Value.Check(allowed, value))
    return `the mapping file allows here: ${allowed.description ?? 'another form'}`
  if (schema === undefined) return undefined
  const unknown = listUsedColumns(value, schema.table.name).find(({ table, column }) => {
    const described = schema.description.get(table)
    return described === undefined || findColumn(described, column) === undefined
  })
  if (unknown === undefined) return undefined
  return schema.description.has(unknown.table)
    ? `${unknown.table} has no column ${unknown.column}`
    : `there is no table ${unknown.table}`
}

type Schema = typeof MappingSchema & { readonly description?: string }

/** What the mapping file allows at a place. */
function findSchema(path: string): Schema | undefined {
  let schema = MappingSchema as unknown as { readonly properties?: Record<string, unknown> } | undefined
  for (const name of path.split('.')) schema = schema?.properties?.[name] as typeof schema
  return schema as Schema | undefined
}

/** A table with its rows; any other candidate as it is. */
function toLabel<Value>({ label, value }: Candidate<Value>): string {
  const isTable = typeof value === 'object' && value !== null && 'rows' in value
  return isTable ? `${label}, ${describeRows(value as unknown as DescribedTable)}` : label
}

function toHint<Value>(candidate: Candidate<Value>): string {
  return `${listReasons(candidate).join('; ')}: ${formatPoints(countPoints(candidate))}`
}
