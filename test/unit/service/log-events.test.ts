import { expect, test } from 'vitest'
import { createLog } from '../../../src/service/create-log.js'
import { createHostLog, logServer } from '../../../src/service/log-events.js'

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

test('a host that fails in a start is a line once the start has succeeded, and later ones are a line at once', () => {
  const lines: string[] = []
  const hostLog = createHostLog(createLog('info', { write: (line: string) => lines.push(line) }))
  hostLog.note('b:3306', { is: 'down', cause: new Error('refused') })
  expect(lines).toEqual([])
  hostLog.release()
  hostLog.note('b:3306', { is: 'back' })
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 40, host: 'b:3306', msg: 'a host of the database cannot be read' },
    { level: 30, host: 'b:3306', msg: 'a host of the database can be read again' },
  ])
})
