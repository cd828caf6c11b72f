import type { ErrorObject } from 'ajv'
import type { ConfigIssue } from '../errors.js'
import { findNearest } from '../client/nearest.js'

/**
 * ajv's errors as issues that a person can act on. Of a choice between shapes, ajv reports each that does not
 * fit; here only the errors of the one that was meant are kept, or else a single one that names them all.
 *
 * @param errors made with `verbose` and `allErrors`.
 */
export function toSchemaIssues(errors: readonly ErrorObject[]): readonly ConfigIssue[] {
  const choices = errors.filter((error) => error.keyword === 'anyOf')
  const kept = errors.filter((error) => {
    const around = choices.filter((choice) => isWithin(error, choice))
    // The error of the whole choice says it.
    if (/\/oneOf\/\d/.test(error.schemaPath)) return false
    return around.every((choice) => isMeant(error, choice, errors)) && !isReplaced(error, errors)
  })
  const issues = kept.map(toIssue)
  const unique = new Map(issues.map((issue) => [JSON.stringify(issue), issue]))
  return [...unique.values()]
}

/** The items of a list share the paths of their schema, so the paths of the values are compared too. */
function isWithin(error: ErrorObject, choice: ErrorObject): boolean {
  return (
    error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
    `${error.instancePath}/`.startsWith(`${choice.instancePath}/`)
  )
}

/** Whether an error lies in the branch of a choice that was meant. */
function isMeant(error: ErrorObject, choice: ErrorObject, errors: readonly ErrorObject[]): boolean {
  return branchOf(error, choice) === findMeantBranch(choice, errors)
}

/** Whether the issues of one branch replace the issue of a choice. */
function isReplaced(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  return error.keyword === 'anyOf' && findMeantBranch(error, errors) !== undefined
}

/** The only branch of a choice with the type of the found value that knows the most of its names, and lacks the fewest. */
function findMeantBranch(choice: ErrorObject, errors: readonly ErrorObject[]): string | undefined {
  const within = errors.filter((error) => isWithin(error, choice))
  const branches = [...new Set(within.map((error) => branchOf(error, choice)))].flatMap((branch) => {
    const own = within.filter(
      (error) => branchOf(error, choice) === branch && error.instancePath === choice.instancePath,
    )
    const count = (keyword: string): number => own.filter((error) => error.keyword === keyword).length
    if (count('type') + count('const') > 0 || knowsNothing(own, choice.data)) return []
    return [{ branch, distance: 100 * (count('additionalProperties') + count('oneOf')) + count('required') }]
  })
  const least = Math.min(...branches.map(({ distance }) => distance))
  const meant = branches.filter(({ distance }) => distance === least)
  return meant.length === 1 ? meant[0]?.branch : undefined
}

/** Whether a branch has none of the names that were found, and none that is nearly one of them. */
function knowsNothing(own: readonly ErrorObject[], found: unknown): boolean {
  const unknown = own.filter(({ keyword }) => keyword === 'additionalProperties')
  if (typeof found !== 'object' || found === null || unknown.length < Object.keys(found).length) return false
  return unknown.every(
    (error) =>
      findNearest(String(error.params['additionalProperty']), Object.keys(propertiesOf(error))) === undefined,
  )
}

function branchOf(error: ErrorObject, choice: ErrorObject): string {
  return error.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] ?? ''
}

function toIssue(error: ErrorObject): ConfigIssue {
  const path = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/')
  const params: Readonly<Record<string, unknown>> = error.params
  if (error.keyword === 'required') {
    const name = String(params['missingProperty'])
    return { path: join(path, name), found: 'nothing', allowed: describe(propertiesOf(error)[name]) }
  }
  if (error.keyword === 'additionalProperties') {
    const name = String(params['additionalProperty'])
    const names = Object.keys(propertiesOf(error))
    const nearest = findNearest(name, names)
    return {
      path: join(path, name),
      found: 'an unknown name',
      allowed: `${names.join(', ')}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
    }
  }
  return {
    path: path === '' ? '(root)' : path,
    found: show(error.data),
    allowed: describe(error.parentSchema, error.message),
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

type SchemaNode = Readonly<Record<string, unknown>>

function propertiesOf(error: ErrorObject): Readonly<Record<string, SchemaNode>> {
  return (error.parentSchema?.['properties'] ?? {}) as Readonly<Record<string, SchemaNode>>
}

function describe(schema: SchemaNode | undefined, otherwise = 'a value'): string {
  if (typeof schema?.['description'] === 'string') return schema['description']
  const properties = schema?.['properties']
  return properties === undefined
    ? otherwise
    : `a section with ${Object.keys(properties as object).join(', ')}`
}

function show(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) return 'nothing'
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}
