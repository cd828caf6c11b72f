import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { describeInBrowser, watchPage } from '../support/browser.js'
import { base } from '../support/client.js'
import { listExpected } from '../support/expected.js'
import { startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'
import { useProduct, useService } from '../support/service.js'

const database = useProduct('plain')
const service = useService(database, { env: { RATE_LIMIT_PER_MINUTE: '1200' } })

/** An integrator's page: the client's files as they are built, and the API behind the same origin. */
const ours: Script = (response, { url = '', headers }) => {
  if (url.startsWith(base)) {
    void service.app.inject({ url, headers }).then((answer) => {
      response.writeHead(answer.statusCode, answer.headers).end(answer.rawPayload)
    })
  } else if (/^\/client\/[a-z-]+\.js$/.test(url)) {
    void readFile(`dist/vitrine-client${url}`).then((text) => {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(text)
    })
  } else if (url.startsWith('/moved')) {
    response.writeHead(302, { location: '/' }).end()
  } else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Ours</title>')
}

/** Runs in the page, which knows nothing of this file. */
const script = `async ({ key }) => {
  const { createClient } = await import('/client/index.js')
  const client = createClient({ url: location.origin, key })
  const ids = []
  for await (const { id } of client.registrations.list({ pageSize: 50 })) ids.push(id)
  const { since: next } = await client.sync('invoices', { onPage: ({ data }) => ids.push(...data.map(({ id }) => id)) })
  const { lastResponse } = await client.invoices.list().firstPage()
  const { since, etag } = await client.sync('invoices', { since: '2000-01-01', onPage: () => undefined })
  const codeOf = (promise) => promise.catch(({ name, code }) => (name === 'VitrineError' ? code : name))
  return {
    ids,
    next,
    none: await codeOf(client.registrations.get('none')),
    moved: await codeOf(createClient({ url: location.origin + '/moved', key }).invoices.get('x')),
    page: await codeOf(createClient({ url: location.origin + '/page', key }).invoices.get('x')),
    aborted: await codeOf(client.invoices.get('x', { signal: AbortSignal.abort() })),
    limit: Number(lastResponse.headers.get('ratelimit-limit')),
    polled: etag && (await client.sync('invoices', { since, etag, onPage: () => undefined })).notModified,
    node: typeof process + typeof Buffer + typeof require,
  }
}`

describeInBrowser('the client in a browser', (useBrowser) => {
  test('reads, syncs and reports as it does in Node, from its built files', async () => {
    const page = await useBrowser().newPage()
    const witness = watchPage(page)
    const { url, headers } = await startScript(ours)
    await page.goto(url)
    const outcome: unknown = await page.evaluate(`(${script})(${JSON.stringify({ key: keys.both })})`)
    const expected = [...listExpected(database, 'registrations'), ...listExpected(database, 'invoices')]
    expect(outcome).toEqual({
      ids: expected.map(({ view }) => view['id']),
      next: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]{12}Z$/) as unknown,
      none: 'not_found',
      moved: 'redirected',
      page: 'unexpected_answer',
      aborted: 'AbortError',
      limit: 1200,
      polled: true,
      node: 'undefinedundefinedundefined',
    })
    // The browser's own, also for the requests of the client.
    const agents = new Set(headers.map((sent) => sent['user-agent']))
    expect([...agents]).toEqual([expect.stringMatching(/^Mozilla/)])
    expect(witness.complaints.filter((text) => text.startsWith('exception'))).toEqual([])
  })
})
