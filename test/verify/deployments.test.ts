import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import type { VerifyReport } from '../../src/tools/verify/report.js'
import { createSend } from '../../src/tools/verify/send.js'
import { keys } from '../product/index.js'
import { apacheModules, startApache } from '../support/apache.js'
import { during } from '../support/during.js'
import { balanceServices, haproxyProgram } from '../support/haproxy.js'
import { endless, startScript } from '../support/scripted-server.js'
import { useProduct, useThrowaway } from '../support/service.js'
import { runVitrine, startServing } from '../support/vitrine.js'
import type { Outcome } from '../support/vitrine.js'
import { askService, breakService, startBroken } from './broken-service.js'
import { breaks } from './breaks/index.js'
import { readJunit } from './junit.js'
import { makeFolder } from '../support/folder.js'

/* The command as its user runs it, against deployments as they are started. */

const throwaway = useThrowaway()
const database = useProduct('plain', { registrations: 160 })
const folder = makeFolder()

const startProcess = (env: Readonly<Record<string, string>> = {}) =>
  startServing(database, { RATE_LIMIT_PER_MINUTE: '100000', ...env })

/** Runs the command with both keys; no key is ever in what it prints. */
async function runVerify(url: string, args: readonly string[] = []): Promise<Outcome> {
  const env = { KEY: keys.both, OTHER: keys.other, SCOPED: keys.registrations, REVOKED: keys.revoked }
  const names = [
    '--key-env=KEY',
    '--other-key-env=OTHER',
    '--scoped-key-env=SCOPED',
    '--revoked-key-env=REVOKED',
  ]
  const outcome = await runVitrine(['verify', '--url', url, ...names, ...args], env)
  for (const key of Object.values(keys)) expect(outcome.stdout + outcome.stderr).not.toContain(key)
  return outcome
}

async function expectGreen(url: string): Promise<void> {
  const { status, stdout, stderr } = await runVerify(url, ['--json'])
  const report = JSON.parse(stdout) as VerifyReport
  expect(report.guarantees.filter(({ outcome }) => outcome === 'broken')).toEqual([])
  expect([status, stderr]).toEqual([0, ''])
  expect(report.skipped).toBe(0)
}

describe('every guarantee holds', () => {
  test('at the demo, as its user starts it', async () => {
    const env = { TEST_DATABASE_URL: inject('server').adminUrl, PORT: '0', OPS_PORT: '0' }
    await during('npm run demo', env, /Docs +(http:\/\/[^/]+)\/docs/, expectGreen)
  })

  const program = haproxyProgram
  const isSkipped = program === undefined && process.env['CI'] === undefined
  test.skipIf(isSkipped)(`behind HAProxy${isSkipped ? ': skipped, needs haproxy' : ''}`, async () => {
    const services = await Promise.all([1, 2, 3].map(() => startProcess()))
    await expectGreen(await balanceServices({ add: throwaway.undo }, services))
  })
})

test.skipIf(apacheModules === undefined)(
  `every guarantee holds behind Apache with mod_deflate${apacheModules === undefined ? ': skipped, needs apache2' : ''}`,
  async () => {
    const [compressing, plain] = await Promise.all([startProcess(), startProcess({ COMPRESSION: 'off' })])
    for (const { api } of [compressing, plain])
      await expectGreen(await startApache({ add: throwaway.undo }, api))
  },
)

describe('the command', () => {
  test('exits with 1 where a guarantee is broken, and names it in text and JUnit report', async () => {
    const [guarantee, , change] = breaks.find(([, name]) => name === 'an error is a page of HTML')!
    const { api } = await startProcess()
    const broken = await startBroken(breakService(askService(createSend(60_000), api), change))
    const file = join(folder, 'broken.xml')
    const { status, stdout } = await runVerify(broken, ['--junit', file])
    expect(status).toBe(1)
    expect(stdout).toMatch(
      new RegExp(`^✗ ${guarantee} .*\\n    curl -sS -i .*\\n {6}came .*\\n {6}expected `, 'm'),
    )
    const { failures } = await readJunit(file)
    const [, text] = failures.find(([one]) => one === guarantee) ?? []
    expect(text).toMatch(/curl -sS -i .*came .*expected /s)
    expect(stdout.match(/^✗ [\w-]+/gm)).toEqual(failures.map(([one]) => `✗ ${one}`))
    for (const key of Object.values(keys)) expect(readFileSync(file, 'utf8')).not.toContain(key)
  })

  // test/cli/commands.test.ts has another path, a port that does not speak TLS, and keys that are refused.
  const startHtml = async (status: number): Promise<string> =>
    (
      await startScript((response) => {
        response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '1' }).end('<p>Hello</p>')
      })
    ).url
  test.each<[string, () => string | Promise<string>, string]>([
    ['no service listens', () => 'http://127.0.0.1:1', 'ECONNREFUSED'],
    ['the host has no address', () => 'http://vitrine.invalid', 'vitrine.invalid'],
    ['the service answers 503 all the time', () => startHtml(503), '503'],
    ['something else answers', () => startHtml(200), 'not the API of Vitrine'],
  ])('exits with 69 where %s', async (_, toUrl, message) => {
    const { status, stdout, stderr } = await runVerify(await toUrl())
    expect([status, stdout]).toEqual([69, ''])
    expect(stderr).toContain(message)
  })

  test('exits with 69 where an answer never ends, of which 16 MiB are read', async () => {
    const { script, sent } = endless(200, 'application/json', 'identity')
    const { status, stderr } = await runVerify((await startScript(script)).url)
    expect(status).toBe(69)
    expect(stderr).toContain('The answer is longer than 16777216 bytes')
    // Each request is tried three times; with what the sockets hold.
    expect(sent()).toBeLessThan(3 * (16 + 16) * (1 << 20))
  })
})
