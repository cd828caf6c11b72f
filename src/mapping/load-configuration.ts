import { readFile } from 'node:fs/promises'
import { isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { parseConfig } from '../config.js'
import type { Config } from '../config.js'
import { defaultMappingFile } from '../environment.js'
import { createDatabase } from '../database/database.js'
import type { Database } from '../database/database.js'
import type { DatabaseConfig } from '../database/connection.js'
import { ConfigError, describeUnusable } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { findShapeIssues, todoPattern } from '../shape.js'
import { parseZone } from '../values/zone.js'
import { MappingSchema, zoneForm } from './mapping-schema.js'
import type { Mapping } from './mapping-schema.js'
import { findForbidden, findOptionIssues } from './mapped-columns.js'

/** Reads a mapping file. @throws ConfigError */
export async function loadMapping(file: string): Promise<Mapping> {
  return readMapping(await readMappingText(file))
}

/** Reads the mapping file of an environment, or the default one. @throws ConfigError */
export async function loadConfiguredMapping(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Mapping> {
  return loadMapping(variables['MAPPING_FILE'] || defaultMappingFile)
}

async function readMappingText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const found = describeUnusable(file, error)
    const allowed = 'the name of a YAML file, which `vitrine init` can write'
    throw new ConfigError([{ path: 'MAPPING_FILE', found, allowed }])
  }
}

/**
 * Reads the environment and its mapping file.
 *
 * @param read what is made of the text of the mapping file.
 * @throws ConfigError with all issues at once.
 */
export async function loadConfiguration<Read = Mapping>(
  variables: Readonly<Record<string, string | undefined>>,
  read = readMapping as (text: string) => Read,
): Promise<{ config: Config; mapping: Read }> {
  const [config, mapping] = await Promise.allSettled([
    Promise.resolve(variables).then(parseConfig),
    readMappingText(variables['MAPPING_FILE'] || defaultMappingFile).then(read),
  ])
  const issues = [config, mapping].flatMap((result) => {
    if (result.status === 'fulfilled') return []
    if (result.reason instanceof ConfigError) return result.reason.issues
    throw result.reason
  })
  if (config.status === 'rejected' || mapping.status === 'rejected') throw new ConfigError(issues)
  return { config: config.value, mapping: mapping.value }
}

/** The database of the configuration; nothing connects yet. */
export function openDatabase({ database }: Config, observe?: DatabaseConfig['observe']): Database {
  return createDatabase({ ...database, observe })
}

/**
 * The mapping that a YAML text holds: its shape first, then its meaning.
 *
 * @throws ConfigError with every issue of its shape, or else of its meaning.
 */
export function readMapping(text: string): Mapping {
  const content = parseYaml(text)
  const shapeIssues = findShapeIssues(MappingSchema, content)
  const rank = ({ found }: ConfigIssue): number => Number(todoPattern.test(found))
  if (shapeIssues.length > 0) throw new ConfigError(shapeIssues.toSorted((a, b) => rank(b) - rank(a)))
  const mapping = content as Mapping
  const issues = [
    ...findUnknownZone(mapping),
    ...findForbidden(mapping),
    ...findMissingSections(mapping),
    ...findOptionIssues(mapping),
  ]
  if (issues.length > 0) throw new ConfigError(issues)
  return mapping
}

/** An issue where the time zone has a name that this Node does not know. */
function findUnknownZone({ timezone = '+00:00' }: Mapping): readonly ConfigIssue[] {
  if (parseZone(timezone) !== undefined) return []
  return [{ path: 'timezone', found: JSON.stringify(timezone), allowed: zoneForm }]
}

/** An issue where the mapping has no collection at all. */
function findMissingSections({ registrations, invoices }: Mapping): readonly ConfigIssue[] {
  if (registrations !== undefined || invoices !== undefined) return []
  const allowed = 'a section registrations, a section invoices, or both'
  return [{ path: 'registrations', found: 'nothing, and no invoices either', allowed }]
}

/**
 * The content of a text, its names as they are written: YAML would read the stored value `01` as the number 1
 * and `TRUE` as a boolean.
 */
function parseYaml(text: string): unknown {
  const lineCounter = new LineCounter()
  const uniqueKeys = (a: unknown, b: unknown): boolean => toName(a) === toName(b)
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys })
  // What follows the first error of a form follows from it.
  const errors = document.errors.filter(({ code }, at) => at === 0 || code === 'DUPLICATE_KEY')
  const issues = errors.map(({ message: found, pos: [at] }) => ({
    path: `line ${lineCounter.linePos(at).line}`,
    found,
    allowed: 'one YAML document, in which a section has each name once',
  }))
  if (issues.length > 0) throw new ConfigError(issues)
  visit(document, {
    Scalar: (key, node) => {
      if (key === 'key') node.value = toName(node)
      // What `init` left open, with what to decide, which is the comment behind it.
      else if (node.value === 'TODO' && node.comment) node.value = `TODO: ${node.comment.trim()}`
    },
  })
  try {
    const content: unknown = document.toJS()
    // An alias within its own anchor has no end.
    JSON.stringify(content)
    return content
  } catch (error) {
    const found = error instanceof Error ? error.message : 'an alias'
    throw new ConfigError([
      { path: '(root)', found, allowed: 'an alias of an anchor before it, or the values' },
    ])
  }
}

function toName(key: unknown): string {
  return isScalar(key) ? String(key.source ?? key.value) : ''
}
