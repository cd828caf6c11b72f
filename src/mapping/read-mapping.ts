import { isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { Document } from 'yaml'
import { findNearest } from '../client/nearest.js'
import { ConfigError } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { parseZone } from '../values/zone.js'
import { MappingSchema, zoneForm } from './mapping-schema.js'
import type { Mapping } from './mapping-schema.js'
import { findForbidden, findOptionIssues } from './mapped-columns.js'
import { findShapeIssues, todoPattern } from './shape.js'

/**
 * The mapping that a YAML text holds: its shape first, then its meaning.
 *
 * @throws ConfigError with every issue of its shape, or else of its meaning.
 */
export function readMapping(text: string): Mapping {
  const content = parseYaml(text)
  requireShape(content)
  const issues = [
    ...findUnknownZone(content),
    ...findForbidden(content),
    ...findMissingSections(content),
    ...findOptionIssues(content),
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

/** @throws ConfigError, what is undecided first */
function requireShape(content: unknown): asserts content is Mapping {
  const issues = findShapeIssues(MappingSchema, content)
  const isTodo = ({ found }: ConfigIssue): boolean => todoPattern.test(found)
  if (issues.length > 0)
    throw new ConfigError([...issues.filter(isTodo), ...issues.filter((issue) => !isTodo(issue))])
}

function parseYaml(text: string): unknown {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false })
  if (document.errors.length === 0) return toContent(document, lineCounter)
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
    // What `init` left open, with what to decide, which is the comment behind it.
    Scalar: (key, node) => {
      if (key !== 'key' && node.value === 'TODO' && node.comment) node.value = `TODO: ${node.comment.trim()}`
    },
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
      if (target === undefined || ancestors.includes(target))
        issues.push({ path, found: `the alias *${alias.source}`, allowed: 'an alias of an anchor before it' })
    },
  })
  try {
    if (issues.length === 0) document.toJS()
  } catch {
    issues.push({ path, found: 'aliases that repeat too many values', allowed: 'the values themselves' })
  }
  return issues
}
