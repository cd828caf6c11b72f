import { findNearest } from '../client/text.js'
import type { ConfigIssue } from '../errors.js'

/** What is read of a JSON Schema: the keywords that TypeBox writes for the options of the mapping file. */
export interface Shape {
  readonly anyOf?: readonly Shape[]
  readonly type?: string
  readonly const?: unknown
  /** Nothing fits: a name that is not allowed, and why. */
  readonly not?: object
  /** What an issue calls allowed. */
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  /** Of a record, whose names are free. */
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly minProperties?: number
  /** Exactly one of these names is there. */
  readonly oneOf?: readonly Pick<Shape, 'required'>[]
  /** The names that a name needs beside it. */
  readonly dependencies?: Readonly<Record<string, readonly string[]>>
  readonly items?: Shape
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** A value that `vitrine init` left open, and what is to be decided. */
export const todoPattern = /^TODO(?:$|[: ])/

/** Every issue of a value, each at its own path. The value gets the defaults of names that it lacks. */
export function findShapeIssues(shape: Shape, value: unknown, path = ''): readonly ConfigIssue[] {
  if (typeof value === 'string' && todoPattern.test(value)) return [toIssue(shape, value, path)]
  if (shape.anyOf !== undefined) return findChoiceIssues(shape, shape.anyOf, value, path)
  if (!hasType(shape, value) || !isWithinLimits(shape, value)) return [toIssue(shape, value, path)]
  if (Array.isArray(value)) {
    const { items = {} } = shape
    return value.flatMap((item, at) => findShapeIssues(items, item, join(path, String(at))))
  }
  return isRecord(value) ? findNameIssues(shape, value, path) : []
}

/** The issues of the branch that is nearest to a value. */
function findChoiceIssues(
  shape: Shape,
  branches: readonly Shape[],
  value: unknown,
  path: string,
): readonly ConfigIssue[] {
  const near = branches.filter((branch) => hasType(branch, value))
  const distances = near.map((branch) => measure(branch, value))
  const least = Math.min(...distances)
  const nearest = near
    .filter((_, at) => distances[at] === least && least < Infinity)
    .map((branch) => findShapeIssues(branch, value, path))
  const [issues, ...others] = nearest
  if (nearest.some(({ length }) => length === 0)) return []
  return issues === undefined || others.length > 0 ? [toIssue(shape, value, path)] : issues
}

/** How far a value is from a branch, which knows the most of its names and lacks the fewest; one without any is another form. */
function measure({ properties = {}, patternProperties, required = [] }: Shape, value: unknown): number {
  if (!isRecord(value)) return 0
  const names = Object.keys(value)
  const isSimilar = (name: string): boolean =>
    has(properties, name) || findNearest(name, Object.keys(properties)) !== undefined
  const isOther = patternProperties === undefined && names.length > 0 && !names.some(isSimilar)
  const unknown = names.filter((name) => !has(properties, name))
  const missing = required.filter((name) => !has(value, name))
  return isOther ? Infinity : 100 * unknown.length + missing.length
}

function findNameIssues(shape: Shape, value: Record<string, unknown>, path: string): readonly ConfigIssue[] {
  const { properties = {}, patternProperties = {}, oneOf } = shape
  fillDefaults(properties, value)
  const [free] = Object.values(patternProperties)
  const all = Object.entries(value).map(([name, one]) => {
    const property = has(properties, name) ? properties[name] : free
    return { name, one, property, place: join(path, name) }
  })
  const forbidden = all.find(({ property }) => property?.not !== undefined)?.property
  if (forbidden !== undefined) return [toIssue(forbidden, value, path)]
  const issues = all.flatMap(({ name, one, property, place }) =>
    property === undefined ? [toUnknown(properties, name, place)] : findShapeIssues(property, one, place),
  )
  const found = [...findMissing(shape, value, path), ...issues]
  return found.length === 0 && !holdsOne(oneOf, value) ? [toIssue(shape, value, path)] : found
}

function fillDefaults(properties: NonNullable<Shape['properties']>, value: Record<string, unknown>): void {
  for (const [name, { default: usual }] of Object.entries(properties))
    if (usual !== undefined && !has(value, name)) value[name] = usual
}

function holdsOne(oneOf: Shape['oneOf'], value: object): boolean {
  const holding = oneOf?.filter(({ required }) => required?.every((name) => has(value, name)))
  return holding === undefined || holding.length === 1
}

function findMissing(
  { properties = {}, required = [], dependencies = {} }: Shape,
  value: object,
  path: string,
): readonly ConfigIssue[] {
  const needed = Object.keys(value).flatMap((name) => dependencies[name] ?? [])
  return [...new Set([...required, ...needed])]
    .filter((name) => !has(value, name))
    .map((name) => toIssue(properties[name] ?? {}, undefined, join(path, name)))
}

function toUnknown(properties: object, name: string, path: string): ConfigIssue {
  const names = Object.keys(properties)
  const nearest = findNearest(name, names)
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return { path, found: 'an unknown name', allowed: `${names.join(', ')}${hint}` }
}

function hasType({ type, const: only }: Shape, value: unknown): boolean {
  if (only !== undefined) return value === only
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return isRecord(value)
  return (
    type === undefined || type === (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
  )
}

/** A shape has the limits of its own type only. */
function isWithinLimits(shape: Shape, value: unknown): boolean {
  const counted = isRecord(value) ? Object.keys(value) : value
  const size = typeof counted === 'string' || Array.isArray(counted) ? counted.length : Number(counted)
  const least = [shape.minimum, shape.minLength, shape.minItems, shape.minProperties]
  const most = [shape.maximum, shape.maxLength, shape.maxItems]
  if (least.some((limit = -Infinity) => size < limit) || most.some((limit = Infinity) => size > limit))
    return false
  if (typeof value === 'string') return new RegExp(shape.pattern ?? '', 'u').test(value)
  return shape.uniqueItems !== true || new Set(value as unknown[]).size === size
}

/** Not by `in`: YAML may have the name `constructor`. */
function has(record: object, name: string): boolean {
  return Object.hasOwn(record, name)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 117)}...` : text
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
