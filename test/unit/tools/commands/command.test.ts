import { describe, expect, test } from 'vitest'
import { databaseUnavailable } from '../../../../src/database/errors.js'
import {
  defineCommand,
  flag,
  option,
  renderUsage,
  required,
  toFailureText,
} from '../../../../src/tools/commands/command.js'
import { anyText, wholeNumber } from '../../../../src/tools/commands/forms.js'
import { UsageError } from '../../../../src/errors.js'

const received: unknown[] = []
const copy = defineCommand({
  name: 'copy',
  argument: 'NAME',
  summary: 'copy something',
  options: {
    to: required('FILE', 'the target', anyText),
    allOfIt: flag('all of it,\nagain'),
    times: option('A_NUMBER_OF_TIMES', 'more', wholeNumber('a whole number', 1, 9)),
  },
  run: ({ to, allOfIt, times }, args) => {
    received.push([to, allOfIt, times, args])
    return Promise.resolve()
  },
})
const plain = defineCommand({ name: 'plain', summary: 'plain', options: {}, run: () => Promise.resolve() })

describe('a command', () => {
  test('receives texts, flags, its arguments, and values as their forms read them', async () => {
    await copy.run(['--to', '-', '--all-of-it', 'a', '--times', '3'])
    await copy.run(['--to=-x', '--', '-b'])
    expect(received).toEqual([
      ['-', true, 3, ['a']],
      ['-x', false, undefined, ['-b']],
    ])
  })

  // Other mistakes are in test/cli/mistakes.yaml.
  test.each([
    [copy, ['--zzzz=secret'], 'there is no option --zzzz'],
    [copy, ['--to', '--all-of-it'], '--to needs a value: --to FILE'],
    [copy, ['--all-of-it=secret'], '--all-of-it takes no value'],
    [plain, ['secret'], 'a value has no option before it'],
    [copy, ['a'], '--to FILE is missing'],
    [copy, ['a', '--times', 'secret'], '--to FILE is missing\n--times takes a whole number from 1 to 9'],
  ])('%#: is rejected with a UsageError', async (command, args, text) => {
    const error: unknown = await command.run(args).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(UsageError)
    expect(String(error)).toContain(`UsageError: ${text}`)
    expect(String(error)).not.toContain('secret')
  })
})

test('the usage of a command has its argument and its options', () => {
  expect(renderUsage('vitrine copy', copy).split('\n')).toEqual([
    '  vitrine copy NAME        copy something',
    '    --to FILE              the target',
    '    --all-of-it            all of it,',
    '                           again',
    '    --times A_NUMBER_OF_TIMES more',
    '',
  ])
})

test.each([
  'The database did not answer in time',
  'Query execution was interrupted (max_statement_time exceeded)',
  'Query execution was interrupted, maximum statement execution time exceeded',
])('a statement that took too long names the setting of its limit: %s', (text) => {
  expect(toFailureText(databaseUnavailable(new Error(text)))).toContain('DATABASE_QUERY_TIMEOUT_MS')
})
