/** Which workspaces used the database last. */
export interface WorkspaceActivity {
  readonly note: (workspaceId: string | undefined) => void
  /** Whether another workspace than this was active within the last ten minutes. */
  readonly isShared: (workspaceId: string | undefined) => boolean
}

/**
 * How long a workspace counts as active after its last statement. A workspace that sends a request every few minutes
 * finds sessions free for each of them, although none of its requests is in the queue in between.
 */
const activeMs = 600_000

/** No workspace is active yet. The two that were active last are enough to answer for any. */
export function createWorkspaceActivity(): WorkspaceActivity {
  let latest: { readonly workspaceId: string; at: number } | undefined
  let before: typeof latest
  return {
    note: (workspaceId) => {
      if (workspaceId === undefined) return
      const at = performance.now()
      if (latest?.workspaceId === workspaceId) latest.at = at
      else [before, latest] = [latest, { workspaceId, at }]
    },
    isShared: (workspaceId) => {
      const other = latest?.workspaceId === workspaceId ? before : latest
      return other !== undefined && performance.now() - other.at < activeMs
    },
  }
}
