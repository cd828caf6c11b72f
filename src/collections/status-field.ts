import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { isErrorValue } from '../database/column.js'
import type { Column } from '../database/column.js'
import { RowFault } from '../errors.js'
import { requireText, textLengthMax } from '../values/cells.js'
import { readIdentifier, toStoredIdentifier } from '../values/identifiers.js'
import type { ColumnResolver } from './column-resolver.js'
import { defineField, toCellField, toColumnField } from './field.js'
import type { Documented, FieldOf, Wanted } from './field.js'
import { closed, foundColumn, partsOf, rowTest } from './options.js'
import { projectCases, selectCases } from './row-test.js'
import type { Cases } from './row-test.js'
import { bindIdentifier, codes, findIdentifier, zeros, zerosForm } from './identifier-fields.js'
import type { IdentifierColumn } from './identifier-fields.js'
import { equals, Hole, join, Sql, sql } from '../database/sql.js'
import { testFound, testValue } from './lookup.js'

/* The status of a record: a code, or what the first case of several says. */

const StatusWord = Type.String({ title: 'status', pattern: '^.', description: 'a public status' })
const StatusValues = Type.Union(
  [
    Type.Record(Type.String(), StatusWord, { minProperties: 1, description: 'stored value: public status' }),
    Type.Array(StatusWord, { minItems: 1, description: 'stored words that are public ones' }),
  ],
  { description: '{ stored: PUBLIC }, or [WORD…] where the stored words are the public ones' },
)
const CasesOption = Type.Object(
  {
    when: Type.Array(rowTest({ then: StatusWord }, {}), { minItems: 1, maxItems: 20 }),
    otherwise: Type.Optional(StatusWord),
  },
  closed,
)
const WordsOption = foundColumn(
  { values: StatusValues, otherwise: StatusWord, zeros },
  `a column name, or { column, values: { stored: PUBLIC }, otherwise: PUBLIC }, or ${zerosForm}`,
  { otherwise: ['values'] },
)
/** A status, with the public word for each stored value where they differ, or derived from several columns. */
const StatusOption = Type.Union([WordsOption, CasesOption], {
  description: `${WordsOption.description}; { when: [{ column, equals, then: PUBLIC }…], otherwise: PUBLIC }`,
})
/** A status as the mapping names it. */
export type StatusMapping = Static<typeof StatusOption>

/** A status column; `values` gives the public word of each stored value, where the mapping lists them. */
export interface StatusColumn extends IdentifierColumn {
  readonly values: ReadonlyMap<string, string> | undefined
  /** The public word of every other stored value; undefined where a row with such a value is invalid. */
  readonly otherwise: string | undefined
}

/** How a status is found: by its code, or by tests of several columns. */
export type Status = StatusColumn | (Cases & { readonly kind: 'cases' })

/** The product's word for a record's state; with a list in the mapping, the public word of each stored value. */
export function status({ example }: Pick<Documented, 'example'>) {
  const schema = Type.String({
    description: 'The state of the record, in the words of the product; new ones may come.',
    maxLength: textLengthMax,
    examples: [example],
  })
  return defineField({ content: 'word', schema, option: StatusOption }, (option, columns) =>
    isCases(option) ? resolveCases(option, columns) : resolveColumn(option, columns),
  )
}

function isCases(option: StatusMapping): option is Static<typeof CasesOption> {
  return typeof option === 'object' && 'when' in option
}

function resolveCases(
  { when, otherwise }: Static<typeof CasesOption>,
  columns: ColumnResolver,
): FieldOf<Status> {
  const cases = when.map(({ then, ...test }) => ({ test: columns.findTest(test), then }))
  return {
    found: { kind: 'cases', cases, otherwise },
    ...toCellField(projectCases({ cases, otherwise }), columns, requireText),
    missing: 'is in no case of the mapping',
  }
}

function resolveColumn(option: Static<typeof WordsOption>, columns: ColumnResolver): FieldOf<Status> {
  const code = findIdentifier(option, columns, codes)
  const { values: mapped, otherwise } = partsOf(option)
  const values = toValues(mapped, code.column)
  for (const stored of values?.keys() ?? [])
    if (toStoredIdentifier(stored, code.identifier) === undefined)
      columns.at('values').reportValue(stored, code)
  const found = { ...code, values, otherwise }
  const read = (cell: unknown): string => {
    const stored = readIdentifier(cell, code.identifier)
    const shown = toPublicStatus(stored, found)
    if (shown === undefined) throw new RowFault('is not in the mapping', stored)
    return shown
  }
  return toColumnField(found, columns, read)
}

/** The public words that the mapping lists, each once; undefined where it lists none. */
export function listStatuses(option: StatusMapping): readonly string[] | undefined {
  const { values, otherwise } = isCases(option) ? { ...option, values: undefined } : partsOf(option)
  const listed = isCases(option) ? option.when.map(({ then }) => then) : toValues(values)?.values()
  return listed && [...new Set([...listed, otherwise].filter((word) => word !== undefined))]
}

function toValues(values: Static<typeof StatusValues> | undefined, column?: Column) {
  if (values === undefined) return undefined
  if (Array.isArray(values)) return new Map((values as readonly string[]).map((word) => [word, word]))
  // The file may name a number without the zeros that the column shows.
  const digits = column?.showsZeros === true ? Number(/\((\d+)\)/.exec(column.type)?.[1] ?? 0) : 0
  const listed = Object.entries(values as Readonly<Record<string, string>>)
  return new Map(listed.map(([stored, shown]) => [stored.padStart(digits, '0'), shown]))
}

/*
 * Both directions of a status, side by side: from what is stored to the public word of a record, and from a public word to
 * what a filter compares; and what is listed in neither. An option of the mapping that changes one changes all of them.
 */

/** The public word of a stored value; undefined where the mapping does not list it. */
export function toPublicStatus(
  stored: string,
  { column, values, otherwise }: StatusColumn,
): string | undefined {
  if (values === undefined) return isErrorValue(column, stored) ? undefined : stored
  return values.get(stored) ?? otherwise
}

/** The stored values that are shown as a word, or all those that are not, where every other value is shown so. */
function listStored(status: StatusColumn, word: string) {
  const { values, otherwise } = status
  const isOther = values !== undefined && word === otherwise
  const listed = [...(values ?? [[word, word]])].filter(([, shown]) => (shown === word) !== isOther)
  return { isOther, stored: listed.flatMap(([text]) => bindIdentifier(status, text) ?? []) }
}

/** A public status: the stored values that it stands for, or all others that the mapping lists. */
export function bindStatus(status: Status, word: string): Wanted {
  if (status.kind === 'cases') return [['status', word]]
  const { stored, isOther } = listStored(status, word)
  const isPossible = isOther || stored.length > 0
  // The names tell one form of the statement from another.
  return [
    [isOther ? 'other statuses' : 'status', isPossible ? word : undefined],
    ...stored.map((value, at) => [`status${at}`, value] as const),
  ]
}

/** The column that the filter by a status compares with one value; undefined for several, and for all others. */
export function findStatusColumn(status: Status, word: string): StatusColumn | undefined {
  if (status.kind === 'cases') return undefined
  const { stored, isOther } = listStored(status, word)
  return stored.length === 1 && !isOther ? status : undefined
}

/** The condition that a row has a status. */
export function hasStatus(table: { readonly name: string; readonly status: Status }, word: string): Sql {
  const { status } = table
  if (status.kind === 'cases') {
    const shown = selectCases(status, (test) => testValue(test, table))
    return sql`cast(${shown} as binary) = cast(${new Hole('status')} as binary)`
  }
  const { stored, isOther } = listStored(status, word)
  return testFound(table, status, (quoted) => {
    if (stored.length === 0) return sql`${quoted} is not null`
    const tests = stored.map((_, at) => equals(status.column, quoted, new Hole(`status${at}`)))
    const any = sql`(${join(tests, ' or ')})`
    return isOther ? sql`not ${any}` : any
  })
}

/** Whether a row can have a stored value without a public word; such a value is reported. */
export function hasUnknownStatuses(status: Status): status is StatusColumn {
  if (status.kind === 'cases' || status.otherwise !== undefined) return false
  return status.values !== undefined || isErrorValue(status.column, '')
}
