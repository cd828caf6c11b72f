import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockFile } from '../../src/pull/open-copy.js'

// The second is for systems without abstract sockets and named pipes.
test.each(['linux', 'darwin'])('on %s, a file has one lock at a time', async (platform) => {
  const path = `/test/${crypto.randomUUID()}`
  const release = await lockFile(path, platform)
  expect(release).toBeDefined()
  expect(await lockFile(path, platform)).toBeUndefined()
  const other = await lockFile(`${path}.other`, platform)
  expect(other).toBeDefined()
  await release!()
  const again = await lockFile(path, platform)
  expect(again).toBeDefined()
  await Promise.all([again!(), other!()])
})

test.each(['linux', 'darwin'])('on %s, the lock of a killed process is released', async (platform) => {
  const path = `/test/${crypto.randomUUID()}`
  const code = `import('${process.cwd()}/dist/pull/open-copy.js')
      .then(({ lockFile }) => lockFile('${path}', '${platform}'))
      .then(() => { process.send('locked'); setInterval(() => undefined, 1000) })`
  const holder = fork('-e', [code], { execArgv: [], silent: true, execPath: process.execPath })
  await once(holder, 'message')
  expect(await lockFile(path, platform)).toBeUndefined()
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const release = await lockFile(path, platform)
  expect(release).toBeDefined()
  await release!()
})

test('if the lock is a file, only its owner can connect to it', async () => {
  const path = `/test/${crypto.randomUUID()}`
  const release = await lockFile(path, 'darwin')
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 32)
  expect((await stat(join(tmpdir(), `vitrine-pull-${hash}.sock`))).mode & 0o777).toBe(0o600)
  await release!()
})
