import { createCoalescer } from '../coalescer.js'
import type {
  BoundCollection,
  DocumentedCollection,
  LiveCollection,
  UsedCollection,
} from '../collections/collection.js'
import { databaseUnavailable, isAccessDenied, isSchemaError, toCause } from '../database/errors.js'
import { ClockFloor } from '../database/heartbeat.js'
import { readSchema, readTypes } from '../database/schema.js'
import type { ColumnTypes, Schema } from '../database/schema.js'
import { renderTypes } from '../database/schema-sql.js'
import type { RunQuery } from '../database/statement.js'
import { toErrorText } from '../errors.js'
import { bind, listSchemaEvents } from './bind.js'
import type { BoundSection, BoundSections, SchemaEvent } from './bind.js'
import type { ResolvedKeyTable } from './resolve-mapping.js'
import { listColumnsOf, listMappedTables, listSections } from './mapped-columns.js'
import type { Mapping, SectionName } from './mapping-schema.js'
import { describeCollections } from './resolve-mapping.js'

interface BindingInput {
  readonly mapping: Mapping
  readonly runQuery: RunQuery
  readonly everyMs: number
  readonly observe: (event: SchemaEvent) => void
}

/**
 * Reads the types of the columns of a section, or why they cannot be read, and notes the clock. Calls at the same time share a
 * statement.
 */
function createTypeReader({ mapping, runQuery }: BindingInput, name: SectionName, clock: ClockFloor) {
  const statement = renderTypes(listColumnsOf(mapping, name))
  return createCoalescer(async (): Promise<ColumnTypes | string> => {
    try {
      const types = await readTypes(runQuery, statement)
      clock.note(types.clock)
      return types
    } catch (error) {
      if (!isSchemaError(error) && !isAccessDenied(error)) throw error
      return `cannot be read: ${toErrorText(toCause(error))}`
    }
  })
}

/** How often the timer checks whether a comparison is due. While something does not fit, one is always due. */
const tickMs = 500

/** The types of the columns that a section was bound to, and those of its own empty results that a comparison confirmed. */
interface BoundTypes {
  readonly text: string
  readonly confirmed: (readonly number[])[]
}

/**
 * The mapping, bound to the current schema. It is compared with the live schema every `everyMs` and on request. After a change
 * that still fits, statements are compiled again. A section that does not fit is not served until it fits.
 */
export class Binding {
  readonly collections: readonly LiveCollection[]
  /** Compares with a schema that is read after the call. @throws Problem when the database does not answer. */
  readonly check = createCoalescer(() => this.#compare())
  readonly clock = new ClockFloor()
  readonly #input: BindingInput
  readonly #readers: ReadonlyMap<SectionName, () => Promise<ColumnTypes | string>>
  readonly #types = new WeakMap<object, BoundTypes>()
  #timer: NodeJS.Timeout | undefined
  #started: Schema | undefined
  #sections: BoundSections = new Map()
  #checkedAt = 0

  /** @throws Problem when the database does not answer. */
  static async start(input: BindingInput): Promise<Binding> {
    const binding = new Binding(input)
    await binding.check()
    binding.#timer = setInterval(() => {
      const dueMs = binding.listIssues().length > 0 ? 0 : input.everyMs
      if (performance.now() - binding.#checkedAt >= dueMs) binding.#checkQuietly()
    }, tickMs).unref()
    return binding
  }

  private constructor(input: BindingInput) {
    this.#input = input
    const names = listSections(input.mapping)
    this.#readers = new Map(names.map((name) => [name, createTypeReader(input, name, this.clock)]))
    this.collections = describeCollections(input.mapping).map((documented) => this.#toLive(documented))
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

  async #compare(): Promise<void> {
    const { mapping, runQuery, observe } = this.#input
    // Before the schema: the types of a column that changes meanwhile are not those of the next reading. One after the
    // other, so that a comparison opens no more sessions than it needs.
    const types = new Map<SectionName, ColumnTypes | string>()
    for (const [name, read] of this.#readers) types.set(name, await read())
    const schema = await readSchema(runQuery, listMappedTables(mapping))
    const before = this.#sections
    this.#started ??= schema
    this.#sections = bind(mapping, { schema, types }, this.#started, before)
    this.#checkedAt = performance.now()
    for (const [name, { value }] of this.#sections) this.#noteTypes(value, types.get(name))
    listSchemaEvents(before, this.#sections).forEach(observe)
  }

  #noteTypes(value: object, types: ColumnTypes | string | undefined): void {
    if (typeof types === 'object' && this.#types.get(value)?.text !== types.text)
      this.#types.set(value, { text: types.text, confirmed: [] })
  }

  #requireSection(name: SectionName): BoundSection['value'] {
    const section = this.#sections.get(name)
    if (section === undefined) throw new Error(`The mapping has no section ${name}`)
    if (section.issues.length > 0) throw databaseUnavailable(new Error(section.issues.join('; ')))
    return section.value
  }

  #toLive(documented: DocumentedCollection): LiveCollection {
    const { name } = documented
    return {
      ...documented,
      clock: this.clock,
      requireResolved: () => this.#requireSection(name) as BoundCollection,
      confirm: (answer) => (this.#isConfirmed(answer) ? undefined : this.#confirm(name, answer)),
    }
  }

  #isConfirmed({ used, types }: UsedCollection): boolean {
    const known = this.#types.get(used)?.confirmed ?? []
    return known.some((one) => one.length === types?.length && one.every((type, at) => type === types[at]))
  }

  async #confirm(name: SectionName, answer: UsedCollection): Promise<void> {
    const { used, withIndexes } = answer
    const types = await this.#readers.get(name)?.()
    const isRead = typeof types === 'object'
    const bound = this.#types.get(used)
    if (isRead && types.text === bound?.text && !withIndexes) {
      // Another answer of the same moment can have confirmed its types already.
      if (answer.types !== undefined && !this.#isConfirmed(answer)) bound.confirmed.push(answer.types)
      return
    }
    await this.check()
    if (!isRead || this.#requireSection(name) !== used)
      throw databaseUnavailable(new Error(`The schema of ${name} changed during the request`))
  }
}
