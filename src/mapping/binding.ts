import { createCoalescer } from '../coalescer.js'
import type { DocumentedCollection, LiveCollection, ReadTask } from '../collections/collection.js'
import { databaseUnavailable, isAccessDenied, isSchemaError, toCause } from '../database/errors.js'
import { ClockFloor } from '../database/heartbeat.js'
import { readSchema } from '../database/schema.js'
import type { Schema } from '../database/schema.js'
import { renderProbe } from '../database/schema-sql.js'
import type { RunQuery } from '../database/statement.js'
import { toErrorText } from '../errors.js'
import { readServerClock } from '../values/instant.js'
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

/** How often the timer checks whether a comparison is due. While something does not fit, one is always due. */
const tickMs = 500

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
    this.collections = describeCollections(input.mapping).map((documented) => this.#toLive(documented))
  }

  get sections(): BoundSections {
    return this.#sections
  }

  /** What does not fit, with its path in the mapping file; empty if everything fits. */
  listIssues(): readonly string[] {
    return [...this.#sections.values()].flatMap(({ issues }) => issues)
  }

  /** Reads with the key table, as `LiveCollection.read` does. */
  async readKeys<Result>(task: ReadTask<ResolvedKeyTable, Result>): Promise<Result> {
    const [, result] = await this.#read<ResolvedKeyTable, Result>('apiKeys', task)
    return result
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
    // One after the other, so that a comparison opens no more sessions than it needs.
    const unreadable = new Map<SectionName, string>()
    for (const name of listSections(mapping)) {
      const reason = await this.#probe(name)
      if (reason !== undefined) unreadable.set(name, reason)
    }
    const schema = await readSchema(runQuery, listMappedTables(mapping))
    const before = this.#sections
    this.#started ??= schema
    this.#sections = bind(mapping, { schema, unreadable }, this.#started, before)
    this.#checkedAt = performance.now()
    listSchemaEvents(before, this.#sections).forEach(observe)
  }

  /** Notes the clock, or says why columns of a section cannot be read. */
  async #probe(name: SectionName): Promise<string | undefined> {
    const { mapping, runQuery } = this.#input
    try {
      const [row] = await runQuery(renderProbe(listColumnsOf(mapping, name)))
      this.clock.note(readServerClock(row?.['clock']))
      return undefined
    } catch (error) {
      if (!isSchemaError(error) && !isAccessDenied(error)) throw error
      return `cannot be read: ${toErrorText(toCause(error))}`
    }
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
      read: (task) => this.#read(name, task),
    }
  }

  async #read<Bound extends BoundSection['value'], Result>(
    name: SectionName,
    task: ReadTask<Bound, Result>,
  ): Promise<readonly [Bound, Result]> {
    const bound = this.#requireSection(name) as Bound
    try {
      return [bound, await task(bound, false)]
    } catch (error) {
      if (!isSchemaError(error)) throw error
    }
    await this.check()
    const value = this.#requireSection(name) as Bound
    return [value, await task(value, true)]
  }
}
