import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, test } from 'vitest'
import { findPromtool } from '../../support/prometheus.js'

const run = promisify(execFile)
const promtool = findPromtool()
const testFiles = readdirSync('test/prometheus').filter((name) => name.endsWith('.yaml'))

describe.skipIf(promtool === undefined)('docker/prometheus-rules.yaml', () => {
  test('is valid, and so is the configuration that loads it', async () => {
    await run(promtool!, ['check', 'rules', '--lint-fatal', 'docker/prometheus-rules.yaml'])
    await run(promtool!, ['check', 'config', 'docker/prometheus.yaml'])
  })

  test.each(testFiles)('alerts as %s requires', async (name) => {
    await run(promtool!, ['test', 'rules', `test/prometheus/${name}`])
  })
})
