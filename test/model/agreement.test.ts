import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { compareGrants } from '../../src/tools/commands/grants.js'
import { printFacts } from '../../src/tools/commands/init.js'
import type { KeyTexts } from '../../src/tools/verify/caller.js'
import { createRandom } from '../product/random.js'
import { runStatements, splitStatements, withAccount } from '../product/index.js'
import { runCheck } from '../support/checking.js'
import { makeFolder } from '../support/folder.js'
import { startService } from '../support/service.js'
import { findingsOf, run } from '../support/verifying.js'
import { createSend } from './ask.js'
import type { Send } from './ask.js'
import { drawProduct } from './draw-product.js'
import { drawQuestions } from './draw-questions.js'
import { askAll, readWorld } from './run-product.js'
import type { StoredWorld } from './run-product.js'
import { collections } from './product.js'
import type { Key, Product } from './product.js'
import { createTables, quote } from './server.js'
import { useStage } from './seeds.js'

/*
 * Three parties say the same of one product: `check` reads the database, the oracle knows every answer, and `verify` sees the API
 * only. The product has the account that `grants` prints and the indexes that `check` asks for. Then
 *
 * - the service answers each question of the model rightly, whatever `check` says;
 * - `check` has an error of `contradictions` where a row of a workspace cannot be shown although the mapping says `invalidRows: fail`,
 *   which is when the service answers 500, or no row of a workspace can be shown; random rows look like other mistakes too;
 * - every error of another section than that one and `cost` is a defect of `check`;
 * - without such a row no answer is a 500, and `verify` finds nothing;
 * - `facts` ends with its report.
 *
 * An error of `cost` says nothing of an answer: it says that a page reads more rows than its time may allow, because many
 * rows have one `updatedAt`, for example. Such a product answers rightly too, and no index that `check` names is missing.
 *
 * AGREEMENT_SEED is the first seed, and AGREEMENT_RUNS is the number of products.
 */

const seed = Number(process.env['AGREEMENT_SEED'] ?? 1)
const runs = Number(process.env['AGREEMENT_RUNS'] ?? 100)

describe('check, the service and verify agree', () => {
  const { adminUrl, isMariaDb } = inject('server')
  const openStage = useStage()
  const folder = makeFolder()

  test.each(Array.from({ length: runs }, (_, at) => seed + at))('for the product of seed %i', async (one) => {
    const stage = await openStage()
    const product = drawProduct(one, isMariaDb)
    const database = stage.nameDatabase()
    const user = `agree_${crypto.randomUUID().slice(0, 8)}`
    const mappingFile = join(folder, `${one}.yaml`)
    // JSON is YAML.
    await writeFile(mappingFile, JSON.stringify(product.mapping))
    try {
      await createTables(stage.connection, database, product)
      const world = await readWorld(stage, product)
      const own = { adminUrl: stage.toUrl(database), mappingFile }
      const readUrl = await createAccount(own, user)
      await compare(world, { ...own, readUrl }, one)
    } finally {
      await runStatements(adminUrl, [
        `DROP DATABASE IF EXISTS ${quote(database)}`,
        `DROP USER IF EXISTS '${user}'@'%'`,
      ])
    }
  })
})

interface Own {
  readonly adminUrl: string
  readonly mappingFile: string
}

/** The account that `grants` prints. @returns the address with it */
async function createAccount({ adminUrl, mappingFile }: Own, user: string): Promise<string> {
  const variables = { DATABASE_URL: adminUrl, MAPPING_FILE: mappingFile }
  const grants = await compareGrants(variables, { user, host: '%', requireTls: false })
  const password = crypto.randomUUID()
  await runStatements(adminUrl, [
    ...splitStatements(grants),
    `ALTER USER '${user}'@'%' IDENTIFIED BY '${password}'`,
  ])
  return withAccount(adminUrl, { user, password })
}

async function compare(
  world: StoredWorld,
  database: Own & { readonly readUrl: string },
  one: number,
): Promise<void> {
  const { product } = world
  await printFacts({ DATABASE_URL: database.adminUrl, MAPPING_FILE: database.mappingFile }, false)
  await createIndexes(database)
  const errors = await listErrors(database)
  expect(errors.filter(({ fix }) => /CREATE (?:UNIQUE )?INDEX/i.test(fix))).toEqual([])
  expect(errors.filter(({ id }) => id !== 'cost' && id !== 'contradictions')).toEqual([])
  const failing = listFailing(world)
  const isWrong = failing.length > 0 || collections.some((name) => showsNone(world, name))
  if (isWrong) expect(errors.map(({ id }) => id)).toContain('contradictions')
  const service = await startService(database, {
    env: { DATABASE_POOL_SIZE: '4', COMPRESSION: 'off', LOG_LEVEL: 'error' },
  })
  try {
    const statuses = new Set<number>()
    const send = noteStatuses(createSend(service.app, product), statuses)
    const questions = drawQuestions({ random: createRandom(one), ...world })
    expect(await askAll(send, world, questions)).toBeUndefined()
    if (failing.length > 0) return
    expect([...statuses].filter((status) => status >= 500)).toEqual([])
    const keys = chooseKeys(product)
    if (keys === undefined) return
    const origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
    expect(findingsOf(await run(origin, { keys }))).toEqual([])
  } finally {
    await service.close()
  }
}

/** Creates the indexes that `check` asks for, as its reader would. */
async function createIndexes(database: Own & { readonly readUrl: string }): Promise<void> {
  const { sections } = await runCheck(database)
  const statements = sections.flatMap(({ findings, notes = [] }) =>
    [...findings.map(({ fix }) => fix), ...notes].flatMap(
      (text) => text.match(/CREATE (?:UNIQUE )?INDEX [^;]+/g) ?? [],
    ),
  )
  await runStatements(database.adminUrl, [...new Set(statements)])
}

interface SectionError {
  /** Of the section. */
  readonly id: string
  readonly object: string
  readonly problem: string
  readonly fix: string
}

async function listErrors(database: Own & { readonly readUrl: string }): Promise<readonly SectionError[]> {
  const { sections } = await runCheck(database)
  return sections.flatMap(({ id, findings }) =>
    findings.filter(({ severity }) => severity === 'error').map((finding) => ({ id, ...finding })),
  )
}

/** The collections with a row of some workspace that cannot be shown, whose mapping says that requests fail then. */
function listFailing({ product: { mapping }, entries }: StoredWorld): readonly string[] {
  return collections.filter(
    (name) =>
      mapping[name]?.invalidRows === 'fail' &&
      entries[name]!.some(({ view, workspace }) => view === undefined && workspace !== undefined),
  )
}

/** Whether a collection has rows of workspaces, none of which can be shown. */
function showsNone({ entries }: StoredWorld, name: (typeof collections)[number]): boolean {
  const own = (entries[name] ?? []).filter(({ workspace }) => workspace !== undefined)
  return own.length > 0 && own.every(({ view }) => view === undefined)
}

function noteStatuses(send: Send, statuses: Set<number>): Send {
  return async (...request) => {
    const answer = await send(...request)
    statuses.add(answer.status)
    return answer
  }
}

/** The keys that `verify` can be given; undefined for a product without a key that may read all. */
function chooseKeys({ keys }: Product): KeyTexts | undefined {
  const valid = keys.filter(({ state }) => state === 'valid')
  const isWhole = ({ scopes }: Key): boolean => scopes.length > 1
  const key = valid.find(isWhole)
  if (key === undefined) return undefined
  const others = {
    otherKey: valid.find((one) => isWhole(one) && one.workspace !== key.workspace),
    scopedKey: valid.find((one) => !isWhole(one)),
    revokedKey: keys.find(({ state }) => state === 'revoked'),
  }
  const given = Object.entries(others).flatMap(([name, one]) =>
    one === undefined ? [] : [[name, one.token] as const],
  )
  return { key: key.token, ...Object.fromEntries(given) }
}
