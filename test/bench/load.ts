import { once } from 'node:events'
import autocannon from 'autocannon'
import type { Kind, Target, Targets } from './targets.js'

/** What callers ask for, how many of them, and of how many workspaces. */
export interface Load {
  readonly name: string
  readonly kinds: readonly Kind[]
  readonly connections: number
  readonly workspaces: number
}

/** What was seen of one contender in one turn. */
export interface Slice {
  /** Expected answers; the times are theirs. */
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** How many other answers of each status there were; status 0 for none. */
  readonly errors: ReadonlyMap<number, number>
}

/** What callers of a mixed load do: most of them poll. */
const mixedKinds: readonly Kind[] = [
  ...(['poll', 'list', 'poll', 'record', 'poll', 'list'] as const),
  ...(['poll', 'record', 'list', 'missing'] as const),
]
const requestsPerCaller = 100

/** @throws Error for a name that is no load. */
export function toLoad(line: string, workspaces: number): Load {
  const [name = '', connections = '16'] = line.split(':')
  const kinds = name === 'mixed' ? mixedKinds : [name as Kind]
  return { name, kinds, connections: Number(connections), workspaces }
}

/** Every caller sends its next request as soon as it has the answer. */
export async function applyLoad(
  origin: string,
  toPath: (target: Target) => string,
  { load, targets, seconds }: { readonly load: Load; readonly targets: Targets; readonly seconds: number },
): Promise<Slice> {
  let caller = 0
  const times: number[] = []
  const errors = new Map<number, number>()
  const addError = (status: number): unknown => errors.set(status, (errors.get(status) ?? 0) + 1)
  const startMs = performance.now()
  const run = autocannon(
    {
      url: origin,
      connections: load.connections,
      duration: seconds,
      sampleInt: 100,
      timeout: 30,
      setupClient: (client) => {
        client.setRequests(createRequests(load, targets, caller, toPath))
        caller += 1
      },
    },
    () => undefined,
  )
  run.on('response', (_client, status, _bytes, ms) => {
    if (status === 200 || (status === 404 && load.kinds.includes('missing'))) times.push(ms)
    else addError(status)
  })
  run.on('reqError', () => addError(0))
  await once(run, 'done')
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
  const lastedMs = performance.now() - startMs
  return { requests: times.length, seconds: lastedMs / 1000, p50Ms: at(0.5), p99Ms: at(0.99), errors }
}

/** A caller has the key of one workspace, or of several where there are fewer callers. */
function createRequests(
  { kinds, connections, workspaces }: Load,
  targets: Targets,
  caller: number,
  toPath: (target: Target) => string,
): autocannon.Request[] {
  const isOwn = ({ workspace }: Target): boolean =>
    connections < workspaces
      ? workspace < workspaces && workspace % connections === caller
      : workspace === caller % workspaces
  const own = new Map(kinds.map((kind) => [kind, targets[kind].filter(isOwn)]))
  return Array.from({ length: requestsPerCaller }, (_, at) => {
    const some = own.get(kinds[(at + caller * 7) % kinds.length]!)!
    // No two callers ask for the same at the same moment, as a build that shares statements wins by it; but the polls of
    // a workspace are all the same, and so is `same`.
    const target = some[((at * connections + caller) * 31) % some.length]!
    return { path: toPath(target), headers: target.headers }
  })
}
