import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'
import type { Generator } from './generator.js'
import type { Load, Target } from './loads.js'
import { endScript, order, receive, startScript } from './script.js'
import type { FloorStatements, Slice, SliceOrder } from './slice.js'
import { waitForAnswer } from './vitrine-process.js'
import type { VitrineProcess } from './vitrine-process.js'

/** Who is measured: the statement alone, the statement behind a plain handler, and Vitrine. */
export type ContenderName = 'mysql2' | 'fastify' | 'vitrine'

/** One of those who take turns. */
export interface Contender {
  readonly name: ContenderName
  readonly pid: number
  readonly run: (load: Load, connections: number, ms: number) => Promise<Slice>
  readonly stop: () => Promise<void>
}

interface Place {
  readonly throwaway: Throwaway
  readonly database: ProductDatabase
  readonly generator: Generator
  /** Where files of this run may lie. */
  readonly folder: string
}

/** The statements over mysql2 alone. */
export async function startFloor(place: Place, loads: readonly Load[]): Promise<Contender> {
  const child = startOther(place, 'floor.ts', [writeStatements(place.folder, loads)])
  await receive(child)
  return {
    name: 'mysql2',
    pid: child.pid!,
    run: async ({ slug }, connections, ms) =>
      (await order(child, { slug, connections, ms } satisfies SliceOrder)) as Slice,
    stop: () => endScript(child),
  }
}

/** The same behind a plain Fastify handler. */
export async function startYardstick(
  place: Place,
  loads: readonly Load[],
): Promise<Contender & { readonly origin: string }> {
  const port = await findFreePort()
  const child = startOther(place, 'yardstick.ts', [writeStatements(place.folder, loads), String(port)])
  const origin = `http://127.0.0.1:${port}`
  await waitForAnswer(origin, child)
  for (const load of loads) writeRequests(place.folder, 'fastify', load, toYardstickPath(load.slug))
  return {
    name: 'fastify',
    pid: child.pid!,
    origin,
    run: (load, connections, ms) => {
      const file = toRequestFile(place.folder, 'fastify', load)
      return place.generator.run({ origin, file, connections, ms, refused: false })
    },
    stop: () => endScript(child),
  }
}

/** Vitrine, whose own counters tell how it answered; `encoding` is the `Accept-Encoding` of its callers. */
export function driveVitrine(
  place: Place,
  vitrine: VitrineProcess,
  loads: readonly Load[],
  encoding?: string,
): Contender {
  for (const load of loads) writeRequests(place.folder, 'vitrine', load, ({ path }) => path)
  return {
    name: 'vitrine',
    pid: vitrine.pid,
    run: async (load, connections, ms) => {
      const before = await vitrine.countAnswers()
      const slice = await place.generator.run({
        origin: vitrine.origin,
        file: toRequestFile(place.folder, 'vitrine', load),
        connections,
        ms,
        refused: load.status === 401,
        encoding,
      })
      const after = await vitrine.countAnswers()
      const others = [...after].filter(([status]) => status !== load.status)
      const wrong = others.reduce((sum, [status, count]) => sum + count - (before.get(status) ?? 0), 0)
      return { ...slice, failures: Math.max(wrong, slice.failures) }
    },
    stop: vitrine.stop,
  }
}

/** How the yardstick is asked for a target: the values of its statement, in their order. */
export function toYardstickPath(slug: string): (target: Target) => string {
  return ({ statement }) =>
    `/${slug}?${(statement?.values ?? []).map((value) => `v=${encodeURIComponent(String(value))}`).join('&')}`
}

function startOther({ throwaway, database }: Place, name: string, args: readonly string[]): ChildProcess {
  const child = startScript(name, args, { DATABASE_URL: database.readUrl })
  if (child.pid === undefined) throw new Error(`${name} could not be started`)
  throwaway.undo({ do: 'kill', pid: child.pid })
  return child
}

function writeStatements(folder: string, loads: readonly Load[]): string {
  const file = join(folder, 'statements.json')
  const statements: Record<string, FloorStatements[string]> = {}
  for (const { slug, rows, targets } of loads) {
    const { sql } = targets[0]!.statement!
    if (targets.some(({ statement }) => statement?.sql !== sql))
      throw new Error(`${slug} has more than one statement`)
    statements[slug] = { sql, rows, values: targets.map(({ statement }) => [...statement!.values]) }
  }
  writeFileSync(file, JSON.stringify(statements))
  return file
}

function writeRequests(
  folder: string,
  name: ContenderName,
  load: Load,
  toPath: (target: Target) => string,
): void {
  const lines = load.targets.map(
    (target) => `${toPath(target)}\t${target.key}\t${target.ifNoneMatch ?? ''}\n`,
  )
  writeFileSync(toRequestFile(folder, name, load), lines.join(''))
}

function toRequestFile(folder: string, name: ContenderName, { slug }: Load): string {
  return join(folder, `${slug}.${name}`)
}
