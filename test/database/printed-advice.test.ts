import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { printFacts } from '../../src/tools/commands/init.js'
import { compareGrants, printGrants } from '../../src/tools/commands/grants.js'
import { renderKeyTable } from '../../src/tools/commands/key.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'
import { runStatements, splitStatements, withAccount } from '../product/index.js'
import { runCheck } from '../support/checking.js'
import { makeFolder } from '../support/folder.js'
import { createOwnDatabase } from '../support/own-database.js'
import { useThrowaway } from '../support/service.js'

/* Whatever statement a command prints for a product, the server accepts: each one is run here. */

const throwaway = useThrowaway()
const folder = makeFolder()
const { isMariaDb } = inject('server')

interface Shape {
  readonly statements: readonly string[]
  /** What stands in the mapping in the place of what. */
  readonly map?: Readonly<Record<string, string>>
  /** What grants says where it prints no statement. */
  readonly refused?: RegExp
  /** What check says, to the administrator or to the account of the grants. */
  readonly said: RegExp
}

const columns = `account_id INT NOT NULL, event_id INT NOT NULL, state VARCHAR(20) NOT NULL, full_name VARCHAR(100) NOT NULL,
  email VARCHAR(100) NOT NULL, created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL`
const attendees = `CREATE TABLE attendees (id BIGINT NOT NULL, ${columns}`
const insert = (table = 'attendees'): string =>
  `INSERT INTO ${table} (id, account_id, event_id, state, full_name, email, created_at, updated_at) VALUES
  (1, 1, 7, 'paid', 'A One', 'a@example.com', '2026-03-01', '2026-03-01'), (2, 2, 8, 'paid', 'B Two', 'b@example.com', '2026-03-02', '2026-03-03')`
const mapping = `timezone: '+00:00'
apiKeys:
  table: vitrine_keys
  hash: { column: key_hash, algorithm: sha256, encoding: hex }
  workspace: workspace_id
  scopes: { column: scopes, format: space }
  revokedAt: revoked_at
registrations:
  table: attendees
  workspace: account_id
  archived: []
  fields:
    id: id
    eventId: event_id
    status: state
    name: full_name
    email: email
    checkedIn: { constant: false }
    createdAt: created_at
    updatedAt: updated_at
neverRead: []
`

const shapes: Readonly<Record<string, Shape>> = {
  'a table without indexes': {
    statements: [`${attendees}, PRIMARY KEY (id))`, insert()],
    said: /CREATE INDEX `ix_vitrine_sync`/,
  },
  'a partitioned table, whose id no index makes unique': {
    statements: [
      `${attendees}, PRIMARY KEY (id, created_at)) PARTITION BY RANGE (YEAR(created_at)) (PARTITION p26 VALUES LESS THAN (2027), PARTITION pmax VALUES LESS THAN MAXVALUE)`,
      insert(),
    ],
    said: /makes unique by itself, which a partitioned .* cannot have; or a view/,
  },
  'a partitioned table by its id': {
    statements: [`${attendees}, PRIMARY KEY (id)) PARTITION BY HASH (id) PARTITIONS 4`, insert()],
    said: /CREATE INDEX `ix_vitrine_sync`/,
  },
  'a table with its history': {
    statements: [`${attendees}, PRIMARY KEY (id))${isMariaDb ? ' WITH SYSTEM VERSIONING' : ''}`, insert()],
    said: /CREATE INDEX `ix_vitrine_sync`/,
  },
  'a view whose definer is gone': {
    statements: [
      `${attendees}, PRIMARY KEY (id))`,
      insert(),
      "CREATE USER leaver_$@'%' IDENTIFIED BY 'Xy7#leaver'",
      "CREATE DEFINER = leaver_$@'%' SQL SECURITY DEFINER VIEW shown AS SELECT * FROM attendees",
      "DROP USER leaver_$@'%'",
    ],
    map: { 'table: attendees': 'table: shown' },
    refused: /the view shown, which cannot be read: .*definer.*does not exist/i,
    said: /shown cannot be read: .*definer.*does not exist/i,
  },
  'a table of another database': {
    statements: [`${attendees}, PRIMARY KEY (id))`, insert()],
    map: { 'name: full_name': 'name: { from: mysql.user, on: event_id, column: user }' },
    refused: /mysql.user, no table of this database/,
    said: /make a view in it/,
  },
  'a view': {
    statements: [`${attendees}, PRIMARY KEY (id))`, insert(), 'CREATE VIEW shown AS SELECT * FROM attendees'],
    map: { 'table: attendees': 'table: shown' },
    said: /is an administrator's account/,
  },
  'texts that are too long for an index, and others that have none': {
    statements: [
      `${attendees}, org TEXT NOT NULL, code VARCHAR(900) CHARACTER SET utf8mb4 NOT NULL DEFAULT 'x', PRIMARY KEY (id))`,
      insert()
        .replace('updated_at)', 'updated_at, org)')
        .replaceAll("-01')", "-01', 'a')")
        .replaceAll("-03')", "-03', 'b')"),
    ],
    map: { 'workspace: account_id': 'workspace: code' },
    said: /the server makes none of such types/,
  },
  'a lookup with tests, a link table and keys without an index': {
    statements: [
      `${attendees}, PRIMARY KEY (id))`,
      insert(),
      'CREATE TABLE meta (id INT PRIMARY KEY, attendee BIGINT NOT NULL, k VARCHAR(40) NOT NULL, v TEXT)',
      "INSERT INTO meta VALUES (1, 1, 'mail', 'a@example.com'), (2, 2, 'mail', 'b@example.com')",
      'CREATE TABLE `my ``keys` (key_hash CHAR(64) CHARACTER SET ascii NOT NULL, workspace_id INT NOT NULL, scopes TEXT NOT NULL, revoked_at DATETIME NULL)',
    ],
    map: {
      'email: email':
        'email: { from: meta, on: id, key: attendee, where: [{ column: k, equals: mail }], column: v }',
      'table: vitrine_keys': 'table: "my `keys"',
    },
    said: /make an index on the column of the hash/,
  },
}

/** The statements in a text: those of a script, or those that stand in sentences. */
const listPrinted = (text: string): readonly string[] =>
  text.match(/\b(?:CREATE|ALTER|DROP|GRANT|REVOKE|INSERT)\s(?:[^;"'`]|`(?:[^`]|``)*`|'[^']*')*;/g) ?? []

test.each(Object.keys(shapes))('%s', async (name) => {
  const { statements, map = {}, refused, said } = shapes[name]!
  const suffix = crypto.randomUUID().slice(0, 6)
  const adminUrl = await createOwnDatabase(
    throwaway,
    statements.map((one) => one.replaceAll('leaver_$', `leaver_${suffix}`)),
  )
  const account = { user: `p_${suffix}`, host: '%', requireTls: false }
  throwaway.undo({ do: 'sql', url: adminUrl, statements: [`DROP USER IF EXISTS ${account.user}@'%'`] })
  const mappingFile = join(folder, `${suffix}.yaml`)
  await writeFile(
    mappingFile,
    Object.entries(map).reduce((text, [part, by]) => text.replace(part, by), mapping),
  )
  const variables = { DATABASE_URL: adminUrl, MAPPING_FILE: mappingFile }
  const database = new URL(adminUrl).pathname.slice(1)
  const run = async (text: string): Promise<void> => {
    for (const sql of splitStatements(text)) await runStatements(adminUrl, [sql])
  }
  const check = async (readUrl: string): Promise<string> => {
    const { sections } = await runCheck({ readUrl, mappingFile }, { AUDIT: 'warn' })
    const findings = sections.flatMap((section) => section.findings)
    for (const { fix, problem } of findings)
      for (const sql of listPrinted(`${fix};\n${problem}`)) await runStatements(adminUrl, [sql])
    return findings.map(({ object, problem, fix }) => `${object} ${problem}; ${fix}`).join('\n')
  }
  if (!name.includes('keys')) await run(renderKeyTable((await loadMapping(mappingFile)).apiKeys))
  expect(await printFacts(variables, false)).toMatch(/^attendees.* — 2 rows/m)
  const asAdministrator = await check(adminUrl)
  for (const print of [printGrants, compareGrants])
    if (refused === undefined) await run(await print(variables, account))
    else await expect(print(variables, account)).rejects.toThrow(refused)
  if (refused !== undefined) {
    expect(asAdministrator).toMatch(said)
    return
  }
  const readUrl = withAccount(adminUrl, { user: account.user, password: 'CHANGE THIS PASSWORD' })
  // An account with too much, and with too little.
  const place = `\`${database}\`.${name === 'a view' ? 'shown' : 'attendees'}`
  await run(
    `GRANT INSERT ON ${place} TO ${account.user}@'%'; REVOKE SELECT (state) ON ${place} FROM ${account.user}@'%';`,
  )
  const asAccount = await check(readUrl)
  await run(await compareGrants(variables, account))
  expect(`${asAdministrator}\n${asAccount}\n${await check(readUrl)}`).toMatch(said)
})
