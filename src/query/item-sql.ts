import { builder, equalsExactly, limitSlot, quoteName, toTemplate } from '../db/column-sql.js'
import type { BoundValue, Statement } from '../db/statement.js'
import { bindTemplate } from '../db/template.js'
import type { Template } from '../db/template.js'
import type { Source } from '../mapping/source.js'
import { bindIdentifier } from './list-plan.js'
import { applyVisibility, listSelected } from './visible-sql.js'

/** One record as data, from which `renderItem` makes its statement. */
export interface ItemPlan {
  readonly source: Source
  readonly values: ReadonlyMap<string, BoundValue>
}

/** The plan of one record; undefined where no stored id can be shown as this text, so that there is none. */
export function planItem(source: Source, workspaceId: string, id: string): ItemPlan | undefined {
  const workspace = bindIdentifier(source.workspace, workspaceId)
  const stored = bindIdentifier(source.id, id)
  if (workspace === undefined || stored === undefined) return undefined
  return {
    source,
    values: new Map([
      ['id', stored],
      ['workspace', workspace],
      ['limit', '1'],
    ]),
  }
}

const compiled = new WeakMap<Source, Template>()

/** The statement of one record: built once for each source, then only bound. */
export function renderItem({ source, values }: ItemPlan): Statement {
  const template = compiled.get(source) ?? compileItem(source)
  compiled.set(source, template)
  return bindTemplate(template, values)
}

function compileItem(source: Source): Template {
  const query = builder
    .select(listSelected(source))
    .from(quoteName(source.table))
    .where(equalsExactly(source.id.column, quoteName(source.id.column.name), 'id'))
  applyVisibility(query, source)
  return toTemplate(query.limit(limitSlot))
}
