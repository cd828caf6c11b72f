import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser, runWithPage, serveDocs } from '../support/browser.js'
import type { PageTask } from '../support/browser.js'
import { listBarriers } from '../support/docs-page.js'

const served = serveDocs()

describeInBrowser('search and copies of the documentation', (useBrowser) => {
  const withPage = (options: BrowserContextOptions, task: PageTask) =>
    runWithPage(useBrowser(), options, task)

  test('/ focuses the search, which leads to fields, errors and guides', () =>
    withPage({}, async (page) => {
      for (const [path, words, title, url] of [
        ['/docs', 'total', 'total', '/docs#getInvoice.total'],
        ['/docs/money', 'mismatch', 'cursor_mismatch', '/docs/errors#cursor_mismatch'],
        ['/docs/errors', 'etag poll', 'Polling', '/docs/sync#polling'],
      ] as const) {
        await page.goto(`${served.origin}${path}`)
        await page.keyboard.press('/')
        await page.keyboard.type(words)
        const results = page.locator('.results a')
        await results.first().waitFor()
        expect(await listBarriers(page)).toEqual([])
        expect(await results.first().locator('strong').innerText()).toBe(title)
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await page.waitForURL(`${served.origin}${url}`)
        expect(await page.locator(':target').isVisible()).toBe(true)
      }
      await page.keyboard.press('/')
      await page.keyboard.type('qxzqxz wvwvwv')
      await page.getByRole('status').getByText('Results for “qxzqxz wvwvwv”: 0').waitFor()
    }))

  test('the search knows what other products call it, and survives a typing error', () =>
    withPage({}, async (page) => {
      await page.goto(`${served.origin}/docs`)
      const search = page.getByRole('searchbox')
      const first = page.locator('.results a').first()
      for (const [words, title] of [
        ['pagination', 'First request'],
        ['SDK', 'TypeScript client'],
        ['timezone', 'Times'],
        ['webhook', 'Polling'],
        ['rate limit', 'rate_limited'],
      ] as const) {
        await search.fill(words)
        await expect.poll(() => page.getByRole('status').innerText()).toContain(`“${words.toLowerCase()}”`)
        expect([words, await first.locator('strong').innerText()]).toEqual([words, title])
      }
      for (const [typed, meant] of [
        ['pagnation', 'pagination'],
        ['curosr', 'cursor'],
        ['webhok', 'webhook'],
        ['registratoins', 'registrations'],
      ] as const) {
        await search.fill(typed)
        await page.getByRole('status').getByText(`Results for “${meant}`).waitFor()
        expect([typed, await first.isVisible()]).toEqual([typed, true])
      }
    }))

  test('a search that could not be loaded is loaded by the next character', () =>
    withPage({}, async (page) => {
      await page.route('**/search.json', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 })
      await page.goto(`${served.origin}/docs`)
      const search = page.getByRole('searchbox')
      await search.pressSequentially('t')
      await page.getByRole('status').getByText('could not be loaded').waitFor()
      await search.pressSequentially('otal')
      await page.getByRole('status').getByText('Results for “total”').waitFor()
    }))

  test('every sample, example and guide can be copied', () =>
    withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      const read = () => page.evaluate('navigator.clipboard.readText()')
      await page.goto(`${served.origin}/docs`)
      const blocks = await page.locator('pre').count()
      expect(await page.locator('.code > .copy').count()).toBe(blocks)
      const sample = page.locator('#getInvoice .sample:visible')
      await sample.getByRole('button', { name: 'Copy' }).click()
      await sample.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await read()).toBe(await sample.locator('code').innerText())
      await page.goto(`${served.origin}/docs/times`)
      await page.getByRole('button', { name: 'Copy page' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await read()).toBe((await served.service.app.inject('/docs/times.md')).body)
    }))

  test('a copy that is refused says so', () =>
    withPage({}, async (page) => {
      await page.addInitScript(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`)
      await page.goto(`${served.origin}/docs`)
      const sample = page.locator('#getInvoice .sample:visible')
      const button = sample.getByRole('button')
      await button.click()
      await expect.poll(() => button.innerText()).toBe('Not copied')
      await expect.poll(() => button.innerText()).toBe('Copy')
    }))

  test('over plain HTTP a copy keeps the focus', () =>
    withPage({}, async (page) => {
      await page.addInitScript(`Object.defineProperty(window, 'isSecureContext', { value: false })`)
      await page.goto(`${served.origin}/docs`)
      const button = page.locator('#getInvoice .sample:visible').getByRole('button')
      await button.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => button.innerText()).toBe('Copied')
      expect(await page.evaluate('document.activeElement.className')).toBe('copy')
    }))
})
