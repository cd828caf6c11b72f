import { afterEach, describe, expect, test } from 'vitest'
import type { AuditResult } from '../../src/audit/audit.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { useAuditedProduct } from '../support/audited.js'
import type { WholeMapping } from '../support/whole-mapping.js'

const { fill, run, listErrors } = useAuditedProduct()

describe('a view', () => {
  const shown =
    'id, workspace_id, event_id, reg_status, attendee_name, attendee_email, checked_in_at, archived_at, created_at, updated_at'
  const overView = (same: WholeMapping): Mapping => ({
    ...same,
    registrations: { ...same.registrations, table: 'shown' },
  })

  async function withView(
    definitions: readonly string[],
    grants: readonly string[],
  ): Promise<AuditResult['findings']> {
    await run(...definitions, ...grants, `GRANT SELECT (${shown}) ON \`$db\`.shown TO $u`)
    const findings = await listErrors(overView)
    // The columns of the table behind it are no longer mapped, which is a finding too.
    return findings.filter(({ object }) => !object.includes('event_registrations'))
  }

  const aliased = shown.replace('attendee_name', 'badge_qr_token AS attendee_name')
  const showView = ['GRANT SHOW VIEW ON `$db`.shown TO $u']

  test('that shows allowed columns is no finding', async () => {
    const findings = await withView(
      [`CREATE VIEW shown AS SELECT ${shown} FROM event_registrations`],
      showView,
    )
    expect(findings).toEqual([])
  })

  test.each([
    ['a forbidden column under another name', `SELECT ${aliased} FROM event_registrations`],
    ['it by what it filters', `SELECT ${shown} FROM event_registrations WHERE badge_qr_token > 'm'`],
  ])('that shows %s is an error', async (_, select) => {
    const findings = await withView([`CREATE VIEW shown AS ${select}`], showView)
    expect(findings.map(({ object }) => object)).toEqual([fill('`$db`.`shown`')])
    expect(findings[0]!.problem).toMatch(/event_registrations\.badge_qr_token/)
  })

  test('over a hidden object is an error, because that can be a view that shows a forbidden column', async () => {
    const layers = [
      `CREATE VIEW inner_view AS SELECT ${aliased} FROM event_registrations`,
      `CREATE VIEW shown AS SELECT ${shown} FROM inner_view`,
    ]
    const unseen = await withView(layers, showView)
    await run('GRANT SHOW VIEW ON `$db`.inner_view TO $u')
    const seen = (await listErrors(overView)).filter(({ object }) => object.includes('inner_view'))
    expect(unseen).toEqual([
      expect.objectContaining({ object: fill('`$db`.`inner_view`'), privilege: 'SHOW VIEW' }),
    ])
    expect(seen.map(({ problem }) => problem)).toEqual([
      'a view that reads event_registrations.badge_qr_token, which neverRead forbids',
    ])
  })

  test('over a view that neverRead names is evaluated too', async () => {
    const layers = [
      `CREATE VIEW inner_view AS SELECT ${aliased} FROM event_registrations`,
      `CREATE VIEW shown AS SELECT ${shown} FROM inner_view`,
    ]
    await run(...layers, ...showView, `GRANT SELECT (${shown}) ON \`$db\`.shown TO $u`)
    const found = await listErrors((same) => ({
      ...overView(same),
      neverRead: [...same.neverRead, 'inner_view.whatever'],
    }))
    expect(found.map(({ object }) => object)).toContain(fill('`$db`.`inner_view`'))
  })

  describe('over a table with a generated column', () => {
    const computed = shown.replace('attendee_name', 'ref AS attendee_name')
    const layers = [
      "ALTER TABLE event_registrations ADD step VARCHAR(80) GENERATED ALWAYS AS (CONCAT('ref-', badge_qr_token)) VIRTUAL, ADD ref VARCHAR(90) GENERATED ALWAYS AS (CONCAT(step, '')) VIRTUAL",
      `CREATE VIEW shown AS SELECT ${computed} FROM event_registrations`,
    ]
    afterEach(() => run('ALTER TABLE event_registrations DROP ref, DROP step'))

    test('that is computed from a forbidden one is an error', async () => {
      const found = await withView(layers, showView)
      expect(found.map(({ problem }) => problem)).toEqual([
        'a view that reads event_registrations.ref, which is computed from badge_qr_token, which neverRead forbids',
      ])
    })
  })

  test('whose definition, or that of a table that it joins, is hidden is an error', async () => {
    const names = shown.split(', ').map((name) => `r.${name}`)
    const joined = `CREATE VIEW shown AS SELECT ${names.join(', ')} FROM event_registrations r JOIN workspaces w ON w.id = r.workspace_id`
    const hidden = await withView([joined], [])
    await run(...showView)
    const behind = (await listErrors(overView)).filter(({ privilege }) => privilege === 'SHOW VIEW')
    expect(hidden.map(({ object, privilege }) => [object, privilege])).toEqual([
      [fill('`$db`.`shown`'), 'SHOW VIEW'],
    ])
    expect(behind.map(({ object }) => object)).toEqual([fill('`$db`.`workspaces`')])
  })
})
