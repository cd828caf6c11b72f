import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runStatements, splitStatements } from '../product/index.js'
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
  /** Null where it is not noticed. */
  readonly said: string | null
}

/** Mistakes that are looked at side by side. */
const atOnce = 4

describe.each([
  { name: 'tickets', unseen: 0 },
  { name: 'bills', unseen: 0 },
  { name: 'conference', unseen: 6 },
  { name: 'ledger', unseen: 4 },
])('$name', ({ name, unseen }) => {
  const read = (end: string): string =>
    readFileSync(new URL(`../mistakes/${name}${end}`, import.meta.url), 'utf8')
  const right = read('.yaml')
  let readUrl: string
  beforeAll(async () => {
    readUrl = await createOwnDatabase(throwaway, splitStatements(read('.sql')))
  })

  const prove = async (change: Mistake['change'] = {}, url = readUrl) => {
    const mappingFile = join(folder, `${crypto.randomUUID()}.yaml`)
    const mapping = Object.entries(change).reduce((text, [part, by]) => {
      expect(text).toContain(part)
      return text.replace(part, by)
    }, right)
    await writeFile(mappingFile, mapping)
    const report = await runCheck({ readUrl: url, mappingFile })
    const { findings } = findSection(report, 'contradictions')
    const lines = findings.map((one) => `${one.severity} ${one.object}: ${one.problem}`)
    return { report, findings, lines }
  }

  test('of the right mapping it says no more than that there is no key table', async () => {
    const { lines } = await prove()
    expect(lines.filter((line) => !/^warning vitrine_api_keys: does not exist yet/.test(line))).toEqual([])
  })

  test('each mistake is noticed but those that are known, and each warning says how it is confirmed', async () => {
    const known = new Set((await prove()).lines)
    const open = parse(read('-mistakes.yaml')) as Mistake[]
    expect(open.filter(({ said }) => said === null)).toHaveLength(unseen)
    const wrong: string[] = []
    const examine = async (): Promise<void> => {
      for (let one = open.shift(); one !== undefined; one = open.shift()) {
        const { findings, lines } = await prove(one.change)
        const found = lines.filter((line) => !known.has(line)).join('\n')
        // What a change leaves out of neverRead says nothing of the mistake.
        const isSilent = lines.every((line) => known.has(line) || line.includes(' neverRead: '))
        const isRight = one.said === null ? isSilent : new RegExp(one.said, 'm').test(found)
        if (!isRight) wrong.push(`${one.what}: ${found}`)
        const named = /; if it is meant, write confirmed: \{ \w+: [1-9]\d* \} in (?:registrations|invoices)$/
        const isOpen = (at: number): boolean =>
          !known.has(lines[at] ?? '') && lines[at]?.startsWith('w') === true
        wrong.push(
          ...findings.flatMap(({ fix }, at) => (isOpen(at) && !named.test(fix) ? [lines[at] ?? ''] : [])),
        )
      }
    }
    await Promise.all(Array.from({ length: atOnce }, examine))
    expect(wrong.join('\n\n')).toBe('')
  })

  test.runIf(name === 'tickets')('two times of change hide no row, and want two indexes', async () => {
    const first = 'updatedAt: { first: [first_changed, created_at] }'
    const { report, lines } = await prove({ 'updatedAt: updated_at': first })
    expect(report.ok).toBe(false)
    // Only that another column is later.
    expect(lines).toEqual([
      expect.stringMatching(/^warning registrations.fields.updatedAt: .* later updated_at/),
    ])
    expect(findSection(report, 'cost').findings.map(({ fix }) => fix)).toEqual([
      'CREATE INDEX `ix_vitrine_sync` ON `tickets` (`account_id`, `first_changed`, `id`); ' +
        'CREATE INDEX `ix_vitrine_sync_unchanged` ON `tickets` (`account_id`, `first_changed`, `created_at`, `id`);',
    ])
  })

  test.runIf(name === 'tickets')(
    'records of a deleted event are named, until its mark is tested',
    async () => {
      const events = [
        'ALTER TABLE events ADD removed TINYINT NOT NULL DEFAULT 0',
        'UPDATE events SET removed = id = 4',
      ]
      const own = await createOwnDatabase(throwaway, [...splitStatements(read('.sql')), ...events])
      const [alone, mark] = [
        '{ column: deleted_at, is: set }',
        '{ from: events, on: event_id, column: removed, equals: 1 }',
      ]
      const list = async (change: Mistake['change']) => (await prove(change, own)).lines
      expect(await list({})).toContainEqual(
        expect.stringMatching(
          /^warning registrations.archived: 20 of 70 records are of an event for which .* column: removed } is set$/,
        ),
      )
      expect((await list({ [`archived: ${alone}`]: `archived: [${alone}, ${mark}]` })).join()).not.toContain(
        'deleted',
      )
    },
  )

  test.runIf(name === 'conference')('what is meant is confirmed until it grows by a tenth', async () => {
    const email = 'email: { from: users, on: user_id, column: email }'
    const confirm = (rows: number) => ({
      [email]: 'email: { from: users, on: user_id, column: affiliation }',
      '  table: registrations': `  table: registrations\n  confirmed: { emailMissing: ${rows} }`,
    })
    const missing = '92 of 233 rows of the sample cannot be shown: email is NULL (92)'
    const list = async (rows: number) =>
      (await prove(confirm(rows))).findings.flatMap(({ problem, details = [] }) => [problem, ...details])
    expect(await list(84)).not.toContain(missing)
    expect(await list(83)).toContain(missing)
    const [finding] = (await prove(confirm(83))).findings.filter(({ problem }) => problem === missing)
    expect(finding?.fix).toContain('write confirmed: { emailMissing: 92 } in registrations')
  })

  test.runIf(name === 'ledger')('records stand in full only where they are asked for', async () => {
    const mappingFile = join(folder, 'right.yaml')
    await writeFile(mappingFile, right)
    const report = await runCheck({ readUrl, mappingFile }, {}, true)
    const { notes, tables = [] } = findSection(report, 'records')
    expect(notes).toEqual([expect.stringContaining('in full, and nowhere else')])
    const records = tables.map(({ columns }) => columns[1]?.head ?? '')
    expect(records.map((one) => one.split(': open')[0])).toEqual(
      expect.arrayContaining([
        'registrations, status DRAFT',
        'registrations, changed last',
        'invoices, newest, largest total, status PAID',
        'invoices, left out by where, because fk_statut is "0": no request shows it',
      ]),
    )
    const hidden = tables.find((_, at) => records[at]?.includes('left out by where'))
    expect(hidden?.rows.map(({ field }) => field)).toContain('cannot be shown')
    const largest = tables.find((_, at) => records[at]?.includes('largest total'))
    expect(largest?.rows.map(({ field }) => field)).toContain('total')
    const email = /e-mail (\S+@[^,]+),/.exec(records.join())?.[1] ?? 'none'
    expect(JSON.stringify(report).split(email)).toHaveLength(3)
    expect(JSON.stringify(await runCheck({ readUrl, mappingFile }))).not.toContain(email)
  })

  test.runIf(name === 'ledger')('numbers and currencies can differ from tenant to tenant', async () => {
    const float = 'multicurrency_total_ttc, float:'
    await runStatements(readUrl, [
      `UPDATE llx_facture SET ref = CONCAT('K/', ref), multicurrency_code = 'KWD',
         multicurrency_total_ttc = multicurrency_total_ttc + 0.125 WHERE entity = 3`,
      'UPDATE llx_entity SET visible = 7 WHERE rowid = 3',
    ])
    expect((await prove({ [`${float} 2`]: `${float} 3` })).lines).toEqual([
      expect.stringContaining(' vitrine_api_keys: '),
    ])
    expect((await prove()).lines).toContainEqual(
      expect.stringMatching(/^error invoices.fields.total: .* totals are stored with fractions that are not/),
    )
  })
})
