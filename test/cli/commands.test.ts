import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { keys, withAccount } from '../product/index.js'
import { createClient } from '../support/client.js'
import { startService, useProduct } from '../support/service.js'
import { listen } from '../support/verifying.js'
import { runVitrine } from '../support/vitrine.js'
import { makeFolder } from '../support/folder.js'

const database = useProduct('plain', { registrations: 100 })
const folder = makeFolder()

const names = ['serve', 'facts', 'init', 'check', 'openapi', 'grants', 'key', 'verify', 'pull']

/** The commands that a usage lists. */
function listUsages(text: string): readonly (string | undefined)[] {
  return [...text.matchAll(/^ {2}vitrine (\w+)/gm)].map(([, name]) => name).filter((name) => name !== 'help')
}

const mistakes = parse(readFileSync('test/cli/mistakes.yaml', 'utf8')) as [string[], string, string][]
test.each(mistakes)('a wrong command line ends with 64 and says why: %j', async (args, reason, command) => {
  const { status, stdout, stderr } = await runVitrine(args)
  expect([status, stdout]).toEqual([64, ''])
  const [first, ...others] = stderr.split('\n')
  expect(first).toBe(`vitrine: ${reason}`)
  expect(others.slice(-2)).toEqual([`See vitrine${command} --help.`, ''])
})

test.each([
  [['--help'], names],
  [['help', 'grants'], ['grants']],
  [['pull', 'invoices', '-h'], ['pull']],
])('help is printed with status 0: %j', async (args, of) => {
  const { status, stdout, stderr } = await runVitrine(args)
  expect([status, stderr]).toEqual([0, ''])
  expect(listUsages(stdout)).toEqual(of)
})

test.each([
  [['--version'], ' \\((?:[0-9a-f]{7,40}(?:-dirty)?|unknown)\\)'],
  [['check', '--version'], ''],
])('the version is printed: %j', async (args, commit) => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
  const { status, stdout } = await runVitrine(args)
  expect(status).toBe(0)
  expect(stdout).toMatch(new RegExp(`^${version}${commit}\n$`))
})

const anyText = expect.any(String) as string

/** Starts a service that cannot start; its last line of the log says why, and nothing else is printed. */
async function failToServe(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly status: number | string; readonly failure: unknown; readonly stdout: string }> {
  const { status, stdout, stderr } = await runVitrine(['serve'], env)
  expect(stderr).toBe('')
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  const { level, time, msg, ...failure } = lines.at(-1) ?? {}
  expect([level, time, msg]).toEqual([60, expect.any(Number), 'the start failed'])
  expect(lines.filter((line) => Number(line['level']) >= 50)).toHaveLength(1)
  return { status, failure, stdout }
}

describe('serve', () => {
  test('issues of the environment, of the mapping and of a file of authorities end it with 78, all at once', async () => {
    const mapping = join(folder, 'bad.yaml')
    await writeFile(
      mapping,
      (await readFile('config/mapping.yaml', 'utf8'))
        .replace('table: invoices', 'tabel: invoices')
        .replace('format: space', 'format: tabs'),
    )
    const { status, failure } = await failToServe({
      PORT: '70000',
      LOG_LEVEL: 'loud',
      MAPPING_FILE: mapping,
      DATABASE_TLS: 'verify-ca',
      DATABASE_TLS_CA: mapping,
    })
    const paths = [
      'PORT',
      'LOG_LEVEL',
      'DATABASE_URL',
      'DATABASE_TLS_CA',
      'invoices.tabel',
      'invoices.table',
      'apiKeys.scopes.format',
    ]
    const toIssue = (path: string): unknown => ({ path, found: anyText, allowed: anyText })
    expect(status).toBe(78)
    expect(failure).toEqual({ issues: expect.arrayContaining(paths.map(toIssue)) as unknown })
  })

  test.runIf(process.platform === 'linux')('at a terminal, an error is text for its reader', () => {
    const { stdout } = spawnSync('script', ['-qec', 'node dist/cli.js serve', '/dev/null'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], DATABASE_URL: 'mysql://u:p@h/d', PORT: '70000' },
    })
    expect(stdout).toMatch(
      /^vitrine: The configuration cannot be used:\r\n {2}PORT: found "70000"; allowed: /,
    )
    expect(stdout).not.toContain('"level"')
  })

  test.each<[string, () => string, RegExp]>([
    [
      'is not reached',
      () => 'mysql://user:x@127.0.0.1:1/none',
      /: nothing listens there \(connect ECONNREFUSED 127\.0\.0\.1:1\)\. It needs/,
    ],
    ['rejects the account', () => withAccount(database.readUrl, { password: 'not-it' }), /: Access denied/],
  ])('a database that %s ends it with 1, and no password is printed', async (_, toUrl, reason) => {
    const env = { DATABASE_URL: toUrl(), PORT: '0', OPS_PORT: '0' }
    const { status, failure, stdout } = await failToServe(env)
    expect([status, failure]).toEqual([1, { reason: expect.stringMatching(reason) as unknown }])
    expect(stdout).not.toContain('not-it')
  })

  test.each(['PORT', 'OPS_PORT'])('%s that is taken ends it with 1, and is named', async (name) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = String((taken.address() as AddressInfo).port)
    const env = { DATABASE_URL: database.readUrl, PORT: '0', OPS_PORT: '0', [name]: port }
    const { status, failure } = await failToServe(env)
    expect(status).toBe(1)
    const text = new RegExp(`or ${name}: found .*EADDRINUSE.*:${port}; allowed: an address`)
    const reason = expect.stringMatching(text) as unknown
    expect(failure).toMatchObject({ reason })
    taken.close()
  })
})

test('openapi prints the document that the API answers, without a database', async () => {
  const { stdout } = await runVitrine(['openapi'])
  const { text } = await createClient(await startService(database)).get('openapi.json')
  expect(JSON.parse(stdout)).toEqual(JSON.parse(text))
})

test('a reader that closes the pipe early is not an error', async () => {
  const child = spawn(process.execPath, ['dist/cli.js', 'openapi'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  child.stdout.destroy()
  expect([await once(child, 'close'), errors]).toEqual([[0, null], ''])
})

test.runIf(process.platform === 'linux')('a full disk behind stdout has no stack', async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['dist/cli.js', 'openapi'], { stdio: ['ignore', full, 'pipe'] })
  closeSync(full)
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  expect(await once(child, 'close')).toEqual([1, null])
  expect(errors).toMatch(/^vitrine: ENOSPC[^\n]*\n$/)
})

test('openapi ends with 78 for a PUBLIC_URL that is not an http address', async () => {
  expect(await runVitrine(['openapi'], { PUBLIC_URL: 'ftp://x' })).toMatchObject({ status: 78, stdout: '' })
})

describe('check', () => {
  test('prints a page without color and writes the same as HTML; ends with 0', async () => {
    const page = join(folder, 'new', 'check.html')
    const { status, stdout, stderr } = await runVitrine(['check', '--html', page], {
      DATABASE_URL: database.readUrl,
    })
    expect([status, stderr], stdout).toEqual([0, ''])
    expect(stdout).toMatch(/^✓ profile +Records /m)
    expect(stdout).not.toContain('\u001b')
    expect(await readFile(page, 'utf8')).toMatch(/^<!doctype html>/)
  })

  test.each([
    ['mysql://user:x@127.0.0.1:1/none', 'off', 'a running MySQL or MariaDB server'],
    ['mysql://none:x@HOST/none', 'off', 'a user that the server accepts'],
    ['ADMIN/no_such_database', 'off', 'the name of a database'],
    ['ADMIN/mysql', 'verify-identity', 'a server with TLS'],
  ])('ends with 1 and what an unusable database needs: %s, TLS %s', async (url, tls, need) => {
    const { host } = new URL(database.adminUrl)
    const admin = database.adminUrl.replace(/\/[^/]*$/, '')
    const DATABASE_URL = url.replace('HOST', host).replace('ADMIN', admin)
    const { status, stdout, stderr } = await runVitrine(['check'], { DATABASE_URL, DATABASE_TLS: tls })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^vitrine: The database of DATABASE_URL cannot be used: [^\n]*\n$/)
    expect(stderr).toContain(`It needs ${need}`)
  })

  test.each(['--html', '--junit'])('ends with 78 for a file of %s that cannot be written', async (option) => {
    const outcome = await runVitrine(['check', option, folder], { DATABASE_URL: database.readUrl })
    const issue = `${option}: found ${JSON.stringify(folder)}, which is a folder; allowed: a file`
    expect(outcome).toMatchObject({ status: 78, stderr: expect.stringContaining(issue) as string })
  })
})

describe('verify', () => {
  let host: string
  beforeAll(async () => {
    host = new URL(await listen(database)).host
  })

  test.each<[status: number, key: string, protocol: string, path: string, printed: RegExp]>([
    [0, keys.both, 'http', '', /0 broken, \d+ skipped; 30 requests in /],
    [64, keys.revoked, 'http', '', /the variable K holds a key that the service refuses: 401 invalid_key$/m],
    [64, '', 'http', '', /--key-env needs a variable with an API key; it has nothing$/m],
    [69, keys.both, 'http', '/nowhere', /This is not the API of Vitrine: .*\/nowhere\/.* answers 404/],
    [69, keys.both, 'https', '', /it does not speak TLS at this port/],
  ])('ends with %i for the key %j at %s%s', async (status, key, protocol, path, printed) => {
    const url = `${protocol}://${host}${path}`
    const args = ['verify', '--url', url, '--key-env', 'K', '--max-requests', '30']
    const { stdout, stderr, ...outcome } = await runVitrine(args, { K: key })
    expect([outcome.status, `${stdout}${stderr}`]).toEqual([status, expect.stringMatching(printed)])
    for (const secret of Object.values(keys)) expect(stdout + stderr).not.toContain(secret)
  })
})
