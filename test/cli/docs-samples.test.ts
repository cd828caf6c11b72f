import { execFile, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { collections, listExpected } from '../support/expected.js'
import { makeFolder } from '../support/folder.js'
import { listBlocks } from '../support/readme.js'
import { startService, useProduct } from '../support/service.js'

const database = useProduct('plain')
let origin: string
let page: string
const folder = makeFolder()
beforeAll(async () => {
  const { app } = await startService(database)
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
  page = (await app.inject('/docs')).body
  // The integrators' package as it is built.
  const client = join(folder, 'node_modules/vitrine-client')
  await mkdir(client, { recursive: true })
  await writeFile(join(client, 'package.json'), '{ "type": "module", "exports": "./index.js" }')
  const built = pathToFileURL('dist/client/index.js').href
  await writeFile(join(client, 'index.js'), `export * from '${built}'\n`)
})

/** A sample as a reader copies it from the page, which names its own origin. */
function readSample(operationId: string, language: string): string {
  const [, section = ''] = page.split(`id="${operationId}" aria-label`)
  const [, code = ''] = new RegExp(
    `data-language="${language}"><div class="code"><pre[^>]*><code>(.*?)</code>`,
    's',
  ).exec(section)!
  return code
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&(?:lt|gt|quot|amp|#x27);/g, (entity) => entities[entity]!)
    .replaceAll('https://vitrine.example.com', origin)
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
  '&#x27;': "'",
}

const languages = [
  { language: 'bash', file: 'sample.sh', program: 'bash', probe: ['curl', '--version'] },
  { language: 'typescript', file: 'sample.mjs', program: process.execPath, probe: ['true'] },
  { language: 'python', file: 'sample.py', program: 'python3', probe: ['python3', '-c', 'import requests'] },
  { language: 'go', file: 'sample.go', program: 'go', probe: ['go', 'version'] },
  { language: 'php', file: 'sample.php', program: 'php', probe: ['php', '--version'] },
] as const

describe.each(languages)('in $language', ({ language, file, program, probe: [command, ...args] }) => {
  const isMissing = spawnSync(command, args).status !== 0 && process.env['CI'] === undefined
  const note = isMissing ? `: skipped, needs ${[command, ...args].join(' ')}` : ''

  /** What a sample prints, with the key in its environment. */
  async function run(code: string): Promise<string> {
    await writeFile(join(folder, file), code)
    const env = { PATH: process.env['PATH'], HOME: folder, VITRINE_URL: origin, VITRINE_KEY: keys.both }
    const args = language === 'go' ? ['run', file] : [file]
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env })
    return stdout
  }

  test.skipIf(isMissing).each(collections)(`a list prints all %s${note}`, async (collection) => {
    const operation = collection === 'invoices' ? 'listInvoices' : 'listRegistrations'
    const ids = listExpected(database, collection).map(({ view }) => String(view['id']))
    const printed = await run(readSample(operation, language))
    // curl prints the first page alone.
    const wanted = language === 'bash' ? ids.slice(0, 100) : ids
    expect(wanted.filter((id) => !printed.includes(id))).toEqual([])
  })

  test.skipIf(isMissing).each(collections)(`a record is one of %s${note}`, async (collection) => {
    const operation = collection === 'invoices' ? 'getInvoice' : 'getRegistration'
    const id = String(listExpected(database, collection)[1]?.view['id'])
    const sample = readSample(operation, language)
    const code = sample.replace(/(?<=\.get\('|\/(?:registrations|invoices)\/)[\w-]+/, id)
    expect(code).not.toBe(sample)
    expect(await run(code)).toContain(id)
  })

  test.skipIf(isMissing || language !== 'python')(`the program keeps a copy${note}`, async () => {
    const [program = ''] = listBlocks(language, 'docs/integrators.md')
    for (const collection of ['invoices', 'registrations'] as const) {
      await run(`import sys; sys.argv.append("${collection}")\n${program}`)
      const rows = `sqlite3.connect("${collection}.sqlite").execute("SELECT record FROM records")`
      const printed = await run(`import sqlite3\nfor row in ${rows}: print(row[0])`)
      const ids = printed
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id)
      const expected = listExpected(database, collection).map(({ view }) => view['id'])
      expect(ids.toSorted()).toEqual(expected.toSorted())
    }
    await expect(run(`${program}print(since, len(rows))`)).resolves.toMatch(/Z \d+$/m)
  })
})
