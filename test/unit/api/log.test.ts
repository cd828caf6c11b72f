import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLog, createLogOutput } from '../../../src/api/log.js'

/** The line that is written of this, as JSON. */
function write(fields: object): Readonly<Record<string, unknown>> {
  let line = ''
  createLog('info', {
    write: (text) => {
      line = text
    },
  }).info(fields, 'message')
  return JSON.parse(line) as Readonly<Record<string, unknown>>
}

test('no property of an error is written that can contain data of a caller', () => {
  const packet = Buffer.from('GET / HTTP/1.1\r\nAuthorization: Bearer secret')
  const error = Object.assign(new Error('Parse Error'), {
    code: 'HPE_INVALID',
    rawPacket: packet,
    sql: 'secret',
  })
  const { err } = write({ err: error }) as { err: Readonly<Record<string, unknown>> }
  expect(Object.keys(err)).toEqual(['type', 'message', 'code', 'stack'])
  expect(err).toMatchObject({ type: 'Error', message: 'Parse Error', code: 'HPE_INVALID' })
})

test('a message keeps the names that a database quotes, and not the values', () => {
  const say = (message: string, sqlState?: string, code?: string): unknown => {
    const error = Object.assign(new Error(message), { sqlState, code, errno: 1 })
    return (write({ err: error })['err'] as { message: string }).message
  }
  expect(say("Unknown column 'a' in 'field list'", '42S22')).toBe("Unknown column 'a' in 'field list'")
  expect(say("Access denied for user 'u'@'h'", '28000')).toBe("Access denied for user 'u'@'h'")
  expect(say("Incorrect DATETIME value: 'it's secret'", 'HY000')).toBe("Incorrect DATETIME value: '…'")
  expect(say('Truncated incorrect DOUBLE value: \'secret\' at "secret"', '22007')).not.toContain('secret')
  expect(say("'/secret?key' is not a valid url component", undefined, 'FST_ERR_BAD_URL')).toBe(
    'rejected by Fastify',
  )
})

test('causes are written in the same form at any depth, and the stack does not repeat the message', () => {
  const cause = Object.assign(new Error("Duplicate entry 'secret'\n  'secret'"), {
    sqlState: '23000',
    sqlMessage: 'secret',
  })
  const line = JSON.stringify(write({ err: new Error('outer', { cause: new Error('inner', { cause }) }) }))
  expect(line).toContain("Duplicate entry '…'")
  expect(line).not.toContain('secret')
  expect(line).toContain('log.test.ts')
  const endless = new Error('endless')
  endless.cause = endless
  expect(JSON.stringify(write({ err: endless })).match(/"message":"endless"/g)).toHaveLength(6)
})

test('a thrown value that is not an Error is not written, and neither are requests and replies', () => {
  expect(write({ err: 'secret' })['err']).toBe('a thrown string')
  expect(JSON.stringify(write({ req: { url: 'secret' }, res: { headers: 'secret' } }))).not.toContain(
    'secret',
  )
})

test('nothing that a terminal obeys is written, and a reader of the JSON gets it back', () => {
  const code = 'a\u001b[2J\u009b\u202eb\u{e0001}'
  let line = ''
  createLog('info', {
    write: (text) => {
      line = text
    },
  }).info({ code }, 'message')
  expect(line).toMatch(/^[\x20-\x7e]+\n$/)
  expect(JSON.parse(line)).toMatchObject({ code })
})

describe('the output', () => {
  const open = (file: string): number => {
    const fd = openSync(file, 'w')
    onTestFinished(() => {
      closeSync(fd)
    })
    return fd
  }

  test('has the lines in order, and loses only whole lines beyond the limit of memory', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-log-'))
    onTestFinished(() => {
      rmSync(folder, { recursive: true })
    })
    const file = join(folder, 'log')
    const output = createLogOutput(open(file))
    const lines = Array.from({ length: 300 }, (_, at) => `${String(at).padEnd(1023, 'ü ')}\n`)
    for (const line of lines) output.write(line)
    output.end()
    const written = lines.length - output.countDropped()
    expect(written).toBeGreaterThan(100)
    expect(output.countDropped()).toBeGreaterThan(0)
    expect(readFileSync(file, 'utf8')).toBe(lines.slice(0, written).join(''))
  })

  test('counts the lines that a full disk rejects, and its end does not block', async () => {
    const output = createLogOutput(open('/dev/full'))
    output.write('line\n')
    await expect.poll(output.countDropped).toBeGreaterThan(0)
    output.write('line\n')
    output.end()
  })
})
