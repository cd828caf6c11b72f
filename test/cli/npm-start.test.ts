import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('a %s to npm ends the service', async (signal) => {
  const { readUrl, mappingFile } = await throwaway.createProduct('plain', { registrations: 10 })
  const own = { DATABASE_URL: readUrl, MAPPING_FILE: mappingFile, PORT: '0', OPS_PORT: '0' }
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, ...own, SHUTDOWN_DELAY_SECONDS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  // The whole group, where the test fails.
  const forget = throwaway.undo({ do: 'command', file: 'kill', args: ['-KILL', '--', `-${npm.pid}`] })
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  // The service has the same output, so that this is the end of both.
  const closed = once(npm, 'close')
  await expect.poll(() => output).toContain('"msg":"ready"')
  npm.kill(signal)
  await closed
  forget()
  expect(output).toContain('"msg":"closing"')
  expect(output).not.toContain('second SIGTERM')
})
