import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { parse } from 'yaml'
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
  readonly map?: Readonly<Record<string, string>>
  readonly refused?: string
  readonly said: string
}
const { attendees, rows, mapping, shapes } = parse(
  readFileSync(new URL('printed-advice.yaml', import.meta.url), 'utf8'),
) as Readonly<Record<'attendees' | 'rows' | 'mapping', string>> & { shapes: Record<string, Shape> }
const history = isMariaDb ? 'WITH SYSTEM VERSIONING' : ''

/** The statements in a text: those of a script, or those that stand in sentences. */
const listPrinted = (text: string): readonly string[] =>
  text.match(/\b(?:CREATE|ALTER|DROP|GRANT|REVOKE|INSERT)\s(?:[^;"'`]|`(?:[^`]|``)*`|'[^']*')*;/g) ?? []

test.each(Object.entries(shapes))('%s', async (name, { statements, map = {}, refused, ...shape }) => {
  const said = new RegExp(shape.said, 'i')
  const suffix = crypto.randomUUID().slice(0, 6)
  const adminUrl = await createOwnDatabase(
    throwaway,
    statements.map((one) =>
      one
        .replace('ATTENDEES', attendees)
        .replace(/^ROWS$/, rows)
        .replace('HISTORY', history)
        .replaceAll('leaver_$', `leaver_${suffix}`),
    ),
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
  expect(await printFacts(variables, false)).toMatch(/attendees(?:\(.+\))? — 2 rows/)
  const asAdministrator = await check(adminUrl)
  for (const print of [printGrants, compareGrants])
    if (refused === undefined) await run(await print(variables, account))
    else await expect(print(variables, account)).rejects.toThrow(new RegExp(refused, 'i'))
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
