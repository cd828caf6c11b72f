import { Problem } from '../errors.js'
import { findBestHealth } from './hosts.js'
import type { Host, HostQueryContext } from './hosts.js'
import type { Queue } from './queue.js'
import type { Row, Statement } from './statement.js'

/** The hosts, and how a statement runs at one of them. */
export interface FailoverConfig {
  readonly hosts: readonly Host[]
  readonly queue: Queue<Host, HostQueryContext>
  readonly run: (host: Host, statement: Statement) => Promise<readonly Row[]>
  readonly queryTimeoutMs: number
}

/**
 * Runs a statement at one host, and after an error at another one.
 *
 * @throws the error of the last host, or the error of the queue.
 */
export type SendStatement = (statement: Statement, context: SendContext) => Promise<readonly Row[]>

interface SendContext extends HostQueryContext {
  /** Called when the statement leaves the queue; at once where it does not wait. */
  readonly onSent?: () => void
}

/**
 * Runs each statement at one host. After an error it runs at another host: also after an error of the statement itself,
 * since a replica can lack a table. A host is tried once, where a statement whose index is missing is sent again without
 * its index hint. The second host is always tried, because a locked table can take the whole time limit at the first one;
 * further hosts are tried only while the time limit has not passed since the statement was sent to the second one.
 */
export function createFailover({ hosts, queue, run, queryTimeoutMs }: FailoverConfig): SendStatement {
  if (hosts.length === 1)
    return (statement, context) =>
      queue.run(context, (host) => {
        context.onSent?.()
        return run(host, statement)
      })
  return async (statement, context) => {
    const tried = new Set<Host>()
    const hostContext = { ...context, not: tried }
    let sentAgainAt = 0

    const runAt = async (host: Host): Promise<readonly Row[]> => {
      context.onSent?.()
      tried.add(host)
      if (tried.size === 2) sentAgainAt = performance.now()
      try {
        return await run(host, statement)
      } catch (error) {
        // Any other error is of the statement and says nothing of the host.
        if (error instanceof Problem) host.health.noteError()
        throw error
      }
    }

    for (;;) {
      const triedBefore = tried.size
      try {
        return await (triedBefore === 0 ? queue.run(hostContext, runAt) : queue.runNext(hostContext, runAt))
      } catch (error) {
        const isOfQueue = tried.size === triedBefore
        const isLate = tried.size > 1 && performance.now() - sentAgainAt > queryTimeoutMs
        if (isOfQueue || isLate || !hasOtherHost(hosts, tried)) throw error
      }
    }
  }
}

/** Whether a host was not tried yet. One that is down counts only where every host is. */
function hasOtherHost(hosts: readonly Host[], tried: ReadonlySet<Host>): boolean {
  const others = hosts.filter((host) => !tried.has(host))
  return others.length > 0 && (findBestHealth(others) !== 'down' || findBestHealth(hosts) === 'down')
}

/**
 * Closes all connections to hosts that are down while another host is not. The statements in flight there fail, and
 * run at another host.
 */
export function dropDownHosts(hosts: readonly Host[]): void {
  if (findBestHealth(hosts) === 'down') return
  for (const { health, sessions } of hosts) if (health.state() === 'down') sessions.drop()
}
