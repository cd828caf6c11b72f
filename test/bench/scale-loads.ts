import type { ProductDatabase } from '../product/index.js'
import { eventsPerWorkspace, toEventId, toKey, toWorkspaceId } from './fill.js'
import { toFirstPage, toItem, toPageBehind } from './loads.js'
import type { ListKind, Load, Place, Target } from './loads.js'
import { ask, readSources } from './sources.js'

const limit = 25
/** Where page 10,000 begins. */
const deepPlace = 9_999 * limit
const targetCount = 50

/** Pages at the front and far behind, of a workspace that has all rows but one, and of one that has that row. */
export async function createScaleLoads(
  database: ProductDatabase,
  registrations: number,
): Promise<readonly Load[]> {
  const { registrations: source } = await readSources(database)
  const kindOf = (workspace: number, eventId?: string): ListKind => ({
    ...{ collection: 'registrations', source, limit },
    ...{ workspaceId: toWorkspaceId(workspace), key: toKey(workspace) },
    ...(eventId === undefined ? {} : { filters: { eventId } }),
  })
  const [all, one] = [kindOf(0), kindOf(1)]
  const event = kindOf(0, toEventId(0, 3))
  const deep = chooseDeepPlace(registrations)
  const deepInEvent = chooseDeepPlace(registrations / eventsPerWorkspace)
  const middle = await readPlaces(database, all, Math.floor(registrations / 2))
  const list = (slug: string, title: string, targets: readonly Target[], rows = limit): Load => {
    return { slug, title, targets, rows, status: 200, connections: 16 }
  }
  return [
    list('first', 'page 1', [toFirstPage(all)]),
    list('deep', 'page 10,000', toPages(all, await readPlaces(database, all, deep))),
    list(
      'since',
      '`updatedSince`, in the middle',
      middle.map((place) => toFirstPage(all, place)),
    ),
    list('event-first', '`eventId`, page 1', [toFirstPage(event)]),
    list(
      'event-deep',
      '`eventId`, page 10,000',
      toPages(event, await readPlaces(database, event, deepInEvent)),
    ),
    list('one-row', 'the workspace with one row', [toFirstPage(one)], 1),
    {
      ...list(
        'registration',
        'one registration',
        middle.map(({ id }) => toItem(all, id)),
        1,
      ),
      connections: 64,
    },
  ]
}

/** The place of page 10,000, or of one of the last where there are fewer; a tenth of all rows is archived. */
function chooseDeepPlace(rows: number): number {
  return Math.min(deepPlace, Math.floor(rows * 0.85) - 100)
}

function toPages(kind: ListKind, places: readonly Place[]): readonly Target[] {
  return places.map((place) => toPageBehind(kind, place))
}

/** Rows of a list, one after the other, from a place in it on. */
async function readPlaces(
  database: ProductDatabase,
  { workspaceId, filters }: ListKind,
  place: number,
): Promise<readonly Place[]> {
  const event = filters?.eventId
  return ask<Place>(
    database,
    `SELECT id, updated_at AS updatedAt FROM event_registrations
      WHERE workspace_id = ? AND archived_at IS NULL ${event === undefined ? '' : 'AND event_id = ?'}
      ORDER BY updated_at, id LIMIT ${targetCount} OFFSET ${Math.max(0, place - targetCount)}`,
    event === undefined ? [workspaceId] : [workspaceId, event],
  )
}
