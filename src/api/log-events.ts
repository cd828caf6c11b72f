import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { problems } from '../problems.js'
import type { AnsweredRequest, Observation, Observe } from './observation.js'

type Line = readonly [level: 'info' | 'warn' | 'error', text: string]

/** The lines of events that are logged with all that they say. */
const lines: Readonly<
  Record<Exclude<Observation['kind'], 'answered' | 'problem' | 'statement' | 'closing'>, Line>
> = {
  'invalid row': ['warn', 'a stored row cannot be shown'],
  'invalid key': ['warn', 'a stored key cannot be accepted'],
  'address limited': ['warn', 'an address sends too many keys that are not accepted'],
  'database unreachable': ['warn', 'the database does not answer'],
  'database reachable': ['info', 'the database answers again'],
  'foreign rows': [
    'error',
    'the database answered a statement with the rows of another one: none was shown, and its session was closed; see docs/observe.md',
  ],
  ready: ['info', 'requests can be answered again: /readyz returns 200'],
  unready: ['warn', 'requests cannot all be answered: /readyz returns 503'],
  'finding permitted': ['error', 'audit: AUDIT=warn lets this pass'],
  'finding warned': ['warn', 'audit: a warning'],
  'finding new': ['error', 'audit: a new finding'],
  'finding fixed': ['info', 'audit: a finding is fixed'],
  'audit failed': ['warn', 'audit: could not be repeated'],
  'schema broken': [
    'error',
    'the schema does not fit the mapping any more: requests get 503 until the schema or the mapping file is corrected, or vitrine grants is run again',
  ],
  'schema recovered': ['info', 'the schema fits the mapping again'],
  'schema bound anew': ['info', 'the schema changed; new statements are compiled'],
  'paging index dropped': [
    'warn',
    'an index was dropped: each page now sorts the whole workspace; vitrine check prints the index to add',
  ],
}

/** A row that cannot be shown is in each page of each crawl; the metric counts all of them. */
const invalidRowEvery = { max: 10_000, ttl: 3_600_000 }

/** Writes a line of the log for what happened: of one row that cannot be shown, once an hour. */
export function createEventLog(log: Logger): Observe {
  const known = new LRUCache<string, true>(invalidRowEvery)
  return (event) => {
    if (event.kind === 'invalid row') {
      const { collection, id, reason } = event
      const row = JSON.stringify([collection, id, reason])
      if (known.has(row)) return
      known.set(row, true)
    }
    if (event.kind === 'answered') logAnswered(log, event)
    else if (event.kind === 'problem') logProblem(log, event)
    else if (event.kind !== 'statement' && event.kind !== 'closing') {
      const { kind, ...fields } = event
      const [level, text] = lines[kind]
      log[level](fields, text)
    }
  }
}

function logAnswered(log: Logger, request: AnsweredRequest): void {
  const { requestId: reqId, method, route, status, keyId, workspaceId, rows, code } = request
  const [durationMs, databaseMs] = [request.durationMs, request.databaseMs].map(roundToMicroseconds)
  const parameter = toLoggable(request.parameter)
  log.info(
    { reqId, method, route, status, durationMs, databaseMs, keyId, workspaceId, rows, code, parameter },
    'request',
  )
}

function roundToMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/** A name of letters; any other text of a caller can hold a secret. */
function toLoggable(parameter: string | undefined): string | undefined {
  return parameter !== undefined && /^[A-Za-z_]{1,32}$/.test(parameter) ? parameter : undefined
}

/** Not the detail of the problem: it is written for the caller, and can quote the query. */
function logProblem(
  log: Logger,
  { requestId: reqId, code, cause }: Extract<Observation, { kind: 'problem' }>,
): void {
  const level = code === 'internal_error' ? 'error' : cause === undefined ? 'debug' : 'warn'
  // A stack only for what is unexpected: while the database does not answer, each request has the same one.
  const logged = code === 'internal_error' ? { err: cause } : { cause }
  log[level]({ reqId, code, ...logged }, problems[code].title)
}
