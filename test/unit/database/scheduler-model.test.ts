import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { databaseUnavailable } from '../../../src/database/errors.js'
import { memoryStep } from '../../../src/database/memory.js'
import type { QueryContext } from '../../../src/database/statement.js'
import { Problem } from '../../../src/errors.js'
import { createTestCaller, createWorld } from '../../support/scheduler-world.js'
import type { Run, TestCaller } from '../../support/scheduler-world.js'

/*
 * Random callers before a scheduler, on a fake clock. The model knows nothing of the queue: it keeps what was asked, what
 * was sent, and what came back.
 */

const timeoutMs = 100
const bytesMax = 400_000
const oneResultBytesMax = 700_000
const rejected = new Error('rejected by the server')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Asked {
  readonly name: string
  readonly context: QueryContext
  readonly caller: TestCaller
  /** In the order of all events, and by the clock. */
  readonly at: number
  readonly ms: number
  end: { readonly run: Run } | { readonly error: unknown } | undefined
}

/** What happens; what happens more often stands here more often. */
const actions = [
  ...['ask', 'ask', 'ask', 'ask', 'arrive', 'arrive', 'answer', 'answer', 'read', 'read'],
  ...['fail', 'leave', 'pass'],
] as const

/** What happens, to whom, and how much of it. */
type Step = readonly [action: (typeof actions)[number], one: number, amount: number]

const steps = fc.array(fc.tuple(fc.constantFrom(...actions), fc.nat(999), fc.nat(999)), {
  maxLength: 150,
  size: 'max',
})
const worlds = fc.record({
  hosts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 2 }),
  queueLimit: fc.nat(10),
})

class Simulation {
  readonly world
  readonly #hosts: readonly number[]
  readonly #asked: Asked[] = []
  readonly #workspaces = new Set<string>()
  readonly #wrong: string[] = []

  constructor({ hosts, queueLimit }: { readonly hosts: readonly number[]; readonly queueLimit: number }) {
    this.#hosts = hosts
    this.world = createWorld({ hosts, queueLimit, timeoutMs, bytesMax, oneResultBytesMax })
    this.world.onSent((run) => {
      this.#noteSent(run)
    })
  }

  /** What happens inside the scheduler cannot throw there. */
  require(isRight: boolean, what: string): void {
    if (!isRight) this.#wrong.push(what)
  }

  async take([action, one, amount]: Step, name = `${one % 16 < 8}`): Promise<void> {
    const pick = <Item>(items: readonly Item[]): Item | undefined => items[one % items.length]
    const run = pick(this.world.runs.filter((each) => !each.isPaused()))
    const present = this.#asked.filter(({ caller }) => !caller.hasEnded())
    const act = {
      ask: () => {
        this.#ask(one, amount, name)
      },
      arrive: () => run?.arrive(amount * 600),
      answer: () => run?.answer([{ run }]),
      fail: () => run?.fail(amount % 2 === 0 ? databaseUnavailable(rejected) : rejected),
      read: () => pick(present.filter(({ end }) => end !== undefined))?.caller.end(),
      leave: () => pick(present)?.caller.end(),
      pass: () => vi.advanceTimersByTimeAsync(amount / 30),
    }[action]
    await act()
    await vi.advanceTimersByTimeAsync(0)
    this.#requireBytes()
    expect(this.#wrong).toEqual([])
  }

  /** Without the clock: every statement is answered and every answer read, until nothing waits. */
  async drain(): Promise<void> {
    const { runs, hosts, scheduler } = this.world
    for (let round = 0; round < 200 && (runs.length > 0 || scheduler.countWaiting() > 0); round += 1) {
      for (const { end, caller } of this.#asked) if (end !== undefined) caller.end()
      const run = runs.find((each) => !each.isPaused())
      run?.answer([{ run }])
      await vi.advanceTimersByTimeAsync(0)
    }
    for (const { caller } of this.#asked) caller.end()
    expect(this.#wrong).toEqual([])
    expect(this.#asked.filter(({ end }) => end === undefined)).toEqual([])
    expect([scheduler.countWaiting(), scheduler.countBytes()]).toEqual([0, 0])
    expect(hosts.map(({ active }) => active.total())).toEqual(hosts.map(() => 0))
  }

  /** Those who wait for a statement with one of these names, whether it was sent or not. */
  listWaiting({ statement: { values } }: Run): readonly Asked[] {
    return this.#asked.filter(({ name, end }) => end === undefined && values.includes(name))
  }

  /** Those for whom nothing was sent; of several with one name, none is left where one was sent. */
  listQueued(): readonly Asked[] {
    const sent = this.world.sent.flatMap(({ statement }) => statement.values)
    return this.#asked.filter(({ name, end }) => end === undefined && !sent.includes(name))
  }

  #ask(one: number, amount: number, name: string): void {
    const workspaceId = ['A', 'B', 'C', undefined][one % 4]
    const table = ['t', 'u'][amount % 2]
    const of = `${String(workspaceId)} ${String(table)}`
    const batch = amount % 5 === 0 ? { batch: of } : {}
    const context = { workspaceId, table }
    const caller = createTestCaller()
    const [at, ms] = [this.world.nextEvent(), performance.now()]
    const asked: Asked = { name: `${of} ${name}`, context, caller, at, ms, end: undefined }
    this.#asked.push(asked)
    if (workspaceId !== undefined) this.#workspaces.add(workspaceId)
    this.world.ask(asked.name, { ...context, ...batch, caller }).then(
      ([row]) => {
        const run = row!['run'] as Run
        this.require(run.sentAt > at, 'an answer is older than its request')
        this.require(
          workspaceId === undefined || run.read() <= oneResultBytesMax,
          'a result is larger than the largest',
        )
        asked.end = { run }
      },
      (error: unknown) => {
        this.require(error === rejected || error instanceof Problem, `an answer is ${String(error)}`)
        asked.end = { error }
      },
    )
  }

  /** What the server receives is for somebody, and within the limits. */
  #noteSent(run: Run): void {
    const waiting = this.listWaiting(run)
    const { workspaceId, table } = waiting[0]!.context
    this.require(
      waiting.some(({ caller }) => !caller.hasEnded()),
      'a statement is sent for callers who have left',
    )
    const size = this.#hosts[Number(run.host.name.slice(1))] ?? 0
    const contexts = this.world.runs
      .filter(({ host }) => host === run.host)
      .map((each) => this.listWaiting(each)[0]?.context)
    const ofTable = contexts.filter((context) => context?.table === table)
    const ofWorkspace = contexts.filter((context) => context?.workspaceId === workspaceId)
    this.require(contexts.length <= size, 'a host has more statements than slots')
    this.require(ofTable.length <= Math.ceil(size * 0.8), 'a table has more than its share')
    if (workspaceId === undefined) return
    const isShared = this.#workspaces.size > 1
    this.require(
      !isShared || ofWorkspace.length <= Math.ceil(size / 2),
      'a workspace has more than its share',
    )
    // The one that reads for the longest time may have gone on.
    const largest = Math.max(...this.world.runs.map((each) => each.read())) + memoryStep
    const counted = this.world.scheduler.countBytes()
    this.require(counted <= bytesMax + largest, 'a statement begins without memory')
    const held = this.#countHeld((context) => context.workspaceId === workspaceId)
    this.require(held < bytesMax / 2, 'a workspace has more than its share of the memory')
  }

  /** What answers hold that were not sent yet is counted, and never more than one result beyond the limit. */
  #requireBytes(): void {
    const counted = this.world.scheduler.countBytes()
    const held = this.#countHeld(({ workspaceId }) => workspaceId !== undefined)
    this.require(counted >= held, `${held} bytes are held and ${counted} counted`)
    this.require(counted <= bytesMax + oneResultBytesMax + memoryStep, `${counted} bytes are counted`)
  }

  #countHeld(isOne: (context: QueryContext) => boolean): number {
    const batches = new Set<Run>()
    let bytes = 0
    for (const { end, caller, context } of this.#asked) {
      if (end === undefined || 'error' in end || caller.hasEnded() || !isOne(context)) continue
      if (end.run.statement.batch === undefined) bytes += end.run.read()
      else batches.add(end.run)
    }
    for (const run of batches) bytes += run.read()
    return bytes
  }
}

test('every statement ends, within all limits, and none is sent for callers who have left', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, steps, async (options, taken) => {
      const simulation = new Simulation(options)
      for (const step of taken) {
        await simulation.take(step)
        // Statements that run again at another host are not counted.
        if (options.hosts.length === 1)
          expect(simulation.world.scheduler.countWaiting()).toBeLessThanOrEqual(options.queueLimit)
      }
      await simulation.drain()
    }),
    { numRuns: 200 },
  )
})

test('workspaces share the slots, each in the order of its requests, within the time limit', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, steps, async ({ hosts, queueLimit }, taken) => {
      // One host, one table, and neither batches nor large results: only slots are short.
      const simulation = new Simulation({ hosts: hosts.slice(0, 1), queueLimit })
      const { runs, onSent } = simulation.world
      const count = (workspaceId: string | undefined): number =>
        runs.filter((run) => simulation.listWaiting(run)[0]?.context.workspaceId === workspaceId).length
      onSent((run) => {
        const { at, context } = simulation.listWaiting(run)[0]!
        for (const queued of simulation.listQueued()) {
          const isSame = queued.context.workspaceId === context.workspaceId
          const isInTurn = isSame
            ? queued.at > at
            : count(context.workspaceId) <= count(queued.context.workspaceId) + 1
          simulation.require(isInTurn, 'another one has its turn')
        }
      })
      for (const [at, [action, one, amount]] of taken.entries()) {
        if (action === 'arrive' || action === 'fail') continue
        await simulation.take([action, one, action === 'ask' ? 1 : amount], String(at))
        for (const { ms } of simulation.listQueued()) expect(performance.now() - ms).toBeLessThan(timeoutMs)
      }
      await simulation.drain()
    }),
    { numRuns: 100 },
  )
})
