import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { describeInBrowser, startPrefixProxy, watchPage } from '../support/browser.js'
import type { PrefixProxy, Witness } from '../support/browser.js'
import { base } from '../support/client.js'
import { guidePaths, openForm, readResult, sendForm } from '../support/docs-page.js'
import { listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase
let origin: string
beforeAll(async () => {
  database = await throwaway.createProduct('plain')
  const { app } = await startService(database)
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})

describeInBrowser('requests from the documentation', (useBrowser) => {
  let context: BrowserContext
  let page: Page
  let witness: Witness
  // One context for all tests: what Chromium has compiled of the page is compiled once. The page keeps no state.
  beforeAll(async () => {
    context = await useBrowser().newContext()
    // A test ends by the limit of Vitest alone, however slow the machine is.
    context.setDefaultTimeout(0)
  })
  beforeEach(async () => {
    page = await context.newPage()
    witness = watchPage(page)
    return () => page.close()
  })

  test('a key tries out a call and sees the records, page by page, and nothing leaves the origin', async () => {
    await page.goto(`${origin}/docs`)
    const operation = await openForm(page, 'listRegistrations')
    await operation.getByLabel('API key').fill(keys.both)
    await operation.getByLabel('limit').fill('2')
    await sendForm(operation)
    expect(await operation.locator('.result .status').innerText()).toBe('200 OK')
    const records = listExpected(database, 'registrations').map(({ view }) => view)
    const first = await readResult(operation)
    expect(first).toMatchObject({ data: records.slice(0, 2) })
    await operation.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => readResult(operation)).toMatchObject({ data: records.slice(2, 4) })
    // The page sends what the reader filled in, and makes nothing else up.
    const { cursor } = first['meta'] as { readonly cursor: string }
    expect(witness.requested.filter((url) => url.includes(base))).toEqual([
      `${origin}${base}/registrations?limit=2`,
      `${origin}${base}/registrations?limit=2&cursor=${cursor}`,
    ])
    expect(listStrangers(witness, origin)).toEqual([])
    expect(witness).toMatchObject({ complaints: [], refused: [] })
  })

  test('the key is entered once for all operations, and is in memory alone: nothing has it after a reload', async () => {
    await page.goto(`${origin}/docs`)
    const [record] = listExpected(database, 'invoices').map(({ view }) => view)
    await page.locator('#authentication').getByLabel('API key').fill(keys.both)
    const operation = await openForm(page, 'getInvoice')
    await operation.getByLabel('id').fill(String(record?.['id']))
    await sendForm(operation)
    expect(await readResult(operation)).toEqual(record)
    const stored = 'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])'
    expect(await page.evaluate(stored)).not.toContain(keys.both)
    expect(await page.evaluate('indexedDB.databases()')).toEqual([])
    expect(witness.requested.filter((url) => url.includes(keys.both))).toEqual([])
    await page.reload()
    const fields = page.locator('input[data-key]')
    const values = await Promise.all((await fields.all()).map((field) => field.inputValue()))
    expect(values).toEqual(['', '', '', '', ''])
    const again = await openForm(page, 'getInvoice')
    await again.getByLabel('id').fill(String(record?.['id']))
    await sendForm(again)
    expect(await readResult(again)).toMatchObject({ code: 'missing_key' })
  })

  test('an id is sent as one part of the path, whatever its characters', async () => {
    await page.goto(`${origin}/docs`)
    const operation = await openForm(page, 'getRegistration')
    await operation.getByLabel('API key').fill(keys.both)
    await operation.getByLabel('id').fill('../a b?c#d')
    await sendForm(operation)
    expect(await readResult(operation)).toMatchObject({ code: 'not_found' })
    expect(witness.requested.at(-1)).toBe(`${origin}${base}/registrations/..%2Fa%20b%3Fc%23d`)
  })

  test.each(['evk_…', 'evk_\u200b1', 'evk_1 2'])(
    'the key %j is not sent, and the page says why',
    async (key) => {
      await page.goto(`${origin}/docs`)
      const operation = await openForm(page, 'listRegistrations')
      await operation.getByLabel('API key').fill(key)
      await operation.getByRole('button', { name: 'Send', exact: true }).click()
      await operation.getByText(/Not sent: no key contains “[^“”]”/).waitFor()
      expect(witness.requested.filter((url) => url.includes(base))).toEqual([])
      expect(witness.complaints).toEqual([])
    },
  )

  test.each([
    ['a wrong key', 'invalid_key', '401 (Unauthorized)', keys.both.replace(/.$/, 'x'), undefined],
    ['a wrong cursor', 'invalid_cursor', '400 (Bad Request)', keys.both, 'none'],
  ])('%s is refused, and the answer leads to the entry of its code', async (_, code, status, key, cursor) => {
    await page.goto(`${origin}/docs`)
    const operation = await openForm(page, 'listRegistrations')
    await operation.getByLabel('API key').fill(key)
    if (cursor !== undefined) await operation.getByLabel('cursor').fill(cursor)
    await sendForm(operation)
    expect(await readResult(operation)).toMatchObject({ code, type: `/docs/errors#${code}` })
    await operation.getByRole('link', { name: `What to do about ${code}` }).click()
    await page.waitForURL(`${origin}/docs/errors#${code}`)
    const entry = page.locator('section:target')
    const box = (await entry.boundingBox())!
    expect(box.y).toBeGreaterThanOrEqual(0)
    expect(box.y + box.height).toBeLessThanOrEqual(page.viewportSize()!.height)
    // The call that is meant to fail is the one thing that Chromium complains of.
    expect(witness.complaints).toEqual([
      `error: Failed to load resource: the server responded with a status of ${status}`,
    ])
    expect(witness.refused).toHaveLength(1)
    expect(listStrangers(witness, origin)).toEqual([])
  })

  test('/docs/ is the same page as /docs', async () => {
    await page.goto(`${origin}/docs/`)
    const operation = await openForm(page, 'listInvoices')
    await operation.getByLabel('API key').fill(keys.both)
    await sendForm(operation)
    expect(await readResult(operation)).toHaveProperty('meta.cursor')
    expect(await page.locator('.base').innerText()).toBe(`${origin}${base}`)
    expect(witness).toMatchObject({ complaints: [], refused: [] })
  })

  test('a collection that the mapping leaves out has no operation', async () => {
    const { app } = await startService(database, {
      change: ({ invoices: _, ...mapping }) => mapping,
    })
    await page.goto(`${await app.listen({ port: 0, host: '127.0.0.1' })}/docs`)
    const titles = await page.locator('.operation h3').allInnerTexts()
    expect(titles).toEqual(['List registrations', 'Get one registration'])
    expect(await page.getByRole('navigation').getByText('invoice').count()).toBe(0)
  })

  describe.each(['', '/'])('behind a proxy that takes a prefix off, /docs%s', (end) => {
    let proxy: PrefixProxy
    beforeAll(async () => {
      proxy = await startPrefixProxy('/events')
      const { app } = await startService(database, { env: { PUBLIC_URL: proxy.publicUrl } })
      proxy.lead(app)
    })
    afterAll(() => proxy.close())

    test('finds all that it needs, the API, the guides and the way back', async () => {
      await page.goto(`${proxy.publicUrl}/docs${end}`)
      const operation = await openForm(page, 'listRegistrations')
      await operation.getByLabel('API key').fill(keys.both)
      await sendForm(operation)
      expect(await readResult(operation)).toHaveProperty('meta.cursor')
      expect(await operation.locator('.sample:visible').innerText()).toContain(
        `"${proxy.publicUrl}${base}/registrations`,
      )
      for (const path of guidePaths) {
        const name = path.charAt(0).toUpperCase() + path.slice(1)
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
        await page.waitForURL(`${proxy.publicUrl}/docs/${path}`)
      }
      await page.getByRole('navigation').getByRole('link', { name: 'List invoices' }).click()
      await page.waitForURL(`${proxy.publicUrl}/docs#listInvoices`)
      expect(witness).toMatchObject({ complaints: [], refused: [] })
      expect(listStrangers(witness, proxy.publicUrl)).toEqual([])
    })
  })
})

/** Addresses that are not below this one. */
function listStrangers({ requested }: Witness, home: string): readonly string[] {
  return requested.filter((url) => !url.startsWith(`${home}/`))
}
