import { expect, test } from 'vitest'
import { StepBack, toChoice } from '../../../../src/tools/init/answers.js'
import { createAsk, findIssue } from '../../../../src/tools/init/ask.js'
import type { Question } from '../../../../src/tools/init/candidate.js'
import { describeTables } from '../../../support/described.js'

const description = describeTables({
  invoices: ['id INT PRIMARY KEY', 'event_id INT', 'number VARCHAR(20)'],
  events: ['id INT PRIMARY KEY', 'currency CHAR(3)'],
})
const table = description.get('invoices')
if (table === undefined) throw new Error('no invoices')
const schema = { table, description }

test.each([
  ['invoices.fields.number', 'number', undefined],
  ['invoices.fields.number', 'serial', 'invoices has no column serial'],
  ['invoices.fields.currency', '{ from: events, on: event_id, column: currency }', undefined],
  [
    'invoices.fields.currency',
    '{ from: events, on: party_id, column: currency }',
    'invoices has no column party_id',
  ],
  ['invoices.fields.currency', '{ from: events, on: event_id, column: code }', 'events has no column code'],
  ['invoices.fields.currency', '{ from: parties, on: event_id, column: code }', 'there is no table parties'],
  ['invoices.fields.currency', '{ constant: EUR }', undefined],
  ['invoices.where', '[{ column: kind, equals: 1 }]', 'invoices has no column kind'],
  ['invoices.archived', '[]', undefined],
  ['invoices.fields.currency', '{ colum: number }', 'the mapping file allows here'],
  ['invoices.fields.number', '[', 'this is no YAML'],
])('the answer for %s, %s: %s', (path, answer, issue) => {
  const found = findIssue(answer, { path, schema })
  if (issue === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(issue)
})

/** Prompts that give these answers, one for each question. @param initial the answers that stood first */
async function createAnswers(
  picked: readonly number[],
  written = '',
  initial: number[] = [],
): Promise<ReturnType<typeof createAsk>> {
  const left = [...picked]
  const select = ({ initialValue }: { readonly initialValue: number }): Promise<number> => {
    initial.push(initialValue)
    return Promise.resolve(left.shift() ?? 0)
  }
  const prompts = {
    select,
    autocomplete: select,
    text: () => Promise.resolve(written),
    isCancel: () => false,
    log: { info: () => undefined },
  }
  return createAsk(prompts as unknown as Parameters<typeof createAsk>[0])
}

function toQuestion(path: string): Question<string> {
  const candidates = ['one', 'two'].map((label, at) => ({
    value: label,
    label,
    evidence: [[9 - at * 4, 'its name'] as const],
  }))
  return { path, wanted: 'something', important: true, candidates }
}

test('a step back asks the question before again, and repeats the answers before that one', async () => {
  const answers = await createAnswers([0, 1, -3, 0, 1])
  const ask = async (): Promise<readonly (string | undefined)[]> => {
    const labels = []
    for (const path of ['a', 'b', 'c']) labels.push(await answers.choose(toQuestion(path)))
    return labels.map((one) => one?.label)
  }
  await expect(ask()).rejects.toThrow(StepBack)
  answers.restart?.()
  expect(await ask()).toEqual(['one', 'one', 'two'])
})

test('a question that is asked again has the answer that was given before', async () => {
  const initial: number[] = []
  const answers = await createAnswers([1, -1, -3, -3, 0], '', initial)
  const ask = async (): Promise<void> => {
    for (const path of ['a', 'b', 'c']) await answers.choose(toQuestion(path))
  }
  await expect(ask()).rejects.toThrow(StepBack)
  answers.restart?.()
  await expect(ask()).rejects.toThrow(StepBack)
  answers.restart?.()
  await ask()
  expect(initial).toEqual([0, 0, 0, -1, 1, -1, 0])
})

test('an answer that is repeated is one of the new candidates, and no runner-up of itself', async () => {
  const answers = await createAnswers([0, 0, -3])
  for (const path of ['a', 'b']) await answers.choose(toQuestion(path))
  await expect(answers.choose(toQuestion('c'))).rejects.toThrow(StepBack)
  answers.restart?.()
  const again = toQuestion('a')
  const choice = toChoice(again, await answers.choose(again))
  expect(choice.runnersUp.map(({ label }) => label)).toEqual(['two'])
  expect(choice.confidence).toBe('sure')
})

test('an answer that was written by hand has no word of how sure init is', async () => {
  const answers = await createAnswers([-2], 'number')
  const question = toQuestion('invoices.fields.number')
  const choice = toChoice(question, await answers.choose(question))
  expect(choice).toMatchObject({
    value: 'number',
    confidence: undefined,
    reasons: ['it was written by hand'],
  })
})

test('an empty answer by hand leads back to the list', async () => {
  const answers = await createAnswers([-2, 1])
  const question = toQuestion('invoices.fields.number')
  expect(await answers.choose(question)).toMatchObject({ label: 'two' })
})

test('a candidate of few points is asked for, even where it is the only one', async () => {
  const answers = await createAnswers([-1])
  const candidates = [{ value: 'one', label: 'one', evidence: [[4, 'its name'] as const] }]
  const question = { path: 'invoices.fields.total', wanted: 'something', candidates }
  expect(await answers.choose(question)).toBeUndefined()
})
