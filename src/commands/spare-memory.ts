import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/*
 * V8 spends memory for speed as if it had the machine to itself. Of its flags these alone are used that it reads anew
 * each time, so that they hold however the process was started; none changes what a program does.
 */

/** How much the heap may grow from one full collection to the next, in percent; V8 may let it grow by 300. */
const heapGrowthPercent = 50

/** How much room young objects get, in bytes. */
const youngMax = 16 * 1024 * 1024

/** Short against the time in which V8 comes to double the room: that takes as many bytes that live on. */
const steerEveryMs = 100

/** Under `--jitless` V8 must not be told to optimize; Node has no WebAssembly then. */
const mayOptimize = 'WebAssembly' in globalThis

/**
 * Collects garbage earlier, and until `endStart` neither optimizes nor gives young objects more room: what runs once
 * gains nothing by it, but the memory stays with the process. To be called before anything else is loaded.
 */
export function spareMemory(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  setFlagsFromString('--semi-space-growth-factor=1')
  if (mayOptimize) setFlagsFromString('--no-opt')
}

/** From now on V8 makes itself as fast as it can: what is still to come runs often. */
export function endStart(): void {
  if (mayOptimize) setFlagsFromString('--opt')
  const steer = createYoungLimit()
  steer()
  // V8 takes room back in quiet hours, so it must be let grow again.
  setInterval(steer, steerEveryMs).unref()
}

/**
 * Lets young objects have more room as they need it, up to a half of what V8 of Node 20 would give them, and an eighth
 * of what that of Node 24 would: more collections, each of less, cost a few hundredths of the time.
 *
 * @returns looks at the room, and is to be called again and again; between two looks V8 may go beyond.
 */
export function createYoungLimit(): () => void {
  let mayGrow: boolean | undefined
  return () => {
    const hasLess = measureYoung() < youngMax
    if (hasLess === mayGrow) return
    mayGrow = hasLess
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }
}

/** The room of young objects, in bytes: half of it is kept free to copy into what lives on. */
function measureYoung(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? Infinity
}
