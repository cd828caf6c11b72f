import mysql from 'mysql2/promise'
import type { RowDataPacket } from 'mysql2/promise'
import { basePath } from '../../src/api/paths.js'
import { toKey, toWorkspaceId } from './fill.js'

const ownKinds = ['first', 'list', 'page', 'record', 'poll', 'missing'] as const
/**
 * What a caller asks for: the first page of a crawl and one behind it, both of 25 records, one of 100, a record, a page behind
 * the last change, a record that does not exist, and the one first page that all callers of the workspace ask for.
 */
export const kinds = [...ownKinds, 'same'] as const
export type Kind = (typeof kinds)[number]

/** One request: its path at Vitrine, and its path at the plain handler. */
export interface Target {
  readonly workspace: number
  readonly headers: Readonly<Record<string, string>>
  readonly vitrine: string
  readonly plain: string
}

export type Targets = Readonly<Record<Kind, readonly Target[]>>

interface Row {
  readonly id: string
  readonly updatedAt: string
}

const sampleSql = `SELECT id, updated_at AS updatedAt FROM event_registrations
  WHERE workspace_id = ? AND archived_at IS NULL ORDER BY updated_at, id`
/** Beyond every row; a poll says when it was last here, and finds nothing. */
const lastChange = '2027-01-01T00:00:00.000'

/**
 * Requests at random places of every workspace.
 *
 * @param origin a Vitrine, whose cursors begin the pages.
 */
export async function createTargets(adminUrl: string, origin: string, workspaces: number): Promise<Targets> {
  const targets: Record<Kind, Target[]> = {
    first: [],
    list: [],
    page: [],
    record: [],
    poll: [],
    missing: [],
    same: [],
  }
  const connection = await mysql.createConnection({ uri: adminUrl, dateStrings: true })
  try {
    for (let workspace = 0; workspace < workspaces; workspace += 1) {
      const [rows] = await connection.query<RowDataPacket[]>(sampleSql, [toWorkspaceId(workspace)])
      const few = pickSome(rows.slice(0, -30) as Row[], workspace === 0 ? 500 : 10)
      for (const row of few) {
        const made = await createOfRow(row, workspace, origin)
        for (const kind of ownKinds) targets[kind].push(made[kind])
      }
      targets.same.push(targets.first.at(-1)!)
    }
  } finally {
    await connection.end()
  }
  return targets
}

async function createOfRow(
  { id, updatedAt }: Row,
  workspace: number,
  origin: string,
): Promise<Record<(typeof ownKinds)[number], Target>> {
  const base = `${basePath}/registrations`
  const headers = { authorization: `Bearer ${toKey(workspace)}` }
  const since = `${updatedAt.replace(' ', 'T')}Z`
  const answer = await fetch(`${origin}${base}?limit=1&updatedSince=${since}`, { headers })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  const { data, meta } = (await answer.json()) as { data: Row[]; meta: { cursor: string } }
  const toTarget = (vitrine: string, plain: string): Target => ({ workspace, headers, vitrine, plain })
  const missing = `MISSING${id.slice(7)}`
  const plainList = `/registrations?since=${since.slice(0, -1)}&after=${data[0]!.id}`
  return {
    first: toTarget(`${base}?limit=25&updatedSince=${since}`, plainList),
    list: toTarget(`${base}?limit=25&cursor=${meta.cursor}`, plainList),
    page: toTarget(`${base}?limit=100&cursor=${meta.cursor}`, `${plainList}&limit=100`),
    record: toTarget(`${base}/${id}`, `/registrations/${id}`),
    poll: toTarget(`${base}?updatedSince=${lastChange}Z`, `/registrations?since=${lastChange}&after=`),
    missing: toTarget(`${base}/${missing}`, `/registrations/${missing}`),
  }
}

/** Items at even distances, the same on every run. */
function pickSome<Item>(items: readonly Item[], count: number): readonly Item[] {
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)]!)
}
