import { isRecord } from './client/forms.js'
import { findNearest, renderHint } from './client/text.js'
import type { ConfigIssue } from './errors.js'

/** What is read of a JSON Schema: the keywords that TypeBox writes for the environment and the mapping file. */
export interface Shape {
  readonly anyOf?: readonly Shape[]
  readonly type?: string
  readonly const?: unknown
  /** Of a variable that is not set. */
  readonly default?: unknown
  /** What an issue calls allowed. */
  readonly description?: string
  readonly properties?: Readonly<Record<string, Shape>>
  /** Of a record, whose names are free. */
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly maxProperties?: number
  /** Exactly one of these names is there. */
  readonly oneOf?: readonly Pick<Shape, 'required'>[]
  /** The names that a name needs beside it. */
  readonly dependencies?: Readonly<Record<string, readonly string[]>>
  readonly items?: Shape
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** A value that `vitrine init` left open, and what is to be decided. */
export const todoPattern = /^TODO(?:$|[: ])/

/** Every issue of a value, each at its own path: those of the branch that is nearest to it, where a shape has several. */
export function findShapeIssues(shape: Shape, value: unknown, path = ''): readonly ConfigIssue[] {
  const whole = [toIssue(shape, value, path)]
  if (typeof value === 'string' && todoPattern.test(value)) return whole
  const branches = listBranches(shape).filter((branch) => hasType(branch, value))
  const distances = branches.map((branch) => measure(branch, value))
  const nearest = branches.filter((_, at) => distances[at] === Math.min(...distances))
  const found = nearest.map((branch) => findBranchIssues(branch, value, path))
  if (found.some(({ length }) => length === 0)) return []
  const [issues = whole, ...others] = found
  return others.length > 0 ? whole : issues
}

function listBranches(shape: Shape): readonly Shape[] {
  return shape.anyOf?.flatMap(listBranches) ?? [shape]
}

/** How far a value is from a shape: by the names that it does not know, then by those that are missing. */
function measure(shape: Shape, value: unknown): number {
  if (!isRecord(value) || shape.properties === undefined) return 0
  const names = Object.keys(shape.properties)
  const unknown = Object.keys(value).filter((name) => !names.includes(name))
  const distances = unknown.map((name) => (findNearest(name, names) === undefined ? 100 : 10))
  return distances.reduce((sum, one) => sum + one, listMissing(shape, value).length)
}

function findBranchIssues(shape: Shape, value: unknown, path: string): readonly ConfigIssue[] {
  if (!isWithinLimits(shape, value)) return [toIssue(shape, value, path)]
  if (Array.isArray(value))
    return value.flatMap((item, at) => findShapeIssues(shape.items ?? {}, item, join(path, String(at))))
  return isRecord(value) ? findNameIssues(shape, value, path) : []
}

function findNameIssues(
  shape: Shape,
  value: Readonly<Record<string, unknown>>,
  path: string,
): readonly ConfigIssue[] {
  const { properties = {}, patternProperties = {} } = shape
  const [free] = Object.values(patternProperties)
  const issues = Object.entries(value).flatMap(([name, one]) => {
    const property = findOwn(properties, name) ?? free
    const place = join(path, name)
    return property === undefined ? [toUnknown(shape, name, place)] : findShapeIssues(property, one, place)
  })
  const missing = listMissing(shape, value).map((name) =>
    toIssue(properties[name] ?? {}, undefined, join(path, name)),
  )
  const found = [...missing, ...issues]
  return found.length === 0 && !isWhole(shape, value) ? [toIssue(shape, value, path)] : found
}

/** Whether a value has as many names as it may have, and one of those that exclude each other. */
function isWhole({ oneOf, minProperties = 0, maxProperties = Infinity }: Shape, value: object): boolean {
  const { length } = Object.keys(value)
  const holding = oneOf?.filter(({ required = [] }) => required.every((name) => Object.hasOwn(value, name)))
  return length >= minProperties && length <= maxProperties && (holding === undefined || holding.length === 1)
}

/** The names that a value lacks, each once. */
function listMissing({ required = [], dependencies = {} }: Shape, value: object): readonly string[] {
  const needed = Object.keys(value).flatMap((name) => findOwn(dependencies, name) ?? [])
  return [...new Set([...required, ...needed])].filter((name) => !Object.hasOwn(value, name))
}

/** The value of a name. A file may have names that every object inherits, such as `constructor`. */
function findOwn<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function toUnknown({ properties = {}, description }: Shape, name: string, path: string): ConfigIssue {
  const names = Object.keys(properties)
  const allowed = `${description ?? names.join(', ')}${renderHint(name, names)}`
  return { path, found: 'an unknown name', allowed }
}

function hasType({ type, const: only }: Shape, value: unknown): boolean {
  if (only !== undefined) return value === only
  if (type === 'integer') return Number.isInteger(value)
  return (
    type === undefined || type === (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
  )
}

/** Of a text, a list and an integer. */
function isWithinLimits(
  { pattern = '', minItems, maxItems, minimum, maximum }: Shape,
  value: unknown,
): boolean {
  if (typeof value === 'string') return new RegExp(pattern, 'u').test(value)
  if (Array.isArray(value)) return isBetween(value.length, minItems, maxItems)
  return typeof value !== 'number' || isBetween(value, minimum, maximum)
}

function isBetween(value: number, least = -Infinity, most = Infinity): boolean {
  return value >= least && value <= most
}

function toIssue(shape: Shape, value: unknown, path: string): ConfigIssue {
  return { path: path === '' ? '(root)' : path, found: show(value), allowed: describe(shape) }
}

function describe({ description, properties }: Shape): string {
  if (description !== undefined) return description
  return properties === undefined ? 'a value' : `a section with ${Object.keys(properties).join(', ')}`
}

/** A value as JSON; what `init` left open as it is written. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string' && todoPattern.test(value)) return value
  // JSON has no other numbers than finite ones.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

function join(path: string, name: string): string {
  const shown = name === '' ? '""' : name
  return path === '' ? shown : `${path}.${shown}`
}
