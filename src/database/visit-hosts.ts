import { databaseUnavailable, toDatabaseError } from './errors.js'
import type { HostQueryContext } from './choose-host.js'
import type { Host } from './host.js'
import { SessionError } from './connection.js'
import type { RunQuery } from './statement.js'
import type { WaitingLine } from './waiting-line.js'

/** Runs a task on a session of its own at each host in turn; see `Database`. */
export async function visitHosts<Result>(
  hosts: readonly Host[],
  line: WaitingLine<Host, HostQueryContext>,
  task: (runQuery: RunQuery) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let failure: unknown
  for (const host of hosts) {
    const claim = { not: new Set(hosts.filter((other) => other !== host)) }
    try {
      results.push(await line.run(claim, ({ sessions }) => sessions.runTask(task)))
    } catch (error) {
      failure = error
      if (!(error instanceof SessionError)) throw toDatabaseError(error)
    }
  }
  if (results.length === 0 && failure instanceof SessionError) throw databaseUnavailable(failure.cause)
  return results
}
