import { Ajv } from 'ajv'
import type { ValidateFunction } from 'ajv'
import { isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import type { Document, Scalar } from 'yaml'
import { findNearest } from '../client/nearest.js'
import { ConfigError } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { invoices } from '../collections/invoices.js'
import { registrations } from '../collections/registrations.js'
import { parseZone } from '../values/zone.js'
import { MappingSchema, shareDefinitions, zoneForm } from './mapping-schema.js'
import type { Mapping } from './mapping-schema.js'
import { findForbidden } from './mapped-columns.js'
import { toSchemaIssues } from './schema-issues.js'

const isMapping = new Ajv({ useDefaults: true }).compile<Mapping>(shareDefinitions(MappingSchema))

let explain: ValidateFunction | undefined

/** By the whole schema, whose errors have whole paths. It is compiled here, because that takes longer than a start and 80 MB. */
function findShapeIssues(content: unknown): readonly ConfigIssue[] {
  explain ??= new Ajv({ allErrors: true, verbose: true, useDefaults: true }).compile(MappingSchema)
  return explain(content) ? [] : toSchemaIssues(explain.errors ?? [])
}

/**
 * The mapping that a YAML text holds: its shape first, then its meaning.
 *
 * @throws ConfigError with every issue of its shape, or else of its meaning.
 */
export function readMapping(text: string): Mapping {
  const { content, todos } = parseYaml(text)
  if (!isMapping(content) || todos.length > 0)
    throw new ConfigError(withTodos(todos, findShapeIssues(content)))
  const issues = [
    ...findUnknownZone(content),
    ...findForbidden(content),
    ...findMissingSections(content),
    ...(content.registrations === undefined ? [] : registrations.findIssues(content.registrations)),
    ...(content.invoices === undefined ? [] : invoices.findIssues(content.invoices)),
  ]
  if (issues.length > 0) throw new ConfigError(issues)
  return content
}

/** An issue where the time zone has a name that this Node does not know. */
function findUnknownZone({ timezone }: Mapping): readonly ConfigIssue[] {
  if (parseZone(timezone) !== undefined) return []
  const nearest = findNearest(timezone, Intl.supportedValuesOf('timeZone'))
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return [{ path: 'timezone', found: JSON.stringify(timezone), allowed: `${zoneForm}${hint}` }]
}

/** An issue where the mapping has no collection at all. */
function findMissingSections({ registrations, invoices }: Mapping): readonly ConfigIssue[] {
  if (registrations !== undefined || invoices !== undefined) return []
  return [
    {
      path: 'registrations',
      found: 'nothing, and no invoices either',
      allowed: 'a section registrations, a section invoices, or both',
    },
  ]
}

/** What is undecided, and the other issues of the shape. */
function withTodos(todos: readonly ConfigIssue[], issues: readonly ConfigIssue[]): readonly ConfigIssue[] {
  return [...todos, ...issues.filter(({ path }) => !todos.some((todo) => todo.path === path))]
}

function parseYaml(text: string): { readonly content: unknown; readonly todos: readonly ConfigIssue[] } {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false })
  if (document.errors.length === 0)
    return { content: toContent(document, lineCounter), todos: findTodos(document, MappingSchema) }
  throw new ConfigError(
    document.errors.map(({ code, message, pos }) => ({
      path: `line ${lineCounter.linePos(pos[0]).line}`,
      ...(code === 'MULTIPLE_DOCS'
        ? { found: 'a second YAML document', allowed: 'one document: a mapping file is not divided by ---' }
        : { found: message, allowed: 'YAML' }),
    })),
  )
}

/**
 * The document's content, its names as they are written: YAML would read the stored value `01` as the number 1
 * and `TRUE` as a boolean.
 */
function toContent(document: Document.Parsed, lineCounter: LineCounter): unknown {
  const issues: ConfigIssue[] = []
  visit(document, {
    Map: (_, map) => {
      const names = map.items.map(({ key }) => (isScalar(key) ? String(key.source ?? key.value) : ''))
      map.items.forEach(({ key }, at) => {
        if (isScalar(key)) key.value = names[at]
      })
      map.items.forEach(({ key }, at) => {
        const name = names[at] ?? ''
        if (names.indexOf(name) === at || !isScalar(key)) return
        const line = lineCounter.linePos(key.range?.[0] ?? 0).line
        issues.push({ path: `line ${line}`, found: `the name ${name} twice`, allowed: 'each name once' })
      })
    },
  })
  issues.push(...findAliasIssues(document, lineCounter))
  if (issues.length > 0) throw new ConfigError(issues)
  return document.toJS()
}

/** An issue for each alias without an anchor before it, or within its own anchor; or one where aliases repeat too much. */
function findAliasIssues(document: Document.Parsed, lineCounter: LineCounter): readonly ConfigIssue[] {
  const issues: ConfigIssue[] = []
  let path = ''
  visit(document, {
    Alias: (_, alias, ancestors) => {
      path = `line ${lineCounter.linePos(alias.range?.[0] ?? 0).line}`
      const target = alias.resolve(document)
      if (target !== undefined && !ancestors.includes(target)) return
      issues.push({ path, found: `the alias *${alias.source}`, allowed: 'an alias of an anchor before it' })
    },
  })
  if (issues.length > 0) return issues
  try {
    document.toJS()
    return []
  } catch {
    return [{ path, found: 'aliases that repeat too many values', allowed: 'the values themselves' }]
  }
}

/**
 * An issue for each place that `vitrine init` could not decide: the value `TODO`, with what to decide as the comment
 * behind it.
 *
 * @param schema the JSON Schema of the document, whose descriptions say what is allowed.
 */
function findTodos(document: Document, schema: object): readonly ConfigIssue[] {
  const issues: ConfigIssue[] = []
  visit(document, {
    Scalar: (key, node, ancestors) => {
      if (key === 'key' || !isTodo(node)) return
      const path = listNames([...ancestors, node])
      const text = String(node.value).replace(/^TODO:? ?/, '') || (node.comment ?? '').trim()
      issues.push({
        path: path.join('.'),
        found: text === '' ? 'TODO' : `TODO: ${text}`,
        allowed: describe(schema, path) ?? 'a value in its place',
      })
    },
  })
  return issues
}

function isTodo({ value }: Scalar): boolean {
  return typeof value === 'string' && /^TODO(?:$|[: ])/.test(value)
}

/** The names of the pairs on the way to a node, and the places in lists. */
function listNames(path: readonly unknown[]): readonly string[] {
  return path.flatMap((node, at) => {
    if (isPair(node)) return isScalar(node.key) ? [String(node.key.value)] : []
    return isSeq(node) ? [String(node.items.indexOf(path[at + 1]))] : []
  })
}

/** The description of the nearest part of the schema on the way to a path. */
function describe(schema: object, path: readonly string[]): string | undefined {
  const [name, ...rest] = path
  const own =
    'description' in schema && typeof schema.description === 'string' ? schema.description : undefined
  if (name === undefined) return own
  const parts =
    'anyOf' in schema && Array.isArray(schema.anyOf) ? (schema.anyOf as readonly object[]) : [schema]
  const found = parts.flatMap((part) => {
    const properties = 'properties' in part ? (part.properties as Readonly<Record<string, object>>) : {}
    const next = properties[name]
    return next === undefined ? [] : (describe(next, rest) ?? [])
  })
  return found[0] ?? own
}
