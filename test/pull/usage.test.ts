import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { ConfigError, UsageError } from '../../src/errors.js'
import { pullCommand } from '../../src/tools/commands/pull.js'
import { makeFolder } from '../support/folder.js'
import { hasSqlite } from '../support/pulling.js'

/** In this process, before any request. */
const runHere = async (args: readonly string[]) => {
  vi.stubEnv('VITRINE_URL', 'http://a.test')
  vi.stubEnv('VITRINE_KEY', 'k')
  vi.stubEnv('BLANK', 'secret key\n')
  await pullCommand.run(args).finally(() => vi.unstubAllEnvs())
}

test.each([
  [[]],
  [['people', '--to', 'x.ndjson']],
  [['invoices', '--to', 'x.csv']],
  [['invoices', '--to', 'x.ndjson', '--watch', '9999h']],
  [['invoices', '--to', 'x.ndjson', '--updated-since', '2026-01-01']],
  [['invoices', '--to', 'x.ndjson', '--allow-removals']],
  [['invoices', '--to', 'x.ndjson', '--scrub', '101']],
  [['--all', '--to', 'x.ndjson']],
  [['--all', '--to', '.', '--status', 'PAID']],
])('%j is a usage error', async (args) => {
  await expect(runHere(args)).rejects.toThrow(UsageError)
})

type Case = [string, string[], RegExp]
const noSqlite: Case = ['no SQLite', ['--to', 'x.sqlite'], /Node 22\.13 or later, or .*\.ndjson/]
test.each<Case>([
  ['no key', ['--key-env', 'NONE'], /NONE: found nothing/],
  [
    'a key with a blank',
    ['--key-env', 'BLANK'],
    /BLANK: found the character U\+0020 at position 7; allowed: an API key/,
  ],
  ['no address', ['--url', ''], /--url or VITRINE_URL: found nothing/],
  ['a folder that takes no file', ['--to', '/proc/x.ndjson'], /--to: found "\/proc\/x\.ndjson", which/],
  [
    'a folder that is a file',
    ['--all', '--to', 'package.json'],
    /--to: found package\.json; allowed: a folder/,
  ],
  ...(hasSqlite ? [] : [noSqlite]),
])('%s is a configuration error, and nothing is left', async (_, flags, text) => {
  const collection = flags[0] === '--all' ? [] : ['invoices']
  const folder = makeFolder()
  const failed = runHere([...collection, '--to', join(folder, 'copy.ndjson'), ...flags])
  await expect(failed).rejects.toThrow(ConfigError)
  await expect(failed).rejects.toThrow(text)
  expect(await readdir(folder)).toEqual([])
})
