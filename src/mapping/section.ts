import { chooseIndex } from '../collections/choose-index.js'
import type { BoundCollection } from '../collections/collection.js'
import { databaseUnavailable, isSchemaError } from '../database/errors.js'
import { toIssueText } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import type { SectionName } from './mapping-schema.js'
import type { ResolvedKeyTable, ResolvedMapping } from './resolve-mapping.js'

/** A change of a section while the service runs. */
export interface SchemaEvent {
  readonly kind: 'schema broken' | 'schema recovered' | 'schema bound anew' | 'paging index dropped'
  readonly section: SectionName
  readonly table: string
  readonly issues?: readonly string[]
  readonly index?: string
}

interface Named {
  readonly name: SectionName
}

/** @param isCompared whether the schema was compared because the task had failed. */
type ReadTask<Value, Result> = (value: Value, isCompared: boolean) => Promise<Result>

type Find<Value> = (resolved: ResolvedMapping) => Value | undefined

interface State<Value = unknown> {
  /** The same object while its columns and indexes are unchanged, so that its statements stay in use. */
  readonly value: Value
  readonly text: string
  readonly issues: readonly string[]
  /** The index that serves lists in their order; undefined for the keys and for a view. */
  readonly pagingIndex: string | undefined
}

/** A section of the mapping file as the schema was last read: what its statements are made from, or why it is not served. */
export class Section<
  Value extends ResolvedKeyTable | BoundCollection = ResolvedKeyTable | BoundCollection,
  About extends Named = Named,
> {
  /** What is known of it without a database. */
  readonly about: About
  readonly #find: Find<Value>
  readonly #compareAll: () => Promise<void>
  #state: State<Value> | undefined

  /** @param compareAll compares all sections with a schema that is read after the call. */
  constructor(about: About, find: Find<Value>, compareAll: () => Promise<void>) {
    this.about = about
    this.#find = find
    this.#compareAll = compareAll
  }

  /** Why it cannot be served; empty if it can. */
  get issues(): readonly string[] {
    return this.#state?.issues ?? []
  }

  get pagingIndex(): string | undefined {
    return this.#state?.pagingIndex
  }

  /** What statements are made from. @throws Problem `database_unavailable` while the mapping does not fit the schema. */
  require(): Value {
    if (this.#state === undefined || this.issues.length > 0)
      throw databaseUnavailable(new Error(this.issues.join('; ')))
    return this.#state.value
  }

  /**
   * Reads with the section as the schema was last read. After an error of the schema, the schema is compared, and the task runs
   * once more.
   *
   * @throws Problem as `require` does.
   */
  async read<Result>(task: ReadTask<Value, Result>): Promise<Result> {
    try {
      return await task(this.require(), false)
    } catch (error) {
      if (!isSchemaError(error)) throw error
    }
    await this.#compareAll()
    return task(this.require(), true)
  }

  /**
   * Takes what a schema resolves to into use.
   *
   * @param all the issues of all sections.
   * @param unreadable why its tables cannot be read. A view whose definer was dropped still has its columns in the schema.
   * @returns what has changed.
   */
  compare(
    resolved: ResolvedMapping,
    all: readonly ConfigIssue[],
    unreadable?: string,
  ): readonly SchemaEvent[] {
    const before = this.#state
    const value = this.#find(resolved)
    if (value === undefined) return []
    const { name } = this.about
    const found = all.filter(({ path }) => path.startsWith(`${name}.`)).map(toIssueText)
    const issues = found.length === 0 && unreadable !== undefined ? [`${name}: ${unreadable}`] : found
    const pagingIndex = typeof value.table === 'string' ? undefined : chooseIndex(value.table)?.name
    const text = JSON.stringify(value)
    this.#state = { value: before?.text === text ? before.value : value, text, issues, pagingIndex }
    const table = typeof value.table === 'string' ? value.table : value.table.name
    return listChanges(before ?? this.#state, this.#state).map((change) => ({
      ...change,
      section: name,
      table,
    }))
  }
}

function listChanges(
  before: State,
  { text, issues, pagingIndex }: State,
): readonly Omit<SchemaEvent, 'section' | 'table'>[] {
  if (issues.length > 0)
    return before.issues.join() === issues.join() ? [] : [{ kind: 'schema broken', issues }]
  if (before.issues.length > 0) return [{ kind: 'schema recovered' }]
  if (before.text === text) return []
  const index = pagingIndex === undefined ? before.pagingIndex : undefined
  const bound = { kind: 'schema bound anew' } as const
  return index === undefined ? [bound] : [bound, { kind: 'paging index dropped', index }]
}
