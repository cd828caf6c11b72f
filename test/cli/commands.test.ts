import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isGenuine } from '../../src/keys/key-format.js'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements, splitStatements, withAccount } from '../product/index.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase
let folder: string
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 100 })
  folder = await mkdtemp(join(tmpdir(), 'vitrine-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Outcome {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

const vitrine = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ['dist/cli.js', ...args],
      { env: { PATH: process.env['PATH'] ?? '', ...env } },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr })
      },
    )
  })

describe('a command line that is not understood', () => {
  test.each([
    [[]],
    [['nope']],
    [['serve', 'now']],
    [['serve', '--wait', 'long']],
    [['serve', '--wait=-1']],
    [['grants']],
    [['grants', '--user', 'u', '--hots', 'h']],
    [['key', '--workspace', 'w', '--scopes', 'all']],
  ])('%j ends with 64 and the usage', async (args) => {
    const { status, stdout, stderr } = await vitrine(args)
    expect([status, stdout]).toEqual([64, ''])
    expect(stderr).toContain('vitrine serve')
  })

  test('help is no error', async () => {
    for (const line of [['--help'], ['help'], ['grants', '--help']])
      expect(await vitrine(line)).toMatchObject({ status: 0, stderr: '' })
  })
})

describe('serve', () => {
  test('faults of the environment and of the mapping end it with 78, all at once', async () => {
    const mapping = join(folder, 'bad.yaml')
    await writeFile(
      mapping,
      (await readFile('config/mapping.yaml', 'utf8'))
        .replace('table: invoices', 'tabel: invoices')
        .replace('format: space', 'format: tabs'),
    )
    const { status, stdout, stderr } = await vitrine(['serve'], {
      PORT: '70000',
      LOG_LEVEL: 'loud',
      MAPPING_FILE: mapping,
    })
    expect([status, stdout]).toEqual([78, ''])
    for (const path of [
      'PORT',
      'LOG_LEVEL',
      'DATABASE_URL',
      'invoices.tabel',
      'invoices.table',
      'apiKeys.scopes.format',
    ]) {
      expect(stderr).toMatch(new RegExp(`^  ${path.replaceAll('.', '\\.')}: found .+; allowed: .+$`, 'm'))
    }
  })

  test('a file of authorities that holds no certificate is told with the rest', async () => {
    const file = join(folder, 'garbage.pem')
    await writeFile(file, 'garbage')
    const { status, stderr } = await vitrine(['serve'], {
      DATABASE_TLS: 'verify-ca',
      DATABASE_TLS_CA: file,
      PORT: 'x',
    })
    expect(status).toBe(78)
    for (const path of ['PORT', 'DATABASE_URL', 'DATABASE_TLS_CA'])
      expect(stderr).toContain(`  ${path}: found `)
  })

  test('a mapping file that is not there ends it with 78', async () => {
    const { status, stderr } = await vitrine(['serve'], {
      DATABASE_URL: database.readUrl,
      MAPPING_FILE: 'none.yaml',
    })
    expect([status, stderr]).toEqual([
      78,
      expect.stringContaining('MAPPING_FILE: found "none.yaml" (ENOENT)'),
    ])
  })

  test('a mapping that the database does not bear out ends it with 1, every column named', async () => {
    const mapping = join(folder, 'missing.yaml')
    await writeFile(
      mapping,
      (await readFile('config/mapping.yaml', 'utf8'))
        .replace('attendee_email', 'e_mail')
        .replace('total: grand_total', 'total: invoice_no'),
    )
    const { status, stderr } = await vitrine(['serve'], {
      DATABASE_URL: database.readUrl,
      MAPPING_FILE: mapping,
    })
    expect(status).toBe(1)
    expect(stderr).toContain(
      'registrations.fields.email: found event_registrations.e_mail, which does not exist or may not be read',
    )
    expect(stderr).toContain('invoices.fields.total: found invoices.invoice_no of type varchar(40)')
  })

  test('a database that does not answer ends it with 1, and no password is printed', async () => {
    const url = new URL(database.readUrl)
    const wrong = withAccount(database.readUrl, { password: 'not-it' })
    const { status, stderr } = await vitrine(['serve'], { DATABASE_URL: wrong })
    expect([status, stderr.includes('not-it'), stderr.includes(url.password)]).toEqual([1, false, false])
    expect(stderr).toMatch(/Access denied/)
  })

  test.each(['PORT', 'OPS_PORT'])(
    '%s that is taken ends it with 1, and one line that says so',
    async (name) => {
      const taken = createServer().listen(0, '127.0.0.1')
      await once(taken, 'listening')
      const port = String((taken.address() as AddressInfo).port)
      const env = { DATABASE_URL: database.readUrl, PORT: '0', OPS_PORT: '0', [name]: port }
      const { status, stdout, stderr } = await vitrine(['serve'], env)
      expect([status, stderr]).toEqual([1, expect.stringMatching(/^vitrine: .*EADDRINUSE.*\n$/)])
      expect(stdout).not.toContain('"level":50')
      taken.close()
    },
  )

  test('SIGTERM ends it with 0, after the requests in flight', async () => {
    const child = spawn(process.execPath, ['dist/cli.js', 'serve'], {
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.readUrl, PORT: '0', OPS_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let log = ''
    child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()))
    await expect.poll(() => /"api":"([^"]+)"/.exec(log)?.[1], { timeout: 60_000 }).toBeDefined()
    const origin = /"api":"([^"]+)"/.exec(log)![1]!
    const answer = fetch(`${origin}/api/public/v1/registrations`, {
      headers: { authorization: `Bearer ${keys.both}` },
    })
    expect((await answer).status).toBe(200)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(log).toContain('"msg":"closing"')
  })
})

describe('openapi', () => {
  test('prints the document that the API answers, without a database', async () => {
    const { stdout } = await vitrine(['openapi'])
    const { text } = await createClient(await startService(database)).get('openapi.json')
    expect(JSON.parse(stdout)).toEqual(JSON.parse(text))
  })
})

test('openapi refuses a public address that is none', async () => {
  expect(await vitrine(['openapi'], { PUBLIC_URL: 'ftp://x' })).toMatchObject({ status: 78, stdout: '' })
})

describe('check', () => {
  test('prints a page without colour and writes the same as HTML; ends with 0', async () => {
    const page = join(folder, 'check.html')
    const { status, stdout, stderr } = await vitrine(['check', '--html', page], {
      DATABASE_URL: database.readUrl,
    })
    expect([status, stderr], stdout).toEqual([0, ''])
    expect(stdout).toMatch(/^✓ Connection and server$/m)
    expect(stdout).not.toContain('\u001b')
    expect(await readFile(page, 'utf8')).toMatch(/^<!doctype html>/)
  })

  test('ends with 1 where something stands against it, and its JSON says what', async () => {
    const { status, stdout } = await vitrine(['check', '--json'], { DATABASE_URL: database.adminUrl })
    expect([status, (JSON.parse(stdout) as { ok: boolean }).ok]).toEqual([1, false])
  })

  test('ends with 78 for the configuration, and with 64 for a page that cannot be written', async () => {
    expect((await vitrine(['check'], { DATABASE_URL: 'mysql:/x' })).status).toBe(78)
    const page = join(folder, 'none', 'check.html')
    const { status, stderr } = await vitrine(['check', '--html', page], { DATABASE_URL: database.readUrl })
    expect([status, stderr]).toEqual([64, expect.stringContaining('cannot be written')])
  })

  test('ends with 1 where the database does not answer', async () => {
    const { status, stdout, stderr } = await vitrine(['check'], {
      DATABASE_URL: 'mysql://nobody:x@127.0.0.1:1/none',
    })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/ECONNREFUSED/)
  })
})

describe('grants', () => {
  test('makes a user through whom the service starts and answers', async () => {
    const { stdout, status } = await vitrine(['grants', '--user', "o'dd user", '--host', '%'], {
      DATABASE_URL: database.adminUrl,
    })
    expect(status).toBe(0)
    await runStatements(database.adminUrl, splitStatements(stdout))
    const readUrl = withAccount(database.adminUrl, { user: "o'dd user", password: 'CHANGE THIS PASSWORD' })
    const service = await startService({ ...database, readUrl })
    expect((await createClient(service).get('invoices')).status).toBe(200)
    await runStatements(database.adminUrl, ["DROP USER 'o''dd user'@'%'"])
  })

  test('says why each column is there, once for each, and can ask for TLS', async () => {
    const { stdout } = await vitrine(['grants', '--user', 'u', '--host', 'h', '--require-tls'])
    expect(stdout).toContain("CREATE USER 'u'@'h' IDENTIFIED BY 'CHANGE THIS PASSWORD' REQUIRE SSL;")
    expect(stdout).toContain('--   grand_total: invoices.fields.total')
    expect(stdout.match(/GRANT SELECT \(/g)).toHaveLength(3)
    expect(stdout).not.toMatch(/badge|einv|subtotal|phone/)
    expect(stdout).toContain("\n-- SELECT user, host FROM mysql.user WHERE user IN ('u', '');\n")
  })

  test('names tables of neverRead, which a mapped view may read, in comments', async () => {
    const mapping = (await readFile('config/mapping.yaml', 'utf8')).replace('table: invoices', 'table: bills')
    const file = join(folder, 'views.yaml')
    await writeFile(file, mapping)
    const line = ['grants', '--user', 'u', '--host', 'h', '--database', 'd']
    const { stdout } = await vitrine(line, { MAPPING_FILE: file })
    expect(stdout).toContain("\n-- GRANT SHOW VIEW ON `d`.`invoices` TO 'u'@'h';\n")
    expect((await vitrine(line)).stdout).not.toContain('-- GRANT')
  })

  test.each([
    ['--user', 'u\nGRANT'],
    ['--host', 'h\r'],
    ['--database', 'd\u007f'],
    ['--user', ''],
    ['--host', ''],
    ['--database', ''],
  ])('ends with 64 for a %s that is empty or has a control character: %o', async (option, value) => {
    const named = Object.entries({ '--user': 'u', '--host': 'h', '--database': 'd', [option]: value })
    const { status, stdout, stderr } = await vitrine(['grants', ...named.flat()])
    expect([status, stdout]).toEqual([64, ''])
    expect(stderr).toContain(`vitrine: ${option} `)
  })
})

describe('key', () => {
  test.each(['plain', 'awkward'] as const)(
    'mints a key that opens the %s product once its INSERT was run',
    async (name) => {
      const own = await throwaway.createProduct(name, { registrations: 100 })
      const workspace = own.product.workspaceId(1)
      const { stdout } = await vitrine(['key', '--workspace', workspace, '--scopes', 'registration.read'], {
        MAPPING_FILE: own.mappingFile,
      })
      const [, key = '', insert = ''] = /^key +(\S+)\nhash +\S+\ninsert +(.+)\n$/.exec(stdout) ?? []
      expect(isGenuine(key, name === 'plain' ? 'evk_' : '')).toBe(true)
      // The product's own table wants a label, and its awkward one a second form of the scopes.
      const extra = name === 'plain' ? ['label', "'new'"] : ['perms_csv', "''"]
      await runStatements(own.adminUrl, [
        insert.replace(' (', ` (${extra[0]!}, `).replace('VALUES (', `VALUES (${extra[1]!}, `),
      ])
      const client = createClient(await startService(own), key)
      expect((await client.get('registrations')).status).toBe(200)
      expect((await client.get('invoices')).status).toBe(403)
    },
  )
})
