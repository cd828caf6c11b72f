import { createCoalescer } from '../coalescer.js'
import { chooseIndex } from '../collections/choose-index.js'
import type { BoundCollection, LiveCollection, UsedCollection } from '../collections/collection.js'
import { databaseUnavailable, isAccessDenied, isSchemaError } from '../database/errors.js'
import { ClockFloor } from '../database/heartbeat.js'
import { readSchema, readTypes } from '../database/schema.js'
import type { ColumnTypes, Schema } from '../database/schema.js'
import { renderTypes } from '../database/schema-sql.js'
import type { RunQuery } from '../database/statement.js'
import { toIssueText, unwrapProblem } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import type { ResolvedKeyTable } from './key-table.js'
import { listColumnsOf, listMappedColumns, listMappedTables, listSections } from './mapped-columns.js'
import type { Mapping, SectionName } from './mapping-schema.js'
import { resolveSections } from './resolve-mapping.js'

/** A section of the mapping, bound to a schema. */
export interface BoundSection {
  readonly table: string
  /** What its statements are made from; the same object while its columns and indexes are unchanged. */
  readonly value: ResolvedKeyTable | BoundCollection
  /** The columns and indexes as text. */
  readonly text: string
  /** Why it cannot be served; empty if it can. */
  readonly issues: readonly string[]
  /** The index that serves lists in their order; undefined for the keys and for a view. */
  readonly pagingIndex: string | undefined
}

/** The sections that the mapping has. */
export type BoundSections = ReadonlyMap<SectionName, BoundSection>

/** What the mapping is compared with. */
export interface SchemaReading {
  readonly schema: Schema
  /** The types of the columns of each section, or why its tables cannot be read. */
  readonly types: ReadonlyMap<SectionName, ColumnTypes | string>
}

/**
 * Binds each section to a schema. A section with issues leaves the others usable.
 *
 * @param started the schema at the start of the service. A column whose kind has changed since is an issue, even if the
 *   mapping could read it: its values would not mean what earlier answers meant.
 * @param before whose objects stay in use where nothing has changed, so that their compiled statements do too.
 */
export function bind(
  mapping: Mapping,
  { schema, types }: SchemaReading,
  started: Schema,
  before?: BoundSections,
): BoundSections {
  const resolved = resolveSections(mapping, schema)
  const changed = listChangedKinds(mapping, schema, started)
  const sections = new Map<SectionName, BoundSection>()
  for (const name of listSections(mapping)) {
    const { resolved: value, issues } = resolved[name]
    if (value === undefined) continue
    const all = [...issues, ...changed.filter(({ path }) => path.startsWith(`${name}.`))].map(toIssueText)
    // A view whose definer was dropped still has its columns in the schema.
    const unreadable = types.get(name)
    if (all.length === 0 && typeof unreadable === 'string') all.push(`${name}: ${unreadable}`)
    sections.set(name, bindSection(value, all, issues.length === 0, before?.get(name)))
  }
  return sections
}

function bindSection(
  value: BoundSection['value'],
  issues: readonly string[],
  isComplete: boolean,
  before: BoundSection | undefined,
): BoundSection {
  const { table, columns } =
    'record' in value
      ? { table: value.table.name, columns: value.table }
      : { table: value.table, columns: value }
  const text = JSON.stringify(columns)
  const pagingIndex =
    'record' in value && isComplete ? chooseIndex(value.table, { event: false })?.name : undefined
  return { table, value: before?.text === text ? before.value : value, text, issues, pagingIndex }
}

function listChangedKinds(mapping: Mapping, schema: Schema, started: Schema): readonly ConfigIssue[] {
  return listMappedColumns(mapping).flatMap(({ table, column, path }) => {
    const [before, now] = [started, schema].map((one) => one.get(table)?.columns.get(column.toLowerCase()))
    if (before === undefined || now === undefined || before.kind === now.kind) return []
    const found = `${table}.${now.name}, which changed from ${before.type} to ${now.type} since the start`
    return [{ path, found, allowed: `${before.type}, or a restart that takes the new type into use` }]
  })
}

/** Reads the types of the columns of a section, or why its tables cannot be read. Calls at the same time share a statement. */
type ReadSectionTypes = (section: SectionName) => Promise<ColumnTypes | string>

function createReadTypes(mapping: Mapping, runQuery: RunQuery): ReadSectionTypes {
  const readers = new Map(
    listSections(mapping).map((name) => {
      const statement = renderTypes(listColumnsOf(mapping, name))
      const read = async (): Promise<ColumnTypes | string> => {
        try {
          return await readTypes(runQuery, statement)
        } catch (error) {
          const cause = unwrapProblem(error)
          if (!isSchemaError(cause) && !isAccessDenied(cause)) throw error
          return `cannot be read: ${cause instanceof Error ? cause.message : 'the server denies it'}`
        }
      }
      return [name, createCoalescer(read)]
    }),
  )
  return async (section) => readers.get(section)?.() ?? 'is not mapped'
}

async function readAll(
  { mapping, runQuery }: Pick<BindingInput, 'mapping' | 'runQuery'>,
  readSectionTypes: ReadSectionTypes,
): Promise<SchemaReading> {
  // Before the schema: the types of a column that changes meanwhile are not those of the next reading. One after the
  // other, so that a comparison opens no more sessions than it needs.
  const types = new Map<SectionName, ColumnTypes | string>()
  for (const name of listSections(mapping)) types.set(name, await readSectionTypes(name))
  return { types, schema: await readSchema(runQuery, listMappedTables(mapping)) }
}

/** A change of a section while the service runs. */
export interface SchemaEvent {
  readonly is: 'broken' | 'recovered' | 'bound anew' | 'without paging index'
  readonly section: SectionName
  readonly table: string
  readonly issues?: readonly string[]
  readonly index?: string
}

/** The changes from one binding to the next. */
export function listSchemaEvents(before: BoundSections, next: BoundSections): readonly SchemaEvent[] {
  return [...next].flatMap(([section, now]): readonly SchemaEvent[] => {
    const old = before.get(section)
    if (old === undefined) return []
    const { table, issues } = now
    if (issues.length > 0)
      return old.issues.join() === issues.join() ? [] : [{ is: 'broken', section, table, issues }]
    const isRecovered = old.issues.length > 0
    const index = isRecovered || now.pagingIndex !== undefined ? undefined : old.pagingIndex
    return [
      ...(isRecovered ? [{ is: 'recovered', section, table } as const] : []),
      ...(isRecovered || old.text === now.text ? [] : [{ is: 'bound anew', section, table } as const]),
      ...(index === undefined ? [] : [{ is: 'without paging index', section, table, index } as const]),
    ]
  })
}

interface BindingInput {
  readonly mapping: Mapping
  readonly runQuery: RunQuery
  readonly everyMs: number
  readonly onEvent: (event: SchemaEvent) => void
}

/** How often the timer checks whether a comparison is due. While something does not fit, one is always due. */
const tickMs = 500

/**
 * The mapping, bound to the current schema. It is compared with the live schema every `everyMs` and on request. After a change
 * that still fits, statements are compiled again. A section that does not fit is not served until it fits.
 */
export class Binding {
  readonly collections: readonly LiveCollection[]
  /** Compares with a schema that is read after the call. @throws Problem when the database does not answer. */
  readonly check: () => Promise<void>
  readonly #input: BindingInput
  readonly #started: SchemaReading
  readonly #timer: NodeJS.Timeout
  /** Of the columns that each section was bound to. */
  readonly #types = new WeakMap<object, string>()
  readonly clock = new ClockFloor()
  #sections: BoundSections = new Map()
  #checkedAt = 0

  /** @throws Problem when the database does not answer. */
  static async start(input: BindingInput): Promise<Binding> {
    const readSectionTypes = createReadTypes(input.mapping, input.runQuery)
    return new Binding(input, readSectionTypes, await readAll(input, readSectionTypes))
  }

  private constructor(input: BindingInput, readSectionTypes: ReadSectionTypes, started: SchemaReading) {
    this.#input = input
    this.#started = started
    this.check = createCoalescer(async () => {
      this.#apply(await readAll(input, readSectionTypes))
    })
    this.#apply(started)
    const live: LiveSchema = {
      clock: this.clock,
      readSectionTypes,
      check: this.check,
      requireSection: (name) => this.#requireSection(name),
      findTypes: (used) => this.#types.get(used),
    }
    this.collections = [...this.#sections.values()].flatMap(({ value }) =>
      'record' in value ? [toLiveCollection(live, value)] : [],
    )
    this.#timer = setInterval(() => {
      const dueMs = this.listIssues().length > 0 ? 0 : input.everyMs
      if (performance.now() - this.#checkedAt >= dueMs) this.#checkQuietly()
    }, tickMs).unref()
  }

  get sections(): BoundSections {
    return this.#sections
  }

  /** What does not fit, with its path in the mapping file; empty if everything fits. */
  listIssues(): readonly string[] {
    return [...this.#sections.values()].flatMap(({ issues }) => issues)
  }

  /** @throws Problem `database_unavailable` while the key table does not fit the mapping. */
  requireKeys(): ResolvedKeyTable {
    return this.#requireSection('apiKeys') as ResolvedKeyTable
  }

  /** Starts a comparison if a request has failed because the schema has changed. */
  checkAfter(error: unknown): void {
    if (isSchemaError(error)) this.#checkQuietly()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** If the database does not answer, the health checks report it. */
  #checkQuietly(): void {
    this.check().catch(() => undefined)
  }

  #apply(reading: SchemaReading): void {
    const before = this.#sections
    this.#sections = bind(this.#input.mapping, reading, this.#started.schema, before)
    this.#checkedAt = performance.now()
    for (const [name, { value }] of this.#sections) {
      const types = reading.types.get(name)
      if (typeof types !== 'object') continue
      this.#types.set(value, types.text)
      this.clock.note(types.clock)
    }
    listSchemaEvents(before, this.#sections).forEach(this.#input.onEvent)
  }

  #requireSection(name: SectionName): BoundSection['value'] {
    const section = this.#sections.get(name)
    if (section === undefined) throw new Error(`The mapping has no section ${name}`)
    if (section.issues.length > 0) throw databaseUnavailable(new Error(section.issues.join('; ')))
    return section.value
  }
}

interface LiveSchema {
  readonly clock: ClockFloor
  readonly readSectionTypes: ReadSectionTypes
  readonly check: () => Promise<void>
  /** @throws Problem while the section has issues. */
  readonly requireSection: (name: SectionName) => BoundSection['value']
  /** The types of the columns that a collection was bound to; undefined where they could not be read. */
  readonly findTypes: (used: BoundCollection) => string | undefined
}

function toLiveCollection(
  live: LiveSchema,
  { name, typeName, scope, statuses, schema }: BoundCollection,
): LiveCollection {
  /** The types of the empty results that a comparison has confirmed. */
  const confirmed = new WeakMap<BoundCollection, (readonly number[])[]>()
  const requireResolved = (): BoundCollection => live.requireSection(name) as BoundCollection
  const compare = async ({ used, withIndexes, types: shown }: UsedCollection): Promise<void> => {
    const types = await live.readSectionTypes(name)
    const isRead = typeof types === 'object'
    if (isRead) live.clock.note(types.clock)
    if (isRead && types.text === live.findTypes(used) && !withIndexes) {
      if (shown !== undefined) confirmed.set(used, [...(confirmed.get(used) ?? []), shown])
      return
    }
    await live.check()
    if (!isRead || requireResolved() !== used)
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
      const isKnown = confirmed.get(used)?.some((known) => types !== undefined && isEqual(known, types))
      return isKnown === true ? undefined : compare(answer)
    },
    clock: live.clock,
  }
}

function isEqual(types: readonly number[], others: readonly number[]): boolean {
  return types.length === others.length && types.every((type, at) => type === others[at])
}
