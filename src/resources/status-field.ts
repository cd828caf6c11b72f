import { Type } from '@sinclair/typebox'
import type { Row } from '../database/statement.js'
import { RowFault } from '../errors.js'
import { readIdentifier, toStoredIdentifier } from '../values/identifier.js'
import { readText } from '../values/text.js'
import type { ColumnResolver } from './column-resolver.js'
import type { Field, ResolvedField } from './field.js'
import { identifierTransforms } from './field-kinds.js'
import type { Documented, ReadText } from './field-kinds.js'
import { StatusOption, nameOf } from './options.js'
import type { StatusMapping } from './options.js'
import type { RowTest, StatusCases, StatusColumn } from './resolved-table.js'

type ColumnMapping = Exclude<StatusMapping, { when: unknown }>
type CasesMapping = Extract<StatusMapping, { when: unknown }>

/** The product's word for a record's state; with a list in the mapping, the public word of each stored value. */
export function status({ example }: Pick<Documented, 'example'>) {
  return {
    schema: Type.String({
      description: 'The state of the record, in the words of the product; new ones may come.',
      examples: [example],
    }),
    option: StatusOption,
    listColumns: (option) => (isCases(option) ? option.when.map(({ column }) => column) : [nameOf(option)]),
    allowsNull: isCases,
    resolve: (option, name, resolver): ResolvedStatus =>
      isCases(option) ? resolveCases(option, name, resolver) : resolveColumn(option, name, resolver),
  } satisfies Field<typeof StatusOption>
}

type ResolvedStatus = ResolvedField<ReadText> & { readonly found: StatusColumn | StatusCases }

function isCases(option: StatusMapping): option is CasesMapping {
  return typeof option === 'object' && 'when' in option
}

function resolveCases(
  { when, otherwise }: CasesMapping,
  name: string,
  resolver: ColumnResolver,
): ResolvedStatus {
  const cases = when.map(({ then, ...test }) => ({ test: resolver.findTest(test, `fields.${name}`), then }))
  return {
    found: { cases, otherwise },
    projection: [{ as: name, cases, otherwise }],
    read: (row) => readText(row[name]),
    transform: [
      ...cases.map(({ test, then }) => `${then} if ${describeTest(test)}`),
      `else ${otherwise}`,
    ].join(', '),
  }
}

/** A condition in words. */
export function describeTest({ column, is }: RowTest): string {
  if (is === 'set') return `${column.name} is set`
  if (is === 'unset') return `${column.name} is NULL`
  return `${column.name} is ${is.map((value) => JSON.stringify(value)).join(' or ')}`
}

function resolveColumn(option: ColumnMapping, name: string, resolver: ColumnResolver): ResolvedStatus {
  const path = `fields.${name}`
  const located = resolver.follow(option, path)
  const code = located.findCode(nameOf(option), path)
  const values = typeof option === 'string' ? undefined : toValues(option.values)
  const otherwise = typeof option === 'string' ? undefined : option.otherwise
  for (const stored of values?.keys() ?? [])
    if (toStoredIdentifier(stored, code.identifier) === undefined)
      located.reportValue(stored, code.column, `${path}.values`)
  const found = { ...code, values, otherwise }
  return {
    found,
    projection: [{ as: name, column: code.column, lookup: code.lookup }],
    read: (row) => readStatus(row[name], found),
    transform: describeValues(found),
  }
}

function toValues(
  values: Readonly<Record<string, string>> | readonly string[] | undefined,
): ReadonlyMap<string, string> | undefined {
  if (values === undefined) return undefined
  if (Array.isArray(values)) return new Map((values as readonly string[]).map((word) => [word, word]))
  return new Map(Object.entries(values as Readonly<Record<string, string>>))
}

function describeValues({ identifier, values, otherwise }: StatusColumn): string {
  if (values === undefined) return identifierTransforms[identifier]
  const listed = [...values].map(([stored, shown]) => `${stored} as ${shown}`)
  return [...listed, ...(otherwise === undefined ? [] : [`else ${otherwise}`])].join(', ')
}

function readStatus(cell: Row[string], found: StatusColumn): string {
  const stored = readIdentifier(cell, found.identifier)
  const shown = toPublicStatus(stored, found)
  if (shown === undefined) throw new RowFault('is not in the mapping', stored)
  return shown
}

/** The public word of a stored value; undefined where the mapping does not list it. */
export function toPublicStatus(
  stored: string,
  { values, otherwise }: Pick<StatusColumn, 'values' | 'otherwise'>,
): string | undefined {
  return values === undefined ? stored : (values.get(stored) ?? otherwise)
}
