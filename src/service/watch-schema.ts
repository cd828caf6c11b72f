import { createCoalescer } from '../coalescer.js'
import { ClockFloor } from '../database/heartbeat.js'
import type { BoundCollection, LiveCollection, UsedCollection } from '../collections/collection.js'
import { isSchemaError, databaseUnavailable } from '../database/errors.js'
import type { RunQuery, RunStatement } from '../database/statement.js'
import type { ResolvedKeyTable } from '../mapping/key-table.js'
import type { Mapping, SectionName } from '../mapping/mapping-schema.js'
import {
  addReadIssues,
  createProbe,
  findState,
  keepUnchanged,
  listSchemaEvents,
  readSchemaState,
  toSchemaState,
} from './schema-state.js'
import type { ProbeSection, SchemaEvent, SchemaReading, SchemaState } from './schema-state.js'

/** The mapping, resolved against the current schema. */
export interface SchemaWatch {
  readonly collections: readonly LiveCollection[]
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
  /** What was read at the start of the service; the mapping fits it. */
  readonly reading: SchemaReading
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
  readonly probe: ProbeSection
  readonly clock: ClockFloor
  /** The types of the columns that a collection was resolved from; undefined where they could not be read. */
  readonly findTypes: (collection: BoundCollection) => string | undefined
}

function createLiveSchema({ mapping, reading, runQuery, onEvent }: WatchInput): LiveSchema {
  let state = toSchemaState(mapping, reading.schema, reading.schema)
  const typesOf = new WeakMap<BoundCollection, string>()
  const clock = new ClockFloor()
  const apply = (latest: SchemaReading): void => {
    const resolved = toSchemaState(mapping, latest.schema, reading.schema)
    const next = keepUnchanged(addReadIssues(resolved, latest, mapping), state)
    for (const types of latest.types.values()) if (types !== undefined) clock.note(types.clock)
    for (const collection of next.collections) {
      const types = latest.types.get(collection.name)
      if (types !== undefined) typesOf.set(collection, types.text)
    }
    const events = listSchemaEvents(state, next)
    state = next
    events.forEach(onEvent)
  }
  apply(reading)
  const probe = createProbe(mapping, runQuery)
  return {
    current: () => state,
    requireFit: (section) => {
      const { issues } = findState(state, section)
      if (issues.length > 0) throw databaseUnavailable(new Error(issues.join('; ')))
      return state
    },
    check: createCoalescer(async () => {
      apply(await readSchemaState(mapping, runQuery, probe))
    }),
    probe,
    clock,
    findTypes: (collection) => typesOf.get(collection),
  }
}

function toLiveCollection(
  live: LiveSchema,
  { name, typeName, scope, statuses, schema }: BoundCollection,
): LiveCollection {
  /** The definitions of the empty results that a comparison has confirmed: they are of their own statement. */
  const confirmed = new WeakMap<BoundCollection, Set<string>>()
  const requireResolved = (): BoundCollection => {
    const collection = live.requireFit(name).collections.find((one) => one.name === name)
    if (collection === undefined) throw new Error(`There is no collection ${name}`)
    return collection
  }
  const compare = async ({ used, withIndexes, types: shown }: UsedCollection): Promise<void> => {
    const types = await live.probe(name)
    if (types !== undefined) live.clock.note(types.clock)
    if (types !== undefined && types.text === live.findTypes(used) && !withIndexes) {
      const known = confirmed.get(used) ?? new Set()
      confirmed.set(used, known)
      if (shown !== undefined) known.add(shown)
      return
    }
    await live.check()
    if (types === undefined || requireResolved() !== used)
      throw databaseUnavailable(new Error(`The schema of ${name} changed during the request`))
  }
  return {
    name,
    typeName,
    scope,
    statuses,
    schema,
    requireResolved,
    confirm: (answer) => {
      const { used, types } = answer
      const isKnown = types !== undefined && confirmed.get(used)?.has(types) === true
      return isKnown ? undefined : compare(answer)
    },
    clock: live.clock,
    noteProof: (proof) => {
      live.clock.note(proof.clock)
    },
  }
}
