import { createCoalescer } from '../coalescer.js'
import { countDigits } from '../database/column.js'
import type { Column } from '../database/column.js'
import { isAccessDenied, isSchemaError, toCause } from '../database/errors.js'
import { ClockFloor } from '../database/heartbeat.js'
import { readSchema } from '../database/schema.js'
import type { Schema } from '../database/schema.js'
import { renderProbe } from '../database/schema-sql.js'
import type { RunQuery } from '../database/statement.js'
import { toErrorText } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { readServerClock } from '../values/instant.js'
import { listColumnsOf, listMappedColumns, listMappedTables } from './mapped-columns.js'
import type { Mapping, SectionName } from './mapping-schema.js'
import { describeCollections, resolveMapping } from './resolve-mapping.js'
import { Section } from './section.js'
import type { SchemaEvent } from './section.js'

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
  /** Compares with a schema that is read after the call. @throws Problem when the database does not answer. */
  readonly check = createCoalescer(() => this.#compare())
  readonly keys = new Section({ name: 'apiKeys' }, ({ apiKeys }) => apiKeys, this.check)
  readonly collections
  /** What is known of the clock of the database, and what its pages prove. */
  readonly clock = new ClockFloor()
  readonly #input: BindingInput
  #timer: NodeJS.Timeout | undefined
  #started: Schema | undefined
  #checkedAt = 0

  /** @throws Problem when the database does not answer. */
  static async start(input: BindingInput): Promise<Binding> {
    const binding = new Binding(input)
    await binding.check()
    binding.#timer = setInterval(() => {
      const dueMs = binding.listIssues().length > 0 ? 0 : input.everyMs
      // If the database does not answer, the health checks report it.
      if (performance.now() - binding.#checkedAt >= dueMs) binding.check().catch(() => undefined)
    }, tickMs).unref()
    return binding
  }

  private constructor(input: BindingInput) {
    this.#input = input
    this.collections = describeCollections(input.mapping).map(
      (about) => new Section(about, (resolved) => resolved[about.name], this.check),
    )
  }

  /** In the order of the mapping file. */
  get sections(): readonly Section[] {
    return [this.keys, ...this.collections]
  }

  /** What does not fit, with its path in the mapping file; empty if everything fits. */
  listIssues(): readonly string[] {
    return this.sections.flatMap(({ issues }) => issues)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #compare(): Promise<void> {
    const { mapping, runQuery, observe } = this.#input
    // One after the other, so that a comparison opens no more sessions than it needs.
    const unreadable = new Map<SectionName, string | undefined>()
    for (const { about } of this.sections) unreadable.set(about.name, await this.#probe(about.name))
    const schema = await readSchema(runQuery, listMappedTables(mapping))
    this.#started ??= schema
    const resolved = resolveMapping(mapping, schema)
    const issues = [...resolved.issues, ...listChangedKinds(mapping, schema, this.#started)]
    this.#checkedAt = performance.now()
    this.sections
      .flatMap((section) => section.compare(resolved, issues, unreadable.get(section.about.name)))
      .forEach(observe)
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
}

/**
 * An issue for each column whose kind has changed since the start of the service, even if the mapping could read it: its values
 * would not mean what earlier answers meant.
 */
export function listChangedKinds(mapping: Mapping, schema: Schema, started: Schema): readonly ConfigIssue[] {
  return listMappedColumns(mapping).flatMap(({ table, column, path }) => {
    const [before, now] = [started, schema].map((read) => read.get(table)?.columns.get(column.toLowerCase()))
    if (before === undefined || now === undefined || toMeaning(before) === toMeaning(now)) return []
    const found = `${table}.${now.name}, which changed from ${before.type} to ${now.type} since the start`
    return [{ path, found, allowed: `${before.type}, or a restart that takes the new type into use` }]
  })
}

/** What the values of a column are read as. Whole numbers that get decimals were minor units, and are not any more. */
function toMeaning(column: Column): string {
  return column.kind === 'decimal' && countDigits(column) === 0 ? 'whole numbers' : column.kind
}
