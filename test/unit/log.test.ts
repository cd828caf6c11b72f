import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog, createLogOutput } from '../../src/log.js'
import { makeFolder } from '../support/folder.js'

/** The line that is written of this. */
function write(fields: object): string {
  let line = ''
  createLog('info', {
    write: (text) => {
      line = text
    },
  }).info(fields, 'message')
  return line
}

test('a message keeps the names that a database quotes, and not the values', () => {
  const say = (message: string, sqlState?: string, code?: string): unknown => {
    const error = Object.assign(new Error(message), { sqlState, code, errno: 1 })
    return (JSON.parse(write({ err: error })) as { err: Error }).err.message
  }
  expect(say("Unknown column 'a' in 'field list'", '42S22')).toBe("Unknown column 'a' in 'field list'")
  expect(say("Access denied for user 'u'@'h'", '28000')).toBe("Access denied for user 'u'@'h'")
  expect(say("Incorrect DATETIME value: 'it's secret'", 'HY000')).toBe("Incorrect DATETIME value: '…'")
  expect(say('Truncated incorrect DOUBLE value: \'secret\' at "secret"', '22007')).not.toContain('secret')
  expect(say("'/secret?key' is not a valid url component", undefined, 'FST_ERR_BAD_URL')).toBe(
    'rejected by Fastify',
  )
})

test('nothing that a terminal obeys is written, and a reader of the JSON gets it back', () => {
  const code = 'a\u001b[2J\u009b\u202eb\u{e0001}'
  const line = write({ code })
  expect(line).toMatch(/^[\x20-\x7e]+\n$/)
  expect(JSON.parse(line)).toMatchObject({ code })
})

test('the output has the lines in order, and loses only whole lines beyond the limit of memory', () => {
  const file = join(makeFolder(), 'log')
  const fd = openSync(file, 'w')
  const output = createLogOutput(fd)
  const lines = Array.from({ length: 300 }, (_, at) => `${String(at).padEnd(1023, 'ü ')}\n`)
  for (const line of lines) output.write(line)
  output.end()
  const written = lines.length - output.countDropped()
  expect(written).toBeGreaterThan(100)
  expect(output.countDropped()).toBeGreaterThan(0)
  expect(readFileSync(file, 'utf8')).toBe(lines.slice(0, written).join(''))
  closeSync(fd)
})
