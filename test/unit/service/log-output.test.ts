import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import type * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogOutput } from '../../../src/service/create-log.js'

/** How many bytes the file still takes; then writes fail with this code. */
const disk = vi.hoisted(() => ({ free: Infinity, code: 'ENOSPC' }))

vi.mock(import('node:fs'), async (importActual) => {
  const actual = await importActual()
  const writeSync = (fd: number, bytes: Buffer): number => {
    const length = Math.min(bytes.length, disk.free)
    if (length === 0) throw Object.assign(new Error('write'), { code: disk.code })
    disk.free -= length
    return actual.writeSync(fd, bytes, 0, length)
  }
  const write = (fd: number, bytes: Buffer, done: (error: Error | null, written: number) => void): void => {
    try {
      const written = writeSync(fd, bytes)
      setImmediate(done, null, written)
    } catch (error) {
      setImmediate(done, error as Error, 0)
    }
  }
  return { ...actual, write, writeSync } as unknown as typeof fs
})

let folder: string
let fd: number
beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(disk, { free: Infinity, code: 'ENOSPC' })
  folder = mkdtempSync(join(tmpdir(), 'vitrine-log-'))
  fd = openSync(join(folder, 'log'), 'w')
})
afterEach(() => {
  vi.useRealTimers()
  closeSync(fd)
  rmSync(folder, { recursive: true })
})

// Not at the time of a write, which would still be under way then.
const wait = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1010)
const readLog = (): string => readFileSync(join(folder, 'log'), 'utf8')

test('lines are written in order and in batches, and the rest at the end', async () => {
  const output = createLogOutput(fd)
  const lines = Array.from({ length: 2000 }, (_, at) => `line ${at} ü\n`)
  for (const line of lines.slice(0, 1000)) output.write(line)
  await wait()
  expect(readLog()).toBe(lines.slice(0, 1000).join(''))
  for (const line of lines.slice(1000)) output.write(line)
  await wait()
  output.write('last\n')
  output.end()
  expect(readLog()).toBe(`${lines.join('')}last\n`)
  expect(output.countDropped()).toBe(0)
})

test('lines that a full disk rejects are dropped and counted, and no line continues another', async () => {
  const output = createLogOutput(fd)
  disk.free = 8
  for (const line of ['first\n', 'second\n', 'third\n']) output.write(line)
  await wait()
  expect([readLog(), output.countDropped()]).toEqual(['first\nse', 1])
  output.write('fourth\n')
  await wait()
  expect(output.countDropped()).toBe(2)
  disk.free = Infinity
  output.write('fifth\n')
  await wait()
  expect([readLog(), output.countDropped()]).toEqual(['first\nsecond\nfifth\n', 2])
  output.end()
})

test('a reader that does not read loses only the lines beyond the memory limit', async () => {
  const output = createLogOutput(fd)
  Object.assign(disk, { free: 0, code: 'EAGAIN' })
  const line = `${'x'.repeat(1023)}\n`
  for (let count = 0; count < 300; count += 1) output.write(line)
  await wait()
  expect(output.countDropped()).toBe(300 - 256)
  disk.free = Infinity
  await wait()
  output.end()
  expect(readLog()).toBe(line.repeat(256))
})

test.each(['ENOSPC', 'EPIPE', 'EIO', 'EAGAIN'])('the end does not block for ever on %s', (code) => {
  const output = createLogOutput(fd)
  Object.assign(disk, { free: 0, code })
  output.write('line\n')
  vi.useRealTimers()
  output.end()
  expect(readLog()).toBe('')
})
