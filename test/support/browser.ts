import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import type { ProductDatabase } from '../product/index.js'
import { startService, useThrowaway } from './service.js'
import type { TestService } from './service.js'

/** Debian's place for it, where `CHROMIUM_PATH` does not name another. */
const usualPath = '/usr/bin/chromium'

/** Undefined where there is no browser to test with; a name that was given is taken at its word. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? (existsSync(usualPath) ? usualPath : undefined)

/** The tests of a file that need a browser; skipped where there is none. @param define gets what gives the browser of all of them */
export function describeInBrowser(title: string, define: (useBrowser: () => Browser) => void): void {
  const missing = chromiumPath === undefined ? ': skipped, no Chromium here; CHROMIUM_PATH may name one' : ''
  describe.skipIf(chromiumPath === undefined)(`${title}${missing}`, () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await openBrowser()
    })
    afterAll(() => browser.close())
    define(() => browser)
  })
}

/** A service with the documentation that a test file reads, and its origin; there when the tests run. */
export function serveDocs() {
  const throwaway = useThrowaway()
  const served = {} as { database: ProductDatabase; service: TestService; origin: string }
  beforeAll(async () => {
    served.database = await throwaway.createProduct('plain')
    served.service = await startService(served.database)
    served.origin = await served.service.app.listen({ port: 0, host: '127.0.0.1' })
  })
  return served
}

/** Chromium without a window, which can reach this machine alone. */
function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  })
}

/** What a page did beside what it shows. */
export interface Witness {
  /** Errors, warnings and uncaught exceptions, each with its kind. */
  readonly complaints: string[]
  /** Every address that was asked for. */
  readonly requested: string[]
  /** Status and address of every answer that is not a success. */
  readonly refused: string[]
}

/** Watches a page from before it opens anything. */
export function watchPage(page: Page): Witness {
  const witness: Witness = { complaints: [], requested: [], refused: [] }
  page.on('console', (message) => {
    if (['error', 'warning', 'assert'].includes(message.type()))
      witness.complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => witness.complaints.push(`exception: ${error.message}`))
  page.on('request', (request) => witness.requested.push(request.url()))
  page.on('requestfailed', (request) => {
    // The next navigation ends a request in progress, such as that of the icon.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') witness.refused.push(`failed ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) witness.refused.push(`${response.status()} ${response.url()}`)
  })
  return witness
}

/** What is done with a page. */
export type PageTask = (page: Page, witness: Witness) => Promise<void>

/** Runs with a page of its own, which is closed whatever happens. */
export async function runWithPage(
  browser: Browser,
  options: BrowserContextOptions,
  task: PageTask,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  // A test ends by the limit of Vitest alone, however slow the machine is.
  context.setDefaultTimeout(0)
  try {
    const page = await context.newPage()
    await task(page, watchPage(page))
  } finally {
    await context.close()
  }
}
