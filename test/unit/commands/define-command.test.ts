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
    await copy.run(['--to', 'x', '--full', 'a', 'b'])
    await copy.run([])
    expect(received).toEqual([
      ['x', true, ['a', 'b']],
      [undefined, false, []],
    ])
  })

  test.each([[['--other']], [['--to']], [['--full=x']]])('rejects %j with a UsageError', async (args) => {
    await expect(copy.run(args)).rejects.toThrow(UsageError)
  })

  test('without an argument rejects one with a UsageError', async () => {
    await expect(plain.run(['now'])).rejects.toThrow(UsageError)
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
