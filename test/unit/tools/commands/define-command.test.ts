import { describe, expect, test } from 'vitest'
import { defineCommand, renderUsage } from '../../../../src/tools/commands/define-command.js'
import { wholeNumber } from '../../../../src/tools/commands/forms.js'
import { UsageError } from '../../../../src/errors.js'

const received: unknown[] = []
const copy = defineCommand({
  name: 'copy',
  argument: 'NAME',
  choices: ['a', 'b'],
  summary: 'copy something',
  options: {
    to: { value: 'FILE', isRequired: true, help: 'the target' },
    full: { help: 'all of it,\nagain' },
    times: { value: 'N', form: wholeNumber('a whole number', 1, 9), needs: 'full', help: 'more' },
    show: { excludes: ['full'], help: 'show it' },
  },
  run: ({ to, full, times }, name) => {
    received.push([to, full, times, name])
    return Promise.resolve()
  },
})
const plain = defineCommand({ name: 'plain', summary: 'plain', options: {}, run: () => Promise.resolve() })

describe('a command', () => {
  test('receives texts, flags, its argument, and values as their forms read them', async () => {
    await copy.run(['--to', '-', '--full', 'a', '--times', '3'])
    await copy.run(['--to=-x', '--', 'b'])
    expect(received).toEqual([
      ['-', true, 3, 'a'],
      ['-x', false, undefined, 'b'],
    ])
  })

  test.each([
    [copy, ['--too', 'x'], 'there is no option --too; did you mean --to?'],
    [copy, ['--zzzz'], 'there is no option --zzzz'],
    [copy, ['-x'], 'there is no option -x'],
    [copy, ['--to'], '--to needs a value: --to FILE'],
    [copy, ['--to', '--full'], '--to needs a value: --to FILE'],
    [copy, ['--full=x'], '--full takes no value'],
    [plain, ['now'], 'plain takes no argument, and not "now"'],
    [copy, ['a', 'b', '--to', 'x'], 'copy takes one argument, and not "b" too'],
    [copy, ['c', '--to', 'x'], 'copy needs NAME: a or b'],
    [copy, ['--to', 'x'], 'copy needs NAME: a or b'],
    [copy, ['a'], 'copy needs --to'],
    [copy, ['a', '--to', 'x', '--show', '--full'], '--full takes no --show'],
    [
      copy,
      ['a', '--times', '10'],
      '--times takes a whole number from 1 to 9\ncopy needs --to\n--times needs --full',
    ],
  ])('%#: is rejected with a UsageError', async (command, args, text) => {
    await expect(command.run(args)).rejects.toThrow(new UsageError(text))
  })
})

test('the usage lists each command with its argument and its options', () => {
  expect(renderUsage([copy, plain]).split('\n').slice(2, 7)).toEqual([
    '  vitrine copy NAME        copy something',
    '    --to FILE              the target',
    '    --full                 all of it,',
    '                           again',
    '    --times N              more',
  ])
})
