// `npm run screenshots`: takes the pictures of README from the product of the demo, into docs/images or the folder of
// --out, and writes the version that they show beside them; with --all, more pages of the documentation, narrow and dark
// ones too. Needs Chromium, at /usr/bin/chromium or where CHROMIUM_PATH says. Plain JavaScript, because jiti would
// compile the whole of Playwright.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { keys, startThrowaway } from 'vitrine/testing'

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'docs/images' }, all: { type: 'boolean', default: false } },
})

/**
 * The pictures of the documentation: name, path, width, colours, and whether a request is sent.
 *
 * @type {readonly (readonly [string, string, number, 'light' | 'dark', boolean])[]}
 */
const documentation = [
  ['docs', '/docs', 1280, 'light', true],
  ['docs-start', '/docs', 1280, 'light', false],
  ['docs-dark', '/docs', 1280, 'dark', true],
  ['docs-mobile', '/docs', 390, 'light', false],
  ['docs-mobile-request', '/docs', 390, 'dark', true],
  ['docs-errors', '/docs/errors#invalid_cursor', 1280, 'light', false],
  ['docs-sync', '/docs/sync', 1280, 'light', false],
  ['docs-client', '/docs/client', 1280, 'light', false],
  ['docs-sync-mobile-dark', '/docs/sync', 390, 'dark', false],
]

/** The documentation; README has the first picture, the others are for looking at changes. */
async function takeDocumentation(browser, env, folder) {
  const server = spawn(process.execPath, ['dist/cli.js', 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(server, 'exit')
  try {
    const origin = await readOrigin(server)
    const wanted = values.all ? documentation : documentation.slice(0, 1)
    for (const [name, path, width, colorScheme, sends] of wanted) {
      const page = await browser.newPage({
        viewport: { width, height: width < 760 ? 844 : 900 },
        colorScheme,
      })
      await page.goto(origin + path)
      if (sends) await sendRequest(page)
      await page.screenshot({ path: join(folder, `${name}.png`) })
      await page.close()
    }
  } finally {
    server.kill('SIGTERM')
    await exited
  }
}

async function sendRequest(page) {
  const operation = page.locator('#listRegistrations')
  await operation.getByText('Send this request').click()
  await operation.getByLabel('API key').fill(keys.both)
  await operation.getByLabel('limit').fill('2')
  await operation.getByRole('button', { name: 'Send', exact: true }).click()
  await operation.locator('.result .status').waitFor()
  const part = page.viewportSize().width < 760 ? operation.locator('.try') : operation
  await part.evaluate((element) => element.scrollIntoView())
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
  await takeDocumentation(browser, env, values.out)
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  await writeFile(join(values.out, 'version.txt'), `${version}\n`)
} finally {
  await browser.close()
  await throwaway.stop()
}
