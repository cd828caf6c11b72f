// Loaded into Vitrine by `node .ci/prepare.mjs test/bench/request-path.ts`: each SIGCONT writes which functions ran since the one before.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
process.on('SIGCONT', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ran = result.flatMap(({ url, functions }) =>
    functions
      .filter(({ ranges, functionName }) => functionName !== '' && ranges[0].count > 0)
      .map(({ functionName }) => ({ url, functionName })),
  )
  writeFileSync(process.env.COVERAGE_FILE, JSON.stringify(ran))
})
