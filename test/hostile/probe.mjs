// Loaded into the service before it starts, so that a test can ask from outside what it holds.
import { getActiveResourcesInfo } from 'node:process'

process.on('message', () => {
  // Twice: what has a finalizer goes with the second one.
  globalThis.gc()
  globalThis.gc()
  const resources = getActiveResourcesInfo()
  process.send({
    peakBytes: process.resourceUsage().maxRSS * 1024,
    heapBytes: process.memoryUsage().heapUsed,
    bufferBytes: process.memoryUsage().arrayBuffers,
    sockets: resources.filter((name) => name.startsWith('TCPSocket')).length,
  })
})
// It is not a reason to live on.
process.channel.unref()
