import { afterEach, describe, expect, test, vi } from 'vitest'
import { createHostSlots } from '../../../src/database/hosts.js'
import type { HostQueryContext, Host } from '../../../src/database/hosts.js'
import { createQueue } from '../../../src/database/queue.js'
import { createTestHost } from '../../support/hosts.js'

interface Options {
  /** The places of each host. */
  readonly hosts?: readonly number[]
  readonly limit?: number
}

/** A queue before hosts whose statements end when the test says so. */
function start({ hosts: sizes = [4], limit = 100 }: Options = {}) {
  const hosts = sizes.map((places, at) => createTestHost(`h${at}`, places))
  const queue = createQueue<Host, HostQueryContext>({
    slots: createHostSlots(hosts),
    limit,
    waitMs: 1_000_000,
  })
  const running: { name: string; host: string; end: () => void }[] = []
  const run = (name: string, context: HostQueryContext = { workspaceId: name.charAt(0) }): Promise<string> =>
    queue.run(context, (host) => {
      return new Promise<string>((resolve) => {
        const end = (): void => {
          running.splice(running.indexOf(entry), 1)
          resolve(name)
        }
        const entry = { name, host: host.name, end }
        running.push(entry)
      })
    })
  return {
    queue,
    running,
    run,
    /** Runs so many statements of a workspace, whose errors are ignored. */
    flood: (workspaceId: string, count: number): void => {
      for (let at = 0; at < count; at += 1) run(`${workspaceId}${at}`).catch(() => undefined)
    },
    /** Ends the statement that was begun first, of those that begin with this. */
    end: async (prefix: string): Promise<void> => {
      running.find(({ name }) => name.startsWith(prefix))?.end()
      await new Promise(setImmediate)
    },
    count: (workspaceId: string) => running.filter(({ name }) => name.startsWith(workspaceId)).length,
    names: () => running.map(({ name }) => name),
  }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('the sessions', () => {
  test('are all for the only active workspace', () => {
    const { flood, count } = start()
    flood('A', 10)
    expect(count('A')).toBe(4)
  })

  test('are at most half for a workspace while another is active, for ten minutes after its last statement', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { run, flood, end, count } = start()
    const other = run('B')
    await end('B')
    await other
    flood('A', 3)
    expect(count('A')).toBe(2)
    vi.advanceTimersByTime(599_999)
    await end('A')
    expect(count('A')).toBe(2)
    flood('A', 3)
    vi.advanceTimersByTime(1)
    await end('A')
    expect(count('A')).toBe(4)
  })

  test('are taken from a workspace that held them all until it holds half', async () => {
    const { run, flood, end, count, names } = start()
    flood('A', 10)
    void run('B1')
    expect(names()).toEqual(['A0', 'A1', 'A2', 'A3'])
    await end('A')
    expect(names()).toEqual(['A1', 'A2', 'A3', 'B1'])
    await end('A')
    expect([count('A'), count('B')]).toEqual([2, 1])
    void run('B2')
    expect([count('A'), count('B')]).toEqual([2, 2])
    await end('A')
    expect([count('A'), count('B')]).toEqual([2, 2])
  })

  test('are at most half of each host for a workspace, and so of all hosts', async () => {
    const { run, flood, end, running } = start({ hosts: [4, 4] })
    void run('B')
    await end('B')
    flood('A', 10)
    expect(running.map(({ host }) => host).sort()).toEqual(['h0', 'h0', 'h1', 'h1'])
    void run('B')
    expect(running).toHaveLength(5)
  })

  test('serve every workspace where there is only one', async () => {
    const { run, flood, end, names } = start({ hosts: [1] })
    flood('A', 3)
    void run('B')
    expect(names()).toEqual(['A0'])
    await end('A')
    expect(names()).toEqual(['B'])
    await end('B')
    expect(names()).toEqual(['A1'])
  })

  test('are not limited for statements of no workspace, which do not make a workspace share', () => {
    const { run, flood, count } = start()
    for (let at = 0; at < 2; at += 1) void run(`key${at}`, { table: 'keys' })
    flood('A', 4)
    expect([count('key'), count('A')]).toEqual([2, 2])
    void run('key2', { table: 'keys' })
    expect(count('key')).toBe(2)
  })
})

describe('a session that is free again', () => {
  test('goes to the workspace that holds the fewest, whatever the order', async () => {
    const { run, flood, end, names } = start()
    flood('A', 4)
    flood('C', 4)
    void run('B')
    await end('A')
    await end('A')
    expect(names()).toEqual(['A2', 'A3', 'C0', 'B'])
  })

  test('goes in turn to workspaces that hold the same number', async () => {
    const { flood, end, names } = start({ hosts: [1] })
    const begun: string[] = []
    for (const workspaceId of ['A', 'B', 'C']) flood(workspaceId, 3)
    for (let at = 0; at < 9; at += 1) {
      begun.push(...names())
      await end('')
    }
    expect(begun).toEqual(['A0', 'B0', 'C0', 'A1', 'B1', 'C1', 'A2', 'B2', 'C2'])
  })
})

describe('the queue', () => {
  test('is full for one workspace, and has room for another in place of its newest request', async () => {
    const { queue, run, flood, end, names } = start({ hosts: [1], limit: 4 })
    flood('A', 4)
    const newest = expect(run('A4')).rejects.toMatchObject({ code: 'overloaded' })
    expect(queue.size()).toBe(4)
    await expect(run('A5')).rejects.toMatchObject({ code: 'overloaded' })
    void run('B0')
    await newest
    expect(queue.size()).toBe(4)
    await end('A')
    expect(names()).toEqual(['B0'])
  })

  test('is at most half of one workspace when another fills it too', async () => {
    const { run, flood, queue } = start({ hosts: [1], limit: 4 })
    void run('running')
    flood('A', 4)
    flood('B', 2)
    await expect(run('B2')).rejects.toMatchObject({ code: 'overloaded' })
    await expect(run('A4')).rejects.toMatchObject({ code: 'overloaded' })
    expect(queue.size()).toBe(4)
    const third = run('C0').then(
      () => 'answered',
      () => 'rejected',
    )
    expect(queue.size()).toBe(4)
    flood('C', 1)
    await expect(Promise.race([third, Promise.resolve('waiting')])).resolves.toBe('waiting')
  })

  test('has room for another workspace where one fills the share of a table', async () => {
    const { queue, run } = start({ hosts: [1], limit: 5 })
    const locked = (workspaceId: string): HostQueryContext => ({ workspaceId, table: 'locked' })
    for (const name of ['A0', 'A1', 'A2', 'A3']) run(name, locked('A')).catch(() => undefined)
    const newest = expect(run('A4', locked('A'))).rejects.toMatchObject({ code: 'overloaded' })
    void run('A5', { workspaceId: 'A', table: 'other' })
    expect(queue.size()).toBe(5)
    void run('B0', locked('B'))
    await newest
    expect(queue.size()).toBe(5)
  })

  test('gives a key lookup room in place of a request of the workspace that fills it', async () => {
    const { run, flood, end, names } = start({ hosts: [1], limit: 2 })
    flood('A', 3)
    void run('key', { table: 'keys' })
    await end('A')
    expect(names()).toEqual(['key'])
  })
})
