import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { splitStatements } from '../product/index.js'
import { findSection, runCheck } from '../support/checking.js'
import { makeFolder } from '../support/folder.js'
import { createOwnDatabase } from '../support/own-database.js'
import { useThrowaway } from '../support/service.js'

/* What `check` says of a right mapping, and of the same mapping with one plausible mistake, by an administrator's account. */

const throwaway = useThrowaway()
const folder = makeFolder()

interface Mistake {
  readonly what: string
  /** What stands in the mapping, and what a mistaken one has in its place. */
  readonly change: Readonly<Record<string, string>>
  readonly said: string
}

describe.each(['tickets', 'bills'])('%s', (name) => {
  const read = (end: string): string =>
    readFileSync(new URL(`../mistakes/${name}${end}`, import.meta.url), 'utf8')
  const right = read('.yaml')
  let readUrl: string
  beforeAll(async () => {
    readUrl = await createOwnDatabase(throwaway, splitStatements(read('.sql')))
  })

  const prove = async (change: Mistake['change'] = {}) => {
    const mappingFile = join(folder, `${crypto.randomUUID()}.yaml`)
    const mapping = Object.entries(change).reduce((text, [part, by]) => {
      expect(text).toContain(part)
      return text.replace(part, by)
    }, right)
    await writeFile(mappingFile, mapping)
    const report = await runCheck({ readUrl, mappingFile })
    const { findings } = findSection(report, 'contradictions')
    return { report, lines: findings.map((one) => `${one.severity} ${one.object}: ${one.problem}`) }
  }

  test('the right mapping has no error and at most two warnings', async () => {
    const { lines } = await prove()
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([])
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(2)
  })

  test.each(parse(read('-mistakes.yaml')) as readonly Mistake[])('$what', async ({ change, said }) => {
    expect((await prove(change)).lines.join('\n')).toMatch(new RegExp(said, 'm'))
  })

  test.runIf(name === 'tickets')('two times of change hide no row, and want two indexes', async () => {
    const first = 'updatedAt: { first: [first_changed, created_at] }'
    const { report, lines } = await prove({ 'updatedAt: updated_at': first })
    expect(report.ok).toBe(false)
    // Only that another column is later.
    expect(lines).toEqual([expect.stringMatching(/^warning registrations.fields.updatedAt: .* is later/)])
    expect(findSection(report, 'cost').findings.map(({ fix }) => fix)).toEqual([
      'CREATE INDEX `ix_vitrine_sync` ON `tickets` (`account_id`, `first_changed`, `id`); ' +
        'CREATE INDEX `ix_vitrine_sync_unchanged` ON `tickets` (`account_id`, `first_changed`, `created_at`, `id`);',
    ])
  })
})
