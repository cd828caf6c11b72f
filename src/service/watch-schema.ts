import { createCoalescer } from '../coalescer.js'
import type { ResolvedResource, LiveResource } from '../resources/resource.js'
import { isSchemaError, databaseUnavailable } from '../database/errors.js'
import { readSchema } from '../database/schema.js'
import type { ColumnTypes, Schema } from '../database/schema.js'
import { renderTypes } from '../database/schema-sql.js'
import type { RunQuery, RunStatement } from '../database/statement.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'
import { listColumnsOf, listMappedTables, listSections } from '../mapping/mapped-columns.js'
import type { SectionName } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import {
  addReadIssues,
  findState,
  keepUnchanged,
  listSchemaEvents,
  probeTypes,
  toSchemaState,
} from './schema-state.js'
import { markZeroFree } from './zero-free.js'
import type { SchemaEvent, SchemaState } from './schema-state.js'

/** The mapping, resolved against the current schema. */
export interface SchemaWatch {
  readonly collections: readonly LiveResource[]
  /** @throws Problem `database_unavailable` while the key table does not fit the mapping. */
  readonly requireKeys: () => ResolvedKeyTable
  /** Compares with a schema that is read after the call. @throws Problem when the database does not answer. */
  readonly check: () => Promise<void>
  /** Runs statements, and starts a comparison after each that fails because the schema has changed. */
  readonly checkAfterErrors: (runQuery: RunStatement) => RunStatement
  /** What does not fit, with its path in the mapping file; empty if everything fits. */
  readonly listIssues: () => readonly string[]
  /** The number of issues of each section. */
  readonly countIssues: () => readonly (readonly [section: SectionName, count: number])[]
  /** Whether an index serves the lists of a section in their order; always false for a view. */
  readonly hasPagingIndex: (section: SectionName) => boolean
  readonly stop: () => void
}

interface WatchInput {
  readonly mapping: Mapping
  /** The schema at the start of the service; the mapping fits it. */
  readonly schema: Schema
  readonly runQuery: RunQuery
  readonly everyMs: number
  readonly onEvent: (event: SchemaEvent) => void
}

/** How often the timer checks whether a comparison is due. While something does not fit, one is always due. */
const tickMs = 500

/**
 * Compares the mapped tables with the schema that the statements were compiled for, every `everyMs` and on request. After
 * a change that still fits the mapping, statements are compiled again. A section that does not fit is not served until it
 * fits.
 */
export function watchSchema(input: WatchInput): SchemaWatch {
  const live = createLiveSchema(input)
  const listIssues = (): readonly string[] =>
    [...live.current().sections.values()].flatMap(({ issues }) => issues)
  let checkedAt = performance.now()
  const check = async (): Promise<void> => {
    await live.check()
    checkedAt = performance.now()
  }
  // If the database does not answer, the health checks report it.
  const checkQuietly = (): void => {
    check().catch(() => undefined)
  }
  const timer = setInterval(() => {
    if (performance.now() - checkedAt >= (listIssues().length > 0 ? 0 : input.everyMs)) checkQuietly()
  }, tickMs)
  timer.unref()
  return {
    collections: live.current().collections.map((collection) => toLiveCollection(live, collection)),
    requireKeys: () => live.requireFit('apiKeys').keys,
    check,
    checkAfterErrors: (run) => async (statement, context) => {
      try {
        return await run(statement, context)
      } catch (error) {
        if (isSchemaError(error)) checkQuietly()
        throw error
      }
    },
    listIssues,
    countIssues: () => [...live.current().sections].map(([name, { issues }]) => [name, issues.length]),
    hasPagingIndex: (section) => live.current().sections.get(section)?.pagingIndex !== undefined,
    stop: () => {
      clearInterval(timer)
    },
  }
}

/** The state of the last comparison. */
interface LiveSchema {
  readonly current: () => SchemaState
  /** @throws Problem while the section has issues. */
  readonly requireFit: (section: SectionName) => SchemaState
  readonly check: () => Promise<void>
  /**
   * Reads the types of the columns of a section after the call; undefined where one of its tables cannot be read.
   *
   * @throws Problem when the database does not answer.
   */
  readonly probe: (section: SectionName) => Promise<ColumnTypes | undefined>
  /** The types of the columns that a collection was resolved from; undefined before the first comparison. */
  readonly findTypes: (collection: ResolvedResource) => string | undefined
}

function createLiveSchema({ mapping, schema, runQuery, onEvent }: WatchInput): LiveSchema {
  const resolve = (latest: Schema): SchemaState => toSchemaState(mapping, latest, schema)
  let state = resolve(schema)
  const typesOf = new WeakMap<ResolvedResource, string>()
  const probes = new Map(
    listSections(mapping).map((name) => {
      const statement = renderTypes(listColumnsOf(mapping, name))
      return [name, createCoalescer(() => probeTypes(runQuery, statement))]
    }),
  )
  const check = createCoalescer(async () => {
    // Before the schema: the types of a column that changes meanwhile are not those of the next probe. One after the
    // other, so that a check opens no more sessions than it needs.
    const probed = new Map<SectionName, ColumnTypes | undefined>()
    for (const [name, probe] of probes) probed.set(name, await probe())
    const unread = new Set([...probed].flatMap(([name, types]) => (types === undefined ? [name] : [])))
    const read = await readSchema(runQuery, listMappedTables(mapping))
    const latest = resolve(await markZeroFree(mapping, read, runQuery))
    const next = keepUnchanged(await addReadIssues(latest, unread, { mapping, runQuery }), state)
    for (const collection of next.collections) {
      const types = probed.get(collection.name)
      if (types !== undefined) typesOf.set(collection, types.text)
    }
    const events = listSchemaEvents(state, next)
    state = next
    events.forEach(onEvent)
  })
  return {
    current: () => state,
    requireFit: (section) => {
      const { issues } = findState(state, section)
      if (issues.length > 0) throw databaseUnavailable(new Error(issues.join('; ')))
      return state
    },
    check,
    probe: async (section) => probes.get(section)?.(),
    findTypes: (collection) => typesOf.get(collection),
  }
}

function toLiveCollection(
  live: LiveSchema,
  { name, typeName, scope, statuses, schema }: ResolvedResource,
): LiveResource {
  const requireResolved = (): ResolvedResource => {
    const collection = live.requireFit(name).collections.find((one) => one.name === name)
    if (collection === undefined) throw new Error(`There is no collection ${name}`)
    return collection
  }
  return {
    name,
    typeName,
    scope,
    statuses,
    schema,
    requireResolved,
    confirm: async ({ used, withIndexes }) => {
      const types = await live.probe(name)
      if (types !== undefined && types.text === live.findTypes(used) && !withIndexes) return types.clock
      await live.check()
      if (types !== undefined && requireResolved() === used) return types.clock
      throw databaseUnavailable(new Error(`The schema of ${name} changed during the request`))
    },
  }
}
