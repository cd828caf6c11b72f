import { createCoalescer } from '../coalescer.js'
import type { ResolvedResource, LiveResource } from '../resources/resource.js'
import { isSchemaError, databaseUnavailable } from '../database/errors.js'
import { createColumnReader, readSchema } from '../database/schema.js'
import type { Schema } from '../database/schema.js'
import type { RunQuery } from '../database/statement.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'
import { listMappedTables, listSections } from '../mapping/mapped-columns.js'
import type { SectionName } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Instant } from '../values/instant.js'
import {
  findState,
  keepUnchanged,
  listSchemaEvents,
  probeSchemaState,
  toSchemaState,
} from './schema-state.js'
import type { SchemaEvent, SchemaState } from './schema-state.js'

/** The mapping, resolved against the current schema. */
export interface SchemaWatch {
  readonly collections: readonly LiveResource[]
  /** @throws Problem `database_unavailable` while the key table does not fit the mapping. */
  readonly requireKeys: () => ResolvedKeyTable
  /** Compares with a schema that is read after the call. @throws Problem when the database does not answer. */
  readonly check: () => Promise<void>
  /** Runs statements, and starts a comparison after each that fails because the schema has changed. */
  readonly checkAfterErrors: (runQuery: RunQuery) => RunQuery
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
  /** The resolved columns of a section as text, and the clock of the database; both read after the call. */
  readonly readColumns: (section: SectionName) => Promise<LiveColumns>
  /** The columns that a collection was resolved from, as text. */
  readonly findColumns: (collection: ResolvedResource) => string | undefined
}

interface LiveColumns {
  readonly resolved: string
  readonly clock: Instant | undefined
}

function createLiveSchema({ mapping, schema, runQuery, onEvent }: WatchInput): LiveSchema {
  const resolve = (latest: Schema): SchemaState => toSchemaState(mapping, latest, schema)
  const columnsOf = new WeakMap<ResolvedResource, string>()
  const keep = (next: SchemaState): SchemaState => {
    for (const collection of next.collections)
      columnsOf.set(collection, findState(next, collection.name).columns)
    return next
  }
  let [state, known] = [keep(resolve(schema)), schema]
  const check = createCoalescer(async () => {
    known = await readSchema(runQuery, listMappedTables(mapping))
    const latest = resolve(known)
    const next = keep(keepUnchanged(await probeSchemaState(latest, mapping, runQuery), state))
    const events = listSchemaEvents(state, next)
    state = next
    events.forEach(onEvent)
  })
  const readers = new Map(
    listSections(mapping).map((name) => {
      // Only of its own tables: a locked table blocks queries of its columns.
      const readColumns = createColumnReader(runQuery, listMappedTables(mapping, name))
      let last = { columns: '', known, resolved: '' }
      const read = async (): Promise<LiveColumns> => {
        const { schema: latest, clock } = await readColumns()
        const columns = JSON.stringify([...latest].map(([table, found]) => [table, ...found.columns]))
        // Empty answers are the most frequent ones, and the same columns resolve to the same text.
        if (last.columns !== columns || last.known !== known) {
          const { columns: resolved } = findState(resolve(takeIndexes(latest, known)), name)
          last = { columns, known, resolved }
        }
        return { resolved: last.resolved, clock }
      }
      return [name, createCoalescer(read)]
    }),
  )
  return {
    current: () => state,
    requireFit: (section) => {
      const { issues } = findState(state, section)
      if (issues.length > 0) throw databaseUnavailable(new Error(issues.join('; ')))
      return state
    },
    check,
    findColumns: (collection) => columnsOf.get(collection),
    readColumns: async (section) => (await readers.get(section)?.()) ?? { resolved: '', clock: undefined },
  }
}

/** Columns with the indexes of an earlier schema: a lookup is resolved by the unique index of its key. */
function takeIndexes(columns: Schema, known: Schema): Schema {
  return new Map(
    [...columns].map(([name, table]) => [name, { ...table, indexes: known.get(name)?.indexes ?? [] }]),
  )
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
      const { resolved, clock } = await live.readColumns(name)
      const isSame = resolved === live.findColumns(used)
      if (clock !== undefined && isSame && !withIndexes) return clock
      await live.check()
      if (clock !== undefined && withIndexes && requireResolved() === used) return clock
      throw databaseUnavailable(new Error(`The schema of ${name} changed during the request`))
    },
  }
}
