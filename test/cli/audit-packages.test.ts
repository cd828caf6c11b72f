import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../support/folder.js'

const script = resolve('.ci/audit.mjs')
const bulk = '/-/npm/v1/security/advisories/bulk'

/** Of its own, so that nothing made up stays in this machine's. */
const cache = makeFolder()

interface Registry {
  readonly status: number
  readonly body: unknown
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { version: string }>
}
const { version } = packages['node_modules/fastify']!

/** Runs the script with a registry that answers so, or with none. */
async function audit(registry: Registry | undefined, folder = '.'): Promise<readonly [number, string]> {
  const server = createServer((request, response) => {
    const { status, body } =
      request.url === bulk
        ? registry!
        : { status: 200, body: { name: 'fastify', versions: { [version]: { name: 'fastify', version } } } }
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  if (registry === undefined) server.close()
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_fetch_retries: '0',
      npm_config_cache: cache,
    },
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  server.close()
  return [code, text]
}

test('a finding is a failure, which names the package', async () => {
  const advisory = {
    ...{ id: 1, url: 'https://a.example/1', title: 'made up', severity: 'low' },
    ...{ vulnerable_versions: '<99.0.0', cwe: [], cvss: { score: 0, vectorString: null } },
  }
  const [code, text] = await audit({ status: 200, body: { fastify: [advisory] } })
  expect(code).toBe(1)
  expect(text).toMatch(/^audit: fastify .*, low: made up, https:\/\/a\.example\/1$/m)
})

test('no finding is none', async () => {
  expect(await audit({ status: 200, body: {} })).toEqual([
    0,
    'audit: no known vulnerability in the packages of production\n',
  ])
})

test('a registry that does not tell, or is not there, is a note', async () => {
  for (const registry of [{ status: 405, body: {} }, undefined]) {
    const [code, text] = await audit(registry)
    expect([code, text.split(':', 2).join(':')]).toEqual([0, 'audit: not done, the registry does not answer'])
  }
})

test('what is wrong on this side is a failure', async () => {
  const folder = makeFolder()
  await cp('package.json', join(folder, 'package.json'))
  const [code, text] = await audit({ status: 200, body: {} }, folder)
  expect([code, text]).toEqual([1, expect.stringContaining('audit: not done, npm failed: ')])
})
