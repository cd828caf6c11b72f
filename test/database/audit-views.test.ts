import { describe, expect, test } from 'vitest'
import type { Audited } from '../../src/commands/audit-database.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { useAuditedProduct } from '../support/audited.js'

const { fill, run, listErrors } = useAuditedProduct()

describe('a view', () => {
  const shown =
    'id, workspace_id, event_id, reg_status, attendee_name, attendee_email, checked_in_at, archived_at, created_at, updated_at'
  const overView = (same: Mapping): Mapping => ({
    ...same,
    registrations: { ...same.registrations, table: 'shown' },
  })

  async function withView(
    definitions: readonly string[],
    grants: readonly string[],
  ): Promise<Audited['findings']> {
    await run(...definitions, ...grants, `GRANT SELECT (${shown}) ON \`$db\`.shown TO $u`)
    const findings = await listErrors(overView)
    // The columns of the table behind it are no longer mapped, which is told as well.
    return findings.filter(({ object }) => !object.includes('event_registrations'))
  }

  async function drop(): Promise<void> {
    await run(
      `REVOKE SELECT (${shown}) ON \`$db\`.shown FROM $u`,
      // The one who was never given it would make the next statement fail.
      'GRANT SHOW VIEW ON `$db`.shown TO $u',
      'REVOKE SHOW VIEW ON `$db`.shown FROM $u',
      'DROP VIEW shown',
      'DROP VIEW IF EXISTS inner_view',
    )
  }

  const aliased = shown.replace('attendee_name', 'badge_qr_token AS attendee_name')
  const showView = ['GRANT SHOW VIEW ON `$db`.shown TO $u']

  test('that shows what it may passes', async () => {
    const findings = await withView(
      [`CREATE VIEW shown AS SELECT ${shown} FROM event_registrations`],
      showView,
    )
    await drop()
    expect(findings).toEqual([])
  })

  test.each([
    ['a forbidden column under another name', `SELECT ${aliased} FROM event_registrations`],
    [
      'it within an expression',
      `SELECT ${shown.replace('attendee_name', 'CONCAT(attendee_name, badge_qr_token) AS attendee_name')} FROM event_registrations`,
    ],
    ['it from a query within', `SELECT ${shown} FROM (SELECT ${aliased} FROM event_registrations) AS r`],
    ['it by what it filters', `SELECT ${shown} FROM event_registrations WHERE badge_qr_token > 'm'`],
  ])('that shows %s is refused', async (_, select) => {
    const findings = await withView([`CREATE VIEW shown AS ${select}`], showView)
    await drop()
    expect(findings.map(({ object }) => object)).toEqual([fill('`$db`.`shown`')])
    expect(findings[0]!.problem).toMatch(/event_registrations\.badge_qr_token/)
  })

  test('over something that cannot be seen is refused: it may be a view that shows one', async () => {
    const layers = [
      `CREATE VIEW inner_view AS SELECT ${aliased} FROM event_registrations`,
      `CREATE VIEW shown AS SELECT ${shown} FROM inner_view`,
    ]
    const unseen = await withView(layers, showView)
    await run(...unseen.map(({ mend }) => mend))
    const seen = (await listErrors(overView)).filter(({ object }) => object.includes('inner_view'))
    await run('GRANT SELECT (id) ON `$db`.inner_view TO $u')
    const read = (await listErrors(overView)).filter(({ object }) => object.includes('inner_view'))
    await run('REVOKE SHOW VIEW, SELECT (id) ON `$db`.inner_view FROM $u')
    await drop()
    expect(unseen).toEqual([
      expect.objectContaining({ object: fill('`$db`.`inner_view`'), privilege: 'SHOW VIEW' }),
    ])
    expect(seen.map(({ problem }) => problem)).toEqual([expect.stringMatching(/^a view whose definition/)])
    expect(read.map(({ problem }) => problem).join()).toMatch(/event_registrations\.badge_qr_token/)
  })

  test('may join a table once it is known for one', async () => {
    const joined = `CREATE VIEW shown AS SELECT ${shown
      .split(', ')
      .map((name) => `r.${name}`)
      .join(', ')} FROM event_registrations r JOIN workspaces w ON w.id = r.workspace_id`
    const findings = await withView([joined], showView)
    await run(...findings.map(({ mend }) => mend))
    const mended = (await listErrors(overView)).filter(({ object }) => object.includes('workspaces'))
    await run('REVOKE SHOW VIEW ON `$db`.workspaces FROM $u')
    await drop()
    expect(findings.map(({ object }) => object)).toEqual([fill('`$db`.`workspaces`')])
    expect(mended).toEqual([])
  })

  test('whose definition cannot be seen is refused, with the grant that lets it be', async () => {
    const findings = await withView([`CREATE VIEW shown AS SELECT ${shown} FROM event_registrations`], [])
    await run(...findings.map(({ mend }) => mend))
    const mended = (await listErrors(overView)).filter(({ object }) => object.includes('shown'))
    await drop()
    expect(findings).toEqual([
      expect.objectContaining({ object: fill('`$db`.`shown`'), privilege: 'SHOW VIEW' }),
    ])
    expect(mended).toEqual([])
  })
})
