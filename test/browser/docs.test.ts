import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { chromiumPath, openBrowser, startPrefixProxy, watchPage } from '../support/browser.js'
import type { PrefixProxy, Witness } from '../support/browser.js'
import { base } from '../support/client.js'
import { listExpected } from '../support/expected.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase
let service: TestService
let origin: string
beforeAll(async () => {
  database = await throwaway.createProduct('plain')
  service = await startService(database)
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
})

test.each(['/docs', '/docs/errors'])(
  '%s may load from its own origin alone, and runs nothing inline',
  async (path) => {
    const { statusCode, headers, body } = await service.app.inject(path)
    expect(statusCode).toBe(200)
    const policy = String(headers['content-security-policy'])
    const directives = policy.split('; ').map((directive) => directive.split(' '))
    expect(directives).toContainEqual(['default-src', "'none'"])
    for (const name of ['base-uri', 'form-action', 'frame-ancestors'])
      expect(directives).toContainEqual([name, "'none'"])
    const sources = directives
      .flatMap(([, ...rest]) => rest)
      .filter((source) => !source.startsWith("'sha256-"))
    expect(["'none'", "'self'", 'data:']).toEqual(expect.arrayContaining(sources))
    expect(body).not.toMatch(/<script(?![^>]* src=)|(?:src|href)="(?:https?:)?\/\//)
  },
)

const missing = chromiumPath === undefined ? ': skipped, no Chromium here; CHROMIUM_PATH may name one' : ''

describe.skipIf(chromiumPath === undefined)(`the documentation in a browser${missing}`, () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let witness: Witness
  // One context for all tests: what Chromium has compiled of the page is compiled once. The page keeps no state.
  beforeAll(async () => {
    browser = await openBrowser()
    context = await browser.newContext()
    // A test ends by the limit of Vitest alone, however slow the machine is.
    context.setDefaultTimeout(0)
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    page = await context.newPage()
    witness = watchPage(page)
    return () => page.close()
  })

  test('a key tries out a call and sees the records, and nothing leaves the origin', async () => {
    await openDocs(page, `${origin}/docs`)
    await authorize(page, keys.both)
    const operation = await openOperation(page)
    await execute(operation)
    expect(
      await operation.locator('.live-responses-table .response .response-col_status').innerText(),
    ).toContain('200')
    const shown = listExpected(database, 'registrations').slice(0, 25)
    expect(await readResponse(operation)).toMatchObject({ data: shown.map(({ view }) => view) })
    // The page sends what the reader filled in and the default page size, and makes nothing else up.
    expect(witness.requested.filter((url) => url.includes(base))).toEqual([
      `${origin}${base}/registrations?limit=25`,
    ])
    expect(listStrangers(witness, origin)).toEqual([])
    expect(witness).toMatchObject({ complaints: [], refused: [] })
  })

  test.each([
    ['a wrong key', 'invalid_key', '401 (Unauthorized)', keys.both.replace(/.$/, 'x'), undefined],
    ['a wrong cursor', 'invalid_cursor', '400 (Bad Request)', keys.both, 'none'],
  ])("%s is refused, and the error's type leads to its entry", async (_, code, status, key, cursor) => {
    await openDocs(page, `${origin}/docs`)
    await authorize(page, key)
    const operation = await openOperation(page)
    if (cursor !== undefined) await operation.getByPlaceholder('cursor').fill(cursor)
    await execute(operation)
    const problem = await readResponse(operation)
    expect(problem).toMatchObject({ code, type: `/docs/errors#${code}` })
    await page.goto(new URL(String(problem['type']), origin).href)
    const entry = page.locator('section:target')
    expect(await entry.getAttribute('id')).toBe(code)
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

  test('the page shows the field for a key, no field for an address and no logo of another, and links to the problem types, which link back', async () => {
    await openDocs(page, `${origin}/docs`)
    const field = (await page.locator('.schemes .authorize').boundingBox())!
    expect(field.y + field.height).toBeLessThanOrEqual(page.viewportSize()!.height)
    expect(await page.locator('.topbar').count()).toBe(0)
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/\/theme\/favicon\.svg$/)
    const [errors] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'description of each problem type' }).click(),
    ])
    await errors.getByRole('link', { name: 'API documentation' }).click()
    await errors.locator('.opblock').first().waitFor()
    expect(new URL(errors.url()).pathname).toBe('/docs')
    await errors.close()
  })

  describe('behind a proxy that takes a prefix off', () => {
    let proxy: PrefixProxy
    beforeAll(async () => {
      proxy = await startPrefixProxy('/events')
      const { app } = await startService(database, { env: { PUBLIC_URL: proxy.publicUrl } })
      proxy.lead(app)
    })
    afterAll(() => proxy.close())

    test('/docs finds all that it needs, and the API', async () => {
      await openDocs(page, `${proxy.publicUrl}/docs`)
      await authorize(page, keys.both)
      const operation = await openOperation(page)
      await execute(operation)
      expect(await readResponse(operation)).toHaveProperty('meta.cursor')
      const link = page.getByRole('link', { name: 'description of each problem type' })
      expect(await link.getAttribute('href')).toBe(`${proxy.publicUrl}/docs/errors`)
      expect(witness).toMatchObject({ complaints: [], refused: [] })
      expect(listStrangers(witness, proxy.publicUrl)).toEqual([])
    })

    test('/docs/ finds all that it needs', async () => {
      await openDocs(page, `${proxy.publicUrl}/docs/`)
      expect(witness).toMatchObject({ complaints: [], refused: [] })
      expect(listStrangers(witness, proxy.publicUrl)).toEqual([])
    })

    test('/docs/errors links to the documentation', async () => {
      await page.goto(`${proxy.publicUrl}/docs/errors`)
      const link = await page.getByRole('link', { name: 'API documentation' }).getAttribute('href')
      expect(new URL(link!, page.url()).href).toBe(`${proxy.publicUrl}/docs`)
      expect(witness).toMatchObject({ complaints: [], refused: [] })
    })
  })

  test('/docs/ is the same page as /docs', async () => {
    await openDocs(page, `${origin}/docs/`)
    expect(await page.locator('.opblock').count()).toBe(5)
    expect(witness).toMatchObject({ complaints: [], refused: [] })
  })
})

async function openDocs(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('.opblock').first().waitFor()
}

/** Enters a key as a reader does. */
async function authorize(page: Page, key: string): Promise<void> {
  await page.locator('.schemes .authorize').click()
  await page.locator('.auth-container input').fill(key)
  await page.locator('.auth-btn-wrapper .authorize').click()
  await page.locator('.auth-btn-wrapper .btn-done').click()
}

/** GET /registrations, its fields ready to be filled in. */
async function openOperation(page: Page): Promise<Locator> {
  const operation = page.locator('#operations-registrations-listRegistrations')
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  return operation
}

async function execute(operation: Locator): Promise<void> {
  await operation.getByRole('button', { name: 'Execute', exact: true }).click()
  await operation.locator('.live-responses-table').waitFor()
}

/** The body that the page shows. */
async function readResponse(operation: Locator): Promise<Readonly<Record<string, unknown>>> {
  const body = operation
    .locator('.live-responses-table .response-col_description .highlight-code code')
    .first()
  return JSON.parse((await body.textContent()) ?? '') as Readonly<Record<string, unknown>>
}

/** Addresses that are neither below this one nor part of the page itself. */
function listStrangers({ requested }: Witness, home: string): readonly string[] {
  return requested.filter((url) => !url.startsWith(`${home}/`) && !url.startsWith('data:'))
}
