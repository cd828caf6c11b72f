import { Problem } from '../errors.js'
import { findBestRank } from './choose-host.js'
import type { HostQueryContext } from './choose-host.js'
import type { Host } from './host.js'
import { ranks } from './host-health.js'
import type { Row, Statement } from './statement.js'
import type { WaitingLine } from './waiting-line.js'

/** The hosts, and how one of them is asked. */
export interface AskInput {
  readonly hosts: readonly Host[]
  readonly line: WaitingLine<Host, HostQueryContext>
  readonly run: (host: Host, statement: Statement) => Promise<readonly Row[]>
  readonly queryTimeoutMs: number
}

/** Asks several hosts on behalf of whoever wants an answer of any. */
export interface HostAsker {
  /**
   * @param onSent told when it is about to be sent.
   * @throws what the last host that was asked said, or what the line says.
   */
  readonly ask: (
    statement: Statement,
    claim: HostQueryContext,
    onSent?: () => void,
  ) => Promise<readonly Row[]>
  /** Asks another host too for what has been waited for too long; to be called again and again. */
  readonly hurry: () => void
}

/** A statement, and who was asked for its rows. */
interface Errand {
  readonly statement: Statement
  readonly claim: HostQueryContext
  /** In the order in which they were asked. */
  readonly tried: Set<Host>
  /** Those that have not answered. */
  readonly open: Set<Host>
  /** When the first and the last of them were asked. */
  firstAt: number
  lastAt: number
  /** Whether it has been waited for too long. */
  overdue: boolean
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: unknown) => void
}

/** The part of a statement's time after which another host is asked as well. */
const patience = 0.2

/**
 * Every statement only reads, so any host may be asked, and the first rows are as good as any. What one host refuses,
 * the next is asked. What one keeps silent about is asked of one more, if a place there is free at once: hosts that are
 * merely slow are asked twice as much at most, and never beyond their places.
 */
export function createHostAsker({ hosts, line, run, queryTimeoutMs }: AskInput): HostAsker {
  const errands = new Set<Errand>()

  /** Never throws: the errand's own promise tells how it ended. */
  const ask = async (errand: Errand, host: Host): Promise<void> => {
    noteAsked(errand, host)
    try {
      const rows = await run(host, errand.statement)
      host.health.noteAnswer()
      errands.delete(errand)
      errand.resolve(rows)
    } catch (error) {
      // Any other error is of the statement, and the next host may still know better: a replica may lack a table.
      if (error instanceof Problem) host.health.doubt()
      errand.open.delete(host)
      if (errands.has(errand) && errand.open.size === 0) goOn(errand, error)
    }
  }

  const end = (errand: Errand, error: unknown): void => {
    errands.delete(errand)
    errand.reject(error)
  }

  const goOn = (errand: Errand, error: unknown): void => {
    const isLate = performance.now() - errand.firstAt > queryTimeoutMs
    if (isLate || !canHelp(errand, hosts)) end(errand, error)
    else
      line
        .runNext(errand.claim, (host) => ask(errand, host))
        .catch((refusal: unknown) => {
          end(errand, refusal)
        })
  }

  return {
    ask: (statement, claim, onSent) =>
      new Promise((resolve, reject) => {
        const begin = (host: Host): Promise<void> => {
          onSent?.()
          const errand = createErrand(statement, claim, { resolve, reject })
          errands.add(errand)
          return ask(errand, host)
        }
        line.run(claim, begin).catch(reject)
      }),
    hurry: () => {
      const before = performance.now() - queryTimeoutMs * patience
      for (const errand of errands) {
        if (errand.lastAt < before) doubtSilent(errand)
        if (needsAnother(errand) && canTakeOver(errand, hosts) && line.hasRoom(errand.claim))
          void line.run(errand.claim, (host) => ask(errand, host))
      }
    },
  }
}

/** Asks a lone host, which costs nothing beyond its statement. */
export function createLoneAsker({ line, run }: Pick<AskInput, 'line' | 'run'>): HostAsker {
  return {
    ask: (statement, claim, onSent) =>
      line.run(claim, (host) => {
        onSent?.()
        return run(host, statement)
      }),
    hurry: () => undefined,
  }
}

function createErrand(
  statement: Statement,
  { caller, workspaceId, table, freshest }: HostQueryContext,
  { resolve, reject }: Pick<Errand, 'resolve' | 'reject'>,
): Errand {
  const tried = new Set<Host>()
  return {
    statement,
    claim: { caller, workspaceId, table, freshest, not: tried },
    tried,
    open: new Set(),
    firstAt: 0,
    lastAt: 0,
    overdue: false,
    resolve,
    reject,
  }
}

function noteAsked(errand: Errand, host: Host): void {
  errand.lastAt = performance.now()
  if (errand.tried.size === 0) errand.firstAt = errand.lastAt
  errand.tried.add(host)
  errand.open.add(host)
}

/** Whether a host that was not asked is worth the time: one that is down is where it is all that there is. */
function canHelp(errand: Errand, hosts: readonly Host[]): boolean {
  const left = listUntried(errand, hosts)
  return left.length > 0 && (findBestRank(left) < ranks.down || findBestRank(hosts) === ranks.down)
}

/** A silent host may be frozen, or merely slow: a look will tell. */
function doubtSilent(errand: Errand): void {
  if (errand.overdue) return
  errand.overdue = true
  for (const { health } of errand.open) health.doubt()
}

/** One host more for what is overdue; and yet another once all that were asked turn out to be down. */
function needsAnother({ open, overdue }: Errand): boolean {
  if (open.size === 0) return false
  return (overdue && open.size === 1) || findBestRank([...open]) === ranks.down
}

/** Patience is no reason to ask a host that lags in place of one that does not. */
function canTakeOver(errand: Errand, hosts: readonly Host[]): boolean {
  const left = listUntried(errand, hosts)
  return left.length > 0 && findBestRank(left) <= findBestRank([...errand.open])
}

function listUntried({ tried }: Errand, hosts: readonly Host[]): readonly Host[] {
  return hosts.filter((host) => !tried.has(host))
}
