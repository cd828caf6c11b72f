// `npm run screenshots`: takes the pictures of README from the product of the demo, into docs/images or the folder of
// --out, and writes the version that they show beside them. Needs Chromium, at /usr/bin/chromium or where CHROMIUM_PATH
// says. Plain JavaScript, because jiti would compile the whole of Playwright.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { keys, startThrowaway, startVitrine } from 'vitrine/testing'

const { values } = parseArgs({ options: { out: { type: 'string', default: 'docs/images' } } })
const folder = await mkdtemp(join(tmpdir(), 'vitrine-screenshots-'))
const throwaway = await startThrowaway()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
})
try {
  const { readUrl, mappingFile } = await throwaway.createProduct('plain')
  await mkdir(values.out, { recursive: true })
  const open = async (address, width, height) => {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' })
    await page.goto(address)
    return page
  }
  const report = join(folder, 'check.html')
  const env = { PATH: process.env.PATH, DATABASE_URL: readUrl, MAPPING_FILE: mappingFile }
  await promisify(execFile)(process.execPath, ['dist/cli.js', 'check', '--html', report], { env })
  const check = await open(pathToFileURL(report).href, 1200, 860)
  await check.screenshot({ path: join(values.out, 'check.png') })

  const vitrine = await startVitrine({ databaseUrl: readUrl, mapping: mappingFile })
  const docs = await open(`${vitrine.url}/docs`, 1280, 900)
  const operation = docs.locator('#listRegistrations')
  await operation.getByText('Send this request').click()
  await operation.getByLabel('API key').fill(keys.both)
  await operation.getByLabel('limit').fill('2')
  await operation.getByRole('button', { name: 'Send', exact: true }).click()
  await operation.locator('.result .status').waitFor()
  await operation.evaluate((element) => element.scrollIntoView())
  await docs.screenshot({ path: join(values.out, 'docs.png') })
  await vitrine.stop()
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  await writeFile(join(values.out, 'version.txt'), `${version}\n`)
} finally {
  await browser.close()
  await throwaway.stop()
  await rm(folder, { recursive: true })
}
