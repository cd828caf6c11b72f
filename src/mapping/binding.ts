import { createCoalescer } from '../coalescer.js'
import type {
  BoundCollection,
  CollectionName,
  LiveCollection,
  UsedCollection,
} from '../collections/collection.js'
import { databaseUnavailable, isAccessDenied, isSchemaError } from '../database/errors.js'
import { ClockFloor } from '../database/heartbeat.js'
import { readSchema, readTypes } from '../database/schema.js'
import type { ColumnTypes, Schema } from '../database/schema.js'
import { renderTypes } from '../database/schema-sql.js'
import type { RunQuery } from '../database/statement.js'
import { unwrapProblem } from '../errors.js'
import { bind, listSchemaEvents } from './bind.js'
import type { BoundSection, BoundSections, SchemaEvent, SchemaReading } from './bind.js'
import type { ResolvedKeyTable } from './key-table.js'
import { listColumnsOf, listMappedTables, listSections } from './mapped-columns.js'
import type { Mapping, SectionName } from './mapping-schema.js'

interface BindingInput {
  readonly mapping: Mapping
  readonly runQuery: RunQuery
  readonly everyMs: number
  readonly onEvent: (event: SchemaEvent) => void
}

/** Read the types of the columns of each section. Calls at the same time share a statement. */
type TypeReaders = ReadonlyMap<SectionName, () => Promise<ColumnTypes | string>>

function createTypeReaders({ mapping, runQuery }: BindingInput): TypeReaders {
  const toReader = (name: SectionName) => {
    const statement = renderTypes(listColumnsOf(mapping, name))
    return createCoalescer(async () => {
      try {
        return await readTypes(runQuery, statement)
      } catch (error) {
        const cause = unwrapProblem(error)
        if (!isSchemaError(cause) && !isAccessDenied(cause)) throw error
        return `cannot be read: ${cause instanceof Error ? cause.message : 'the server denies it'}`
      }
    })
  }
  return new Map(listSections(mapping).map((name) => [name, toReader(name)]))
}

async function readAll({ mapping, runQuery }: BindingInput, readers: TypeReaders): Promise<SchemaReading> {
  // Before the schema: the types of a column that changes meanwhile are not those of the next reading. One after the
  // other, so that a comparison opens no more sessions than it needs.
  const types = new Map<SectionName, ColumnTypes | string>()
  for (const [name, read] of readers) types.set(name, await read())
  return { types, schema: await readSchema(runQuery, listMappedTables(mapping)) }
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
  readonly clock = new ClockFloor()
  readonly #input: BindingInput
  readonly #readers: TypeReaders
  readonly #started: Schema
  readonly #timer: NodeJS.Timeout
  /**
   * The types of the columns that a section was bound to, and those of the empty results of its own statements that a
   * comparison has confirmed.
   */
  readonly #types = new WeakMap<
    object,
    { readonly text: string; readonly confirmed: (readonly number[])[] }
  >()
  #sections: BoundSections = new Map()
  #checkedAt = 0

  /** @throws Problem when the database does not answer. */
  static async start(input: BindingInput): Promise<Binding> {
    const readers = createTypeReaders(input)
    return new Binding(input, readers, await readAll(input, readers))
  }

  private constructor(input: BindingInput, readers: TypeReaders, started: SchemaReading) {
    this.#input = input
    this.#readers = readers
    this.#started = started.schema
    this.check = createCoalescer(async () => {
      this.#apply(await readAll(input, readers))
    })
    this.#apply(started)
    this.collections = [...this.#sections.values()].flatMap(({ value }) =>
      'record' in value ? [this.#toLive(value)] : [],
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
    this.#sections = bind(this.#input.mapping, reading, this.#started, before)
    this.#checkedAt = performance.now()
    for (const [name, { value }] of this.#sections) {
      const types = reading.types.get(name)
      if (typeof types !== 'object') continue
      this.clock.note(types.clock)
      if (this.#types.get(value)?.text !== types.text)
        this.#types.set(value, { text: types.text, confirmed: [] })
    }
    listSchemaEvents(before, this.#sections).forEach(this.#input.onEvent)
  }

  #requireSection(name: SectionName): BoundSection['value'] {
    const section = this.#sections.get(name)
    if (section === undefined) throw new Error(`The mapping has no section ${name}`)
    if (section.issues.length > 0) throw databaseUnavailable(new Error(section.issues.join('; ')))
    return section.value
  }

  #toLive({ name, typeName, scope, statuses, schema }: BoundCollection): LiveCollection {
    return {
      name,
      typeName,
      scope,
      statuses,
      schema,
      clock: this.clock,
      requireResolved: () => this.#requireSection(name) as BoundCollection,
      confirm: (answer) => {
        return this.#isConfirmed(answer) ? undefined : this.#confirm(name, answer)
      },
    }
  }

  #isConfirmed({ used, types }: UsedCollection): boolean {
    const known = this.#types.get(used)?.confirmed ?? []
    return types !== undefined && known.some((one) => isEqual(one, types))
  }

  /** Another answer of the same moment can have confirmed its types already. */
  #noteConfirmed(answer: UsedCollection): void {
    const { used, types } = answer
    if (types !== undefined && !this.#isConfirmed(answer)) this.#types.get(used)?.confirmed.push(types)
  }

  async #confirm(name: CollectionName, answer: UsedCollection): Promise<void> {
    const { used, withIndexes } = answer
    const types = await this.#readers.get(name)?.()
    const bound = this.#types.get(used)
    const isRead = typeof types === 'object'
    if (isRead) this.clock.note(types.clock)
    if (isRead && types.text === bound?.text && !withIndexes) {
      this.#noteConfirmed(answer)
      return
    }
    await this.check()
    if (!isRead || this.#requireSection(name) !== used)
      throw databaseUnavailable(new Error(`The schema of ${name} changed during the request`))
  }
}

function isEqual(types: readonly number[], others: readonly number[]): boolean {
  return types.length === others.length && types.every((type, at) => type === others[at])
}
