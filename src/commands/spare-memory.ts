import { setFlagsFromString } from 'node:v8'

/*
 * V8 spends memory for speed as if it had the machine to itself. Of its flags these alone are used that it reads anew
 * each time, so that they hold however the process was started; none changes what a program does.
 */

/** How much the heap may grow from one full collection to the next, in percent; V8 may let it grow by 300. */
const heapGrowthPercent = 50

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
  setFlagsFromString('--semi-space-growth-factor=2')
  if (mayOptimize) setFlagsFromString('--opt')
}
