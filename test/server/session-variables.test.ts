import mysql from 'mysql2/promise'
import { afterEach, expect, inject, test } from 'vitest'
import { keys } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { ask } from '../support/ask.js'
import { startService, useThrowaway } from '../support/service.js'
import type { TestService } from '../support/service.js'

/* What a session inherits from the server and from `init_connect` changes no answer. */

const { createProduct } = useThrowaway()
const { adminUrl, isMariaDb } = inject('server')

/** Each variable with a value that would change rows, bytes, locks or what is visible. */
const hostile: Readonly<Record<string, string>> = {
  autocommit: '0',
  sql_select_limit: '3',
  max_join_size: '1',
  sql_auto_is_null: '1',
  max_sort_length: isMariaDb ? '64' : '4',
  time_zone: "'+13:00'",
  sql_mode: "'ANSI_QUOTES,PAD_CHAR_TO_FULL_LENGTH,PIPES_AS_CONCAT'",
  character_set_client: 'latin1',
  character_set_connection: 'latin1',
  character_set_results: 'latin1',
  collation_connection: 'latin1_bin',
  div_precision_increment: '0',
  group_concat_max_len: '4',
  lc_time_names: "'ar_SA'",
  completion_type: '2',
  sql_safe_updates: '1',
  default_week_format: '3',
}
const isolation = isMariaDb ? 'tx_isolation' : 'transaction_isolation'
const before = new Map<string, unknown>()

afterEach(async () => {
  await runStatements(adminUrl, [
    "SET GLOBAL init_connect = ''",
    ...[...before].map(([name, value]) => {
      const text = String(value)
      return `SET GLOBAL ${name} = ${/^\d+$/.test(text) ? text : `'${text}'`}`
    }),
  ])
  before.clear()
})

async function readAnswers({ app }: TestService): Promise<readonly unknown[]> {
  const headers = { authorization: `Bearer ${keys.both}` }
  const answers = []
  for (const path of ['registrations?limit=100', 'invoices?limit=100', 'registrations?status=CONFIRMED']) {
    const { statusCode, body } = await app.inject({ url: `/api/public/v1/${path}`, headers })
    expect(statusCode, body).toBe(200)
    answers.push((JSON.parse(body) as { readonly data: unknown }).data)
  }
  return answers
}

test.each<readonly [by: string, level: string]>([
  ['SET GLOBAL', 'REPEATABLE-READ'],
  ['SET GLOBAL', 'READ-UNCOMMITTED'],
  ['init_connect', 'SERIALIZABLE'],
  ...(isMariaDb ? [] : [['SET PERSIST', 'SERIALIZABLE'] as const]),
])('no answer depends on variables of the server, set by %s, with isolation %s', async (by, level) => {
  const product = await createProduct('plain', { registrations: 100 })
  const expected = await readAnswers(await startService(product))
  const settings = Object.entries({ ...hostile, [isolation]: `'${level}'` })
  for (const [name] of settings) {
    const [row] = await ask(adminUrl, `SELECT CAST(@@GLOBAL.${name} AS CHAR) AS value`)
    before.set(name, row?.['value'])
  }
  if (by === 'init_connect') {
    const text = settings.map(([name, value]) => `SESSION ${name} = ${value}`).join(', ')
    await runStatements(adminUrl, [`SET GLOBAL init_connect = "SET ${text}"`])
  } else
    await runStatements(
      adminUrl,
      settings.map(([name, value]) => `${by} ${name} = ${value}`),
    )
  const service = await startService(product)
  expect(await readAnswers(service)).toEqual(expected)

  // What is not committed is neither seen nor waited for.
  const writer = await mysql.createConnection(product.adminUrl)
  await writer.query('START TRANSACTION')
  await writer.query("UPDATE event_registrations SET attendee_name = 'no' WHERE id > ''")
  expect(await readAnswers(service)).toEqual(expected)
  await writer.end()

  // A row that is committed is seen at once, and no metadata lock outlives a statement.
  await runStatements(product.adminUrl, [
    'ALTER TABLE event_registrations ADD COLUMN note INT NULL',
    "UPDATE event_registrations SET attendee_name = 'seen at once' WHERE id > ''",
    'COMMIT',
  ])
  expect(JSON.stringify(await readAnswers(service))).toContain('seen at once')
  if (!isMariaDb) await runStatements(adminUrl, ['RESET PERSIST'])
})
