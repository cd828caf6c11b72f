import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, test } from 'vitest'
import { runStatements, splitStatements, withAccount } from '../product/index.js'
import { afterFile } from '../support/after-file.js'
import { expectDown } from '../support/down.js'
import { clean, during } from '../support/during.js'
import { listBlocks, listLines } from '../support/readme.js'
import { makeFolder } from '../support/folder.js'
import { withDatabase } from '../support/own-database.js'

/*
 * The walk of docs/product-team.md, in the order of the page: the ticketing product without a key table. The tests
 * need each other, as the steps of the page do.
 */

const run = promisify(execFile)
const page = 'docs/product-team.md'
const commands = listLines(listBlocks('sh', page))
const database = `tickets_${process.pid}`
const adminUrl = withAccount(inject('server').adminUrl, { database })
const user = `vitrine_${process.pid}`
const readUrl = withAccount(adminUrl, { user, password: 'secret' })
const folder = makeFolder()

beforeAll(async () => {
  await runStatements(withAccount(adminUrl, { database: '' }), [
    `CREATE DATABASE ${database} CHARACTER SET utf8mb4`,
  ])
  for (const file of ['test/product/ticketing.sql', 'test/product/ticketing-rows.sql'])
    await runStatements(adminUrl, splitStatements(await readFile(file, 'utf8')))
  await runStatements(adminUrl, ['DROP TABLE account_api_tokens'])
})
afterFile(() =>
  runStatements(withAccount(adminUrl, { database: '' }), [
    `DROP DATABASE IF EXISTS ${database}`,
    `DROP USER IF EXISTS '${user}'@'%'`,
  ]),
)

/** A command or an output of the page, with the names of this run. */
function fill(text: string): string {
  return text
    .replaceAll('mysql://admin:secret@db.internal/tickets', adminUrl)
    .replaceAll('mysql://vitrine:secret@db.internal/tickets', readUrl)
    .replaceAll('10.0.0.%', '%')
    .replaceAll(/(?:tickets|skeleton)\.yaml/g, (name) => join(folder, name))
    .replaceAll(/\b(?:check\.html|(?:attendees|orders)\.csv)/g, (name) => join(folder, name))
    .replaceAll('`tickets`', `\`${database}\``)
    .replaceAll('--database tickets', `--database ${database}`)
    .replaceAll('--user vitrine', `--user ${user}`)
    .replaceAll("'vitrine'@", `'${user}'@`)
    .replaceAll('`vitrine`@', `\`${user}\`@`)
}

/** The only command of the page that matches, with the names of this run. */
function findCommand(pattern: RegExp): string {
  const found = commands.filter((line) => pattern.test(line))
  expect(found).toHaveLength(1)
  return fill(found[0] ?? '')
}

async function print(pattern: RegExp): Promise<string> {
  const { stdout, stderr } = await run('sh', ['-c', findCommand(pattern)], { env: clean })
  return `${stdout}${stderr}`
}

/** Servers write integer types with or without a width, and columns of a table are as wide as their cells. */
const normalize = (text: string): string =>
  text.replaceAll(/\bint\(\d+\)/gi, 'int').replaceAll(/ {2,}/g, '  ')

/** Every line of the output that the page shows for a command; `…` stands for what differs in each run. */
function expectShown(printed: string, first: string): void {
  const block = listBlocks('text', page).find((text) => text.startsWith(first))
  expect(block, `${page} shows no output that begins with ${first}`).toBeDefined()
  for (const line of listLines([fill(block ?? '')])) {
    const pattern = normalize(line)
      // It may stand for no column at all.
      .replaceAll('  …  ', '…  ')
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')
    expect(normalize(printed)).toMatch(new RegExp(pattern))
  }
}

test('facts prints the tables and the instructions for an assistant', async () => {
  const printed = await print(/ facts$/)
  expectShown(printed, 'attendees(id) — ')
  expect(printed).toContain('# Mapping with an assistant')
})

test('init writes a skeleton, and the page the finished file', async () => {
  expect(await print(/ init /)).toContain('Written: ')
  expect(await readFile(join(folder, 'skeleton.yaml'), 'utf8')).toContain('  table: attendees\n')
  const [yaml = ''] = listBlocks('yaml', page)
  await writeFile(join(folder, 'tickets.yaml'), yaml)
})

test('check reads the file as an administrator, writes its page, and prints the indexes that the page shows', async () => {
  const printed = await run('sh', ['-c', findCommand(/ check --html/)], { env: clean }).catch(
    (error: unknown) => error as { stdout: string },
  )
  expect(printed.stdout).toContain('380 of 400 rows pass where and archived')
  expect(await readFile(join(folder, 'check.html'), 'utf8')).toContain(': check of ')
  expectShown(printed.stdout, 'CREATE INDEX ')
  const shown = listBlocks('text', page).find((text) => text.startsWith('CREATE INDEX '))
  expect(printed.stdout.match(/CREATE INDEX/g)).toHaveLength(listLines([shown ?? '']).length)
  await runStatements(adminUrl, splitStatements(shown ?? ''))
})

test('check compares the exports that the page names', async () => {
  const write = async (name: string, titles: string, from: string) => {
    const sql = `select concat_ws(';', ${from}`
    const rows = await withDatabase(adminUrl, (query) => query({ sql, values: [] }))
    await writeFile(join(folder, name), [titles, ...rows.map((row) => Object.values(row).join())].join('\n'))
    return rows.length
  }
  const attendees = await write(
    'attendees.csv',
    'Nr.;First name;Last name;Email',
    'a.id, first_name, last_name, email) from attendees a join orders o on o.id = order_id where a.deleted_at is null',
  )
  const invoiced = 'order_reference, email, amount) from orders where is_invoiced = 1 and deleted_at is null'
  await write('orders.csv', 'Invoice number;Email;Total', invoiced)
  const printed = await run('sh', ['-c', findCommand(/ --export /)], { env: clean }).catch(
    (error: unknown) => error as { stdout: string },
  )
  const page = printed.stdout.replaceAll(/\s+/g, ' ')
  expect(page).toContain(`has ${attendees} lines; ${attendees} belong to a record`)
  expect(page).toContain('differs from “Total”')
})

test('key --table prints the key table', async () => {
  const printed = await print(/ key --table/)
  expectShown(printed, 'CREATE TABLE ')
  await runStatements(adminUrl, splitStatements(printed))
})

test('grants prints an account that check and grants --compare accept', async () => {
  const printed = await print(/ grants (?!.*--compare)/)
  expectShown(printed, 'CREATE USER ')
  await runStatements(adminUrl, splitStatements(printed.replace('CHANGE THIS PASSWORD', 'secret')))
  expect(await print(/--compare/)).toContain('and nothing else.')
})

test('a key opens the API of the started service', async () => {
  const printed = await print(/ key --workspace/)
  expectShown(printed, 'key ')
  const [, key = '', insert = ''] = /^key +(\S+)\nhash +\S+\ninsert +(.+)$/m.exec(printed) ?? []
  await runStatements(adminUrl, [insert])
  let api = ''
  const start = findCommand(/ npm start$/)
  await during(`env ${start}`, { PORT: '0', OPS_PORT: '0' }, /"api":"([^"]+)"/, async (origin) => {
    api = origin
    const curl = findCommand(/^curl /).replace('http://127.0.0.1:8080', origin)
    const { stdout } = await run('sh', ['-c', curl], { env: { ...clean, VITRINE_KEY: key } })
    expectShown(stdout, '{"data"')
    const verify = findCommand(/ verify$/).replace('http://127.0.0.1:8080', origin)
    const verified = await run('sh', ['-c', verify], { env: { ...clean, VITRINE_KEY: key } })
    expect(verified.stdout).toContain('✓ lists')
  })
  await expectDown(api)
})

test('grants --compare prints what a changed mapping needs', async () => {
  const file = join(folder, 'tickets.yaml')
  const yaml = await readFile(file, 'utf8')
  await writeFile(file, yaml.replace('number: order_reference', 'number: ticket_pdf_path'))
  const printed = await print(/--compare/)
  expect(printed).toContain('-- What ')
  await runStatements(adminUrl, splitStatements(printed))
  expect(await print(/--compare/)).toContain('and nothing else.')
})

test('each command and output of the page belongs to one of these tests', () => {
  expect(commands).toHaveLength(11)
  expect(listBlocks('text', page)).toHaveLength(6)
})
