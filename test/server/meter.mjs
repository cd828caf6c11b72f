// Loaded into the service before it starts: measures what it allocates between two messages, and what of it is promoted.
import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

let collections = 0
new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({ entryTypes: ['gc'] })

const measure = () => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
let before = 0

process.on('message', async (what) => {
  if (what === 'begin') {
    globalThis.gc()
    // Entries of the observer arrive later, and buffers are freed in another thread, which the next collection waits for.
    await delay(5)
    globalThis.gc()
    await delay(5)
    collections = 0
    before = measure()
    process.send({})
    return
  }
  const allocated = measure() - before
  await delay(5)
  const isWhole = collections === 0
  // What survives two of these is promoted; the third one waits for the buffers that the second one frees.
  for (let count = 0; count < 3; count += 1) globalThis.gc({ type: 'minor' })
  process.send({ allocated: isWhole ? allocated : undefined, promoted: measure() - before })
})
// It is no reason to live on.
process.channel.unref()
