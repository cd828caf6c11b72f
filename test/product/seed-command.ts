import mysql from 'mysql2/promise'
import { keys } from './keys.js'
import { plain } from './plain.js'
import { runStatements, withAccount } from './server.js'
import { setUpProduct } from './throwaway.js'
import { createTruth } from './truth.js'
import { toCode, toMessage } from './error-text.js'

/*
 * `node dist/testing/seed-command.js`: makes the plain product on a server that stays, for docker/compose.yaml.
 * It drops nothing and replaces nothing: where half of it is there, it fails.
 */

async function runSeed(): Promise<void> {
  const { serverUrl, database, user, password, publicUrl } = readVariables()
  await runStatements(withAccount(serverUrl, { database: '' }), [
    `CREATE DATABASE IF NOT EXISTS ${mysql.escapeId(database, true)} CHARACTER SET utf8mb4`,
  ])
  const adminUrl = withAccount(serverUrl, { database })
  if (await hasRegistrations(adminUrl)) {
    say('The product is there already.')
  } else {
    await setUpProduct(adminUrl, { product: plain, truth: createTruth(), user, password })
    say('The product is there now.')
  }
  say(toBanner(publicUrl))
}

interface Variables {
  readonly serverUrl: string
  readonly database: string
  readonly user: string
  readonly password: string
  /** Where callers find the API that is to be tried out. */
  readonly publicUrl: string
}

function readVariables(): Variables {
  const missing: string[] = []
  const read = (name: string): string => {
    const value = process.env[name] ?? ''
    if (value === '') missing.push(name)
    return value
  }
  const variables = {
    serverUrl: read('ADMIN_DATABASE_URL'),
    database: read('DATABASE_NAME'),
    user: read('READER_USER'),
    password: read('READER_PASSWORD'),
    publicUrl: process.env['PUBLIC_URL'] ?? 'http://127.0.0.1:8080',
  }
  if (missing.length > 0) throw new Error(`Not set: ${missing.join(', ')}`)
  return variables
}

/** Registrations are written last and all at once: where there are any, the rest is there too. */
async function hasRegistrations(adminUrl: string): Promise<boolean> {
  const connection = await mysql.createConnection({ uri: adminUrl })
  try {
    const [rows] = await connection.query('SELECT 1 FROM event_registrations LIMIT 1')
    return Array.isArray(rows) && rows.length > 0
  } catch (error) {
    if (toCode(error) === 'ER_NO_SUCH_TABLE') return false
    throw error
  } finally {
    await connection.end()
  }
}

function toBanner(publicUrl: string): string {
  const list = Object.entries(keys).map(([label, key]) => `  ${label.padEnd(15)}${key}`)
  return `
Keys
${list.join('\n')}

curl -sS -H 'Authorization: Bearer ${keys.both}' '${publicUrl}/api/public/v1/registrations?limit=3'`
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

runSeed().catch((error: unknown) => {
  process.stderr.write(`${toMessage(error)}\n`)
  process.exitCode = 1
})
