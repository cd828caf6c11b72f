// `npm run screenshots`: takes the pictures of README from the product of the demo, into docs/images or the folder of
// --out. Needs Chromium, at /usr/bin/chromium or where CHROMIUM_PATH says. Plain JavaScript, because jiti would compile
// the whole of Playwright.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { keys, startThrowaway } from 'vitrine/testing'

const { values } = parseArgs({ options: { out: { type: 'string', default: 'docs/images' } } })

/** The documentation page with the answer to a request. */
async function takeDocumentation(page, env, file) {
  const server = spawn(process.execPath, ['dist/cli.js', 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(server, 'exit')
  try {
    await page.goto(`${await readOrigin(server)}/docs`)
    await page.locator('.schemes .authorize').click()
    await page.locator('.auth-container input').fill(keys.both)
    await page.locator('.auth-btn-wrapper .authorize').click()
    await page.locator('.auth-btn-wrapper .btn-done').click()
    const operation = page.locator('#operations-registrations-listRegistrations')
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await operation.locator('tr[data-param-name=limit] input').fill('2')
    await operation.getByRole('button', { name: 'Execute', exact: true }).click()
    const answer = operation.locator('.live-responses-table')
    await answer.waitFor()
    // Below the bar that stays at the top.
    await answer.evaluate((element) =>
      window.scrollTo(0, element.getBoundingClientRect().top + scrollY - 480),
    )
    await page.screenshot({ path: file })
  } finally {
    server.kill('SIGTERM')
    await exited
  }
}

/** Reads the address of the API from the log. */
async function readOrigin(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const origin = /"api":"([^"]+)"/.exec(line)?.[1]
    if (origin !== undefined) {
      // The log is read to its end, so that the server never waits for a reader.
      server.stdout.resume()
      return origin
    }
  }
  throw new Error('The server did not start')
}

/** The page of `vitrine check`. */
async function takeReport(page, env, file) {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-screenshots-'))
  try {
    const report = join(folder, 'check.html')
    await promisify(execFile)(process.execPath, ['dist/cli.js', 'check', '--html', report], { env })
    await page.goto(pathToFileURL(report).href)
    await page.screenshot({ path: file })
  } finally {
    await rm(folder, { recursive: true })
  }
}

const throwaway = await startThrowaway()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
})
try {
  const { readUrl, mappingFile } = await throwaway.createProduct('plain')
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: readUrl,
    MAPPING_FILE: mappingFile,
    PORT: '0',
    OPS_PORT: '0',
  }
  const openPage = () => browser.newPage({ viewport: { width: 1200, height: 860 }, colorScheme: 'light' })
  await mkdir(values.out, { recursive: true })
  await takeReport(await openPage(), env, join(values.out, 'check.png'))
  await takeDocumentation(await openPage(), env, join(values.out, 'docs.png'))
} finally {
  await browser.close()
  await throwaway.stop()
}
