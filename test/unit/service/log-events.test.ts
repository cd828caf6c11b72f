import { expect, test } from 'vitest'
import { createLog } from '../../../src/service/create-log.js'
import { logServer } from '../../../src/service/log-events.js'

test('a server that is newer than the release knows is one line, and a known one is none', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => lines.push(line) })
  logServer(log, { version: '26.10.1' })
  logServer(log, { version: '13.0.1-MariaDB' })
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    {
      level: 40,
      version: '13.0.1-MariaDB',
      msg: expect.stringContaining('newer than this release knows') as string,
    },
  ])
})
