import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { dial } from '../support/raw-caller.js'
import { useThrowaway } from '../support/service.js'
import { startServing, toServingEnv } from '../support/serving.js'

const throwaway = useThrowaway()

test.runIf(process.platform === 'linux')(
  'a time without a free file descriptor is one line of the log, and a metric',
  async () => {
    const database = await throwaway.createProduct('plain', { registrations: 10 })
    const serving = await startServing(throwaway, { env: toServingEnv(database) })
    const limit = (count: string): void => {
      const { status } = spawnSync('prlimit', [`--pid=${String(serving.child.pid)}`, `--nofile=${count}:`])
      expect(status).toBe(0)
    }
    const countLines = (text: string): number => serving.output().split(text).length - 1
    // Over a connection that is open, because none can be opened.
    const caller = await dial(Number(new URL(serving.ops).port))
    let asked = 0
    const countExhausted = async (): Promise<number> => {
      caller.send('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n')
      asked += 1
      const text = (await caller.waitFor(asked)).at(-1)?.body ?? ''
      return Number(/^vitrine_file_descriptors_exhausted_total (\d+)$/m.exec(text)?.[1])
    }
    expect(await countExhausted()).toBe(0)
    // Fewer than the process has open.
    limit('10')
    await expect.poll(() => countLines('no file descriptor is free')).toBe(1)
    await expect.poll(countExhausted).toBeGreaterThan(1)
    limit('1000')
    await expect.poll(() => countLines('file descriptors are free again')).toBe(1)
    expect(countLines('no file descriptor is free')).toBe(1)
    serving.child.kill('SIGTERM')
    expect(await serving.ended).toBe(0)
  },
)
