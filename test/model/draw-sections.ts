import { addColumn, addTable, oneIn } from './draft.js'
import type { Draft, DraftTable } from './draft.js'
import { drawCollation } from './draw-columns.js'
import { drawDomain, drawIdentifier, drawIds, drawTwins, toPublic } from './draw-identifiers.js'
import type { Domain } from './draw-identifiers.js'
import { drawCounter, drawSpot, drawTwinSpot, toOption } from './draw-lookups.js'
import type { Lookups, Spot } from './draw-lookups.js'
import {
  drawChangeTime,
  drawCheckIn,
  drawCurrency,
  drawDayField,
  drawFirst,
  drawName,
  drawReference,
  drawStatus,
  drawTextField,
  drawTotal,
} from './draw-fields.js'
import type { SectionDraft } from './draw-fields.js'
import { drawArchived, drawWhere } from './draw-tests.js'
import { isLookup, toOptions } from './mapping.js'
import type { Given, Section } from './mapping.js'

/** A section together with its table, and what its foreign columns are drawn from. */
interface SectionInput {
  readonly draft: Draft
  readonly lookups: Lookups
  readonly workspaces: Domain
  readonly events: Domain
}

/** What both sections have, and where further fields go. */
interface Common {
  readonly section: SectionDraft
  readonly ids: Domain
  readonly idType: {
    readonly collation: string | undefined
    readonly as: 'uuid' | 'uuid-swapped' | undefined
  }
  readonly base: Omit<Section, 'fields'>
  readonly fields: Readonly<Record<'id' | 'createdAt' | 'updatedAt', Given>>
}

/** The section of registrations. */
export function drawRegistrations(input: SectionInput): Section {
  const { section, base, fields } = drawCommon(input, 'attendees')
  return {
    ...base,
    fields: {
      eventId: drawFirst(section, ['e1', '7'], () => drawEventColumn(input, section.table, base.workspace)),
      status: drawStatus(section),
      name: drawName(section),
      email: drawTextField(section, 'email'),
      ...drawCheckIn(section),
      ...fields,
    },
  }
}

/** The section of invoices. */
export function drawInvoices(input: SectionInput): Section {
  const common = drawCommon(input, 'documents')
  const { section, base, fields } = common
  return {
    ...base,
    eventId: drawEvent(input, common),
    fields: {
      number: drawReference(section),
      status: drawStatus(section),
      total: drawTotal(section, (lines) =>
        addColumn(input.draft, lines, 'of', drawReferring(input.draft, common)),
      ),
      currency: drawCurrency(section),
      issueDate: drawDayField(section, 'issued'),
      dueDate: oneIn(input.draft, 5) ? null : drawDayField(section, 'due'),
      ...fields,
    },
  }
}

function drawCommon(input: SectionInput, what: string): Common {
  const { draft, lookups } = input
  const { random } = draft
  const table = addTable(draft, what, random.whole(5) === 0 ? random.whole(4) : 4 + random.whole(16))
  const ids = drawIds(draft, table.rowCount)
  const { id, idName } = drawIdColumn(draft, table, ids)
  const section = { draft, lookups, table }
  const workspace = drawWorkspace(input, table)
  const where = drawWhere(draft, lookups, table)
  const updatedAt = drawChangeTime(section)
  addIndexes(draft, table, { idName, workspace, updatedAt, where })
  return {
    section,
    ids,
    idType: { collation: id.column.collation, as: id.as },
    base: {
      table: table.name,
      ...(where.length === 0 ? {} : { where }),
      workspace,
      archived: drawArchived(draft, lookups, table),
      ...(oneIn(draft, 2) ? { invalidRows: oneIn(draft, 3) ? 'fail' : 'skip' } : {}),
    },
    fields: {
      id: toOption({ table }, idName, { as: id.as, zeros: id.zeros }),
      createdAt: drawDayField(section, 'created'),
      updatedAt,
    },
  }
}

/** One for all rows, or a column. */
function drawWorkspace(input: SectionInput, table: DraftTable): Section['workspace'] {
  const { draft, lookups, workspaces } = input
  if (oneIn(draft, 8)) return { constant: toPublic(workspaces, draft.random.pick(workspaces.values)) }
  const spot = oneIn(draft, 3) ? drawTwinSpot(draft, lookups, table) : undefined
  return drawForeign(input, table, { what: 'workspace', domain: workspaces, spot })
}

/** The id: the primary key, or a unique column that may be NULL. */
function drawIdColumn(draft: Draft, table: DraftTable, { kind, values }: Domain) {
  const isPrimary = !oneIn(draft, 4)
  const nullable = !isPrimary && oneIn(draft, 2)
  let next = 0
  const id = drawIdentifier(
    draft,
    { kind, values },
    { nullable, draw: () => (nullable && oneIn(draft, 5) ? null : values[next++]!) },
  )
  if (!isPrimary) table.primary = [addColumn(draft, table, 'pk', drawCounter())]
  const idName = addColumn(draft, table, 'id', id.column)
  if (isPrimary) table.primary = [idName]
  else table.unique.push(idName)
  return { id, idName }
}

function addIndexes(
  draft: Draft,
  table: DraftTable,
  {
    idName,
    workspace,
    updatedAt,
    where,
  }: Pick<Section, 'workspace'> & {
    readonly idName: string
    readonly updatedAt: Given
    readonly where: readonly Given[]
  },
): void {
  const times = toOptions(updatedAt).first ?? [updatedAt]
  const [time, made] = times.map((one) => toOwnName(table, one))
  const own = toOwnName(table, workspace)
  if (time === undefined || own === undefined) return
  if (made !== undefined && oneIn(draft, 2)) table.indexes.push([own, time, made, idName])
  if (oneIn(draft, 2)) table.indexes.push([own, time, idName])
  if (oneIn(draft, 3)) table.indexes.push([time, idName])
  if (isLookup(toOptions(workspace))) addEntryIndexes(draft, table, [own, time, made, idName], where)
  if (oneIn(draft, 4)) table.indexes.push([own, idName])
}

/** By which entries of all workspaces are visited, some with the column of a test in front. */
function addEntryIndexes(
  draft: Draft,
  table: DraftTable,
  [own, time, made, id]: readonly [string, string, string | undefined, string],
  where: readonly Given[],
): void {
  if (oneIn(draft, 2)) table.indexes.push([time, id, ...draft.random.pick([[], [own]])])
  if (made !== undefined && oneIn(draft, 2)) table.indexes.push([time, made, id])
  const [tested] = where.flatMap((test) => toOwnName(table, test) ?? [])
  if (tested !== undefined && oneIn(draft, 2)) table.indexes.push([tested, time, id])
}

/** The column of the table itself that an option begins with. */
function toOwnName(table: DraftTable, given: Given | undefined): string | undefined {
  if (typeof given === 'string') return table.columns.find(({ name }) => name === given)?.name
  return given && toOwnName(table, given.on ?? given.column)
}

interface ForeignInput {
  readonly what: string
  readonly domain: Domain
  /** Where the column is, unless that is to be drawn. */
  readonly spot?: Spot | undefined
}

/** A column that refers to a workspace or an event, here or in another table. */
function drawForeign(
  { draft, lookups }: SectionInput,
  table: DraftTable,
  { what, domain, spot: given }: ForeignInput,
): Given {
  const spot = given ?? drawSpot(draft, lookups, table, 3)
  // One workspace has most of many parents, or of few.
  const most = spot.table.rowCount > 20 ? 20 : spot.lookup !== undefined && oneIn(draft, 2) ? 5 : 0
  const values = [...Array<string>(most).fill(domain.values[0]!), ...domain.values]
  const hasEmpty = what === 'event' && domain.kind === 'text' && oneIn(draft, 2)
  const drawn = drawIdentifier(
    draft,
    { ...domain, values: hasEmpty ? [...values, '', ''] : values },
    { nullable: oneIn(draft, 4) },
  )
  return toOption(spot, addColumn(draft, spot.table, what, drawn.column), {
    as: drawn.as,
    zeros: drawn.zeros,
  })
}

/** A column for the event. Often the one by which the workspace is found: events have workspaces. */
function drawEventColumn(input: SectionInput, table: DraftTable, workspace: Section['workspace']): Given {
  const { on } = toOptions(workspace)
  const own = table.columns.find(({ name }) => name === on)
  if (own !== undefined && own.kind !== 'binary' && !oneIn(input.draft, 3)) return own.name
  return drawForeign(input, table, { what: 'event', domain: input.events })
}

/** A column of another table that refers to the ids of this one, or to texts that are equal to them by a collation only. */
function drawReferring(draft: Draft, { ids, idType }: Common) {
  const known = ids.values.length === 0 ? drawDomain(draft, 2, ids.kind) : ids
  const values = known.values.flatMap((value) => [value, value, value.toUpperCase()])
  const domain = known.kind === 'text' ? { ...known, values } : known
  const collation = oneIn(draft, 2) ? idType.collation : undefined
  return drawIdentifier(draft, domain, { nullable: oneIn(draft, 4), collation, as: idType.as }).column
}

function drawEvent(input: SectionInput, common: Common): Given | null {
  const { section, base } = common
  const { draft, events } = input
  const kind = draft.random.whole(6)
  if (kind === 0) return null
  if (kind > 2)
    return drawFirst(section, ['e1', '7'], () => drawEventColumn(input, section.table, base.workspace))
  const link = addTable(draft, 'link', 1 + draft.random.whole(20))
  link.primary = [addColumn(draft, link, 'pk', drawCounter())]
  const invoice = drawReferring(draft, common)
  const hasTwins = oneIn(draft, 2)
  const event = drawIdentifier(draft, hasTwins ? drawTwins(draft) : events, {
    nullable: oneIn(draft, 4),
    collation: hasTwins ? drawCollation(draft, 'inexact') : undefined,
  })
  const invoiceName = addColumn(draft, link, 'invoice', invoice)
  const eventName = addColumn(draft, link, 'event', event.column)
  if (oneIn(draft, 2)) link.indexes.push([eventName, invoiceName])
  return {
    table: link.name,
    invoice: toOption({ table: link }, invoiceName, { as: common.idType.as }),
    event: toOption({ table: link }, eventName, { as: event.as, zeros: event.zeros }),
  }
}
