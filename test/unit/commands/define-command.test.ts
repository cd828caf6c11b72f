import { describe, expect, test } from 'vitest'
import { defineCommand, renderUsage } from '../../../src/commands/define-command.js'
import { UsageError } from '../../../src/errors.js'

const received: unknown[] = []
const copy = defineCommand({
  name: 'copy',
  argument: 'NAME',
  summary: 'copy something',
  options: { to: { value: 'FILE', help: 'the target' }, full: { help: 'all of it,\nagain' } },
  run: ({ to, full = false }, positionals) => {
    received.push([to, full, positionals])
    return Promise.resolve()
  },
})
const plain = defineCommand({ name: 'plain', summary: 'plain', options: {}, run: () => Promise.resolve() })

describe('a command', () => {
  test('receives texts, flags and arguments', async () => {
    await copy.run(['--to', '-', '--full', 'a', 'b'])
    await copy.run(['--to=-x', '--', '--full'])
    await copy.run([])
    expect(received).toEqual([
      ['-', true, ['a', 'b']],
      ['-x', false, ['--full']],
      [undefined, false, []],
    ])
  })

  test.each([
    [copy, ['--too', 'x'], 'there is no option --too; did you mean --to?'],
    [copy, ['--zzzz'], 'there is no option --zzzz'],
    [copy, ['-x'], 'there is no option -x'],
    [copy, ['--to'], '--to needs a value: --to FILE'],
    [copy, ['--to', '--full'], '--to needs a value: --to FILE'],
    [copy, ['--full=x'], '--full takes no value'],
    [plain, ['now'], 'plain takes no argument, such as "now"'],
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
    '  vitrine plain            plain',
  ])
})
