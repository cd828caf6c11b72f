import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { parseConfig } from '../../src/config.js'
import { readSchema } from '../../src/database/schema.js'
import type { RunQuery } from '../../src/database/statement.js'
import type { Proposal } from '../../src/tools/init/propose.js'
import { renderMapping } from '../../src/tools/init/render-mapping.js'
import { listMappedTables } from '../../src/mapping/mapped-columns.js'
import { readMapping } from '../../src/mapping/read-mapping.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'
import { openDatabase } from '../../src/mapping/load-configuration.js'
import { runStatements, splitStatements } from '../product/index.js'
import { listSecrets, products } from '../init/products.js'
import { listOpen, scorePlaces } from '../init/score.js'
import type { ScoredPlace } from '../init/score.js'
import { createOwnDatabase, proposeAt } from '../support/proposal.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
type Content = Record<string, unknown>
const scores = new Map<string, readonly ScoredPlace[]>()

describe.each(products)('the proposal for $name', (product) => {
  let url: string
  let proposal: Proposal
  let secrets: readonly string[]
  beforeAll(async () => {
    url =
      'schema' in product
        ? await createOwnDatabase(throwaway, splitStatements(await readFile(product.schema, 'utf8')))
        : await createShipped(product.name)
    secrets = 'schema' in product ? await withDatabase(url, listSecrets) : product.secrets
    proposal = await proposeAt(url)
  })

  test(`is right at ${product.rightMin} places or more`, async () => {
    const written = parse(await readFile(product.mapping, 'utf8')) as Content
    const places = scorePlaces(written, proposal.mapping)
    scores.set(product.name, places)
    const wrong = places.filter(({ isRight }) => !isRight)
    expect(places.length - wrong.length, JSON.stringify(wrong, null, 1)).toBeGreaterThanOrEqual(
      product.rightMin,
    )
  })

  test('leaves no secret open', () => {
    expect(secrets.length).toBeGreaterThan(2)
    expect(listOpen(secrets, proposal.mapping as Content)).toEqual([])
  })

  test('is a mapping that fits the tables with the indexes that it names, once each TODO has the first of its candidates', async () => {
    const content = parse(renderMapping(proposal)) as Content
    for (const { path, value, runnersUp, undecided } of proposal.choices) {
      if (value !== 'TODO') continue
      expect(undecided, path).toContain('Candidates: ')
      set(content, path.split('.'), runnersUp[0]?.value)
    }
    const mapping = readMapping(stringify(content))
    await runStatements(url, [
      ...splitStatements(proposal.newKeyTable?.ddl ?? ''),
      ...proposal.missingIndexes.map(({ ddl }) => ddl),
    ])
    const schema = await withDatabase(url, (runQuery) => readSchema(runQuery, listMappedTables(mapping)))
    expect(resolveMapping(mapping, schema)).toBeDefined()
  })
})

test('80 of 100 places are right over all products', () => {
  const all = [...scores.values()].flat()
  const right = all.filter(({ isRight }) => isRight).length
  if (process.env['INIT_SCORES'] !== undefined) printScores()
  expect(scores.size).toBe(products.length)
  expect(right / all.length).toBeGreaterThan(0.8)
})

async function createShipped(name: (typeof products)[number]['name']): Promise<string> {
  return (await throwaway.createProduct(name as 'plain', { registrations: 200 })).adminUrl
}

async function withDatabase<Answer>(
  url: string,
  read: (runQuery: RunQuery) => Promise<Answer>,
): Promise<Answer> {
  const database = await openDatabase(parseConfig({ DATABASE_URL: url }))
  try {
    return await read(database.runQuery)
  } finally {
    await database.close()
  }
}

function set(content: Content, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) set(content[name] as Content, rest, value)
  else content[name] = value
}

/** `INIT_SCORES=1` shows what is wrong. */
function printScores(): void {
  for (const [name, places] of scores) {
    const wrong = places.filter(({ isRight }) => !isRight)
    const lines = wrong.map(
      ({ path, expected, proposed }) =>
        `  ${path}: ${JSON.stringify(expected)}, proposed ${JSON.stringify(proposed)}\n`,
    )
    const isUnread = products.some((product) => product.name === name && 'isUnread' in product)
    const shown = isUnread ? '' : lines.join('')
    process.stderr.write(`${name}: ${places.length - wrong.length} of ${places.length}\n${shown}`)
  }
}
