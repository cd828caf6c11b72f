import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { makeFolder } from '../support/folder.js'
import { startScript } from '../support/scripted-server.js'

/** An https server with a certificate of its own authority. */
async function startSelfSigned(): Promise<string> {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(makeFolder(), name))
  const form = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
  execFileSync('openssl', [...form, '-keyout', key!, '-out', cert!], { stdio: 'ignore' })
  const server = createServer({ key: readFileSync(key!), cert: readFileSync(cert!) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

const unknown =
  'The certificate of the server is self-signed, or of an authority that this machine does not know; Node reads one more from NODE_EXTRA_CA_CERTS.'

/** The error of a request, which is not retried. */
async function fail(url: string, replaced?: typeof fetch): Promise<unknown> {
  const onRetry = (): never => {
    throw new Error('It was retried.')
  }
  const client = createClient({
    url,
    key: 'k',
    onRetry,
    ...(replaced === undefined ? {} : { fetch: replaced }),
  })
  return client.invoices.get('a').catch((error: unknown) => error)
}

test('a self-signed certificate is one sentence, at once', async () => {
  expect(await fail(await startSelfSigned())).toMatchObject({ code: 'tls_error', detail: unknown })
})

test('https at a port that speaks http is one sentence, at once', async () => {
  const { url } = await startScript()
  expect(await fail(url.replace('http:', 'https:'))).toMatchObject({
    code: 'tls_error',
    isTransient: false,
    detail: 'The server does not speak TLS at this port: the url needs http, or another port.',
  })
})

test.each([
  ['CERT_HAS_EXPIRED', 'has expired, or is not valid yet by the clock of this machine'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for another name than that of the url'],
])('%s is one sentence, at once', async (code, found) => {
  const cause = Object.assign(new Error('the text of OpenSSL'), { code })
  const reject = () => Promise.reject(new TypeError('fetch failed', { cause }))
  expect(await fail('https://a.test', reject)).toMatchObject({
    code: 'tls_error',
    detail: `The certificate of the server ${found}.`,
  })
})
