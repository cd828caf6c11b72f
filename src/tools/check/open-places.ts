import { isMap, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml'
import type { Document } from 'yaml'
import { bindRecord } from '../../collections/records.js'
import { collectionNames } from '../../collections/collection.js'
import type { BoundCollection } from '../../collections/collection.js'
import { ConfigError } from '../../errors.js'
import { createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { readMapping } from '../../mapping/load-configuration.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { todoPattern } from '../../shape.js'

/* A mapping file with places that say TODO: they are left out of the check, and the rest is checked. */

/** A place of the mapping file that is still to be decided. */
export interface OpenPlace {
  /** Such as `registrations.fields.name`. */
  readonly path: string
  /** What stands behind TODO, or in the comment there. */
  readonly candidates: string
}

/** A mapping, and the places in it that are still to be decided. */
export type OpenMapping = ReturnType<typeof readOpenMapping>

/** A name that no product has, where one is still to be decided. */
export const standIn = 'to be decided'

const hash = { column: standIn, algorithm: 'sha256', encoding: 'hex' }

/** What stands in for an open place, by the last word of its path: nothing that a record shows. Any other is left out. */
const standIns: Readonly<Record<string, unknown>> = {
  apiKeys: { table: standIn, hash, workspace: standIn, scopes: { grant: ['registration.read'] } },
  neverRead: [],
  timezone: '+00:00',
  workspace: { constant: standIn, confirmed: true },
  archived: [],
  eventId: null,
  fields: standIn,
}

/** Reads a mapping file that may have such places. @throws ConfigError */
export function readOpenMapping(text: string) {
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false })
  const open = document.errors.length > 0 ? [] : findTodos(document)
  for (const { path } of open) close(document, path.split('.'))
  if (open.length > 0 && !collectionNames.some((name) => document.has(name)))
    throw new ConfigError(
      open.map(({ path, candidates }) => ({ path, found: 'TODO', allowed: candidates || 'a decision' })),
    )
  return { mapping: readMapping(open.length === 0 ? text : String(document)), open }
}

function findTodos(document: Document): readonly OpenPlace[] {
  const found: OpenPlace[] = []
  visit(document, {
    Scalar: (key, { value, comment }, ancestors) => {
      if (key === 'key' || typeof value !== 'string' || !todoPattern.test(value)) return
      const names = listOptions(ancestors)
      const [section = '', option] = names
      // What is left out: a whole field, a whole option of a collection, the key table, or what must not be read.
      const isWhole = section === 'apiKeys' || section === 'neverRead'
      const path = isWhole ? [section] : names.slice(0, option === 'fields' ? 3 : 2)
      const behind = value.replace(/^TODO:? ?/, '') || (comment ?? '')
      found.push({ path: path.join('.'), candidates: behind.replace(/^ *candidates: */, '').trim() })
    },
  })
  return found
}

/** The options that lead to a node. What stands in a list belongs to the option that has the list. */
function listOptions(ancestors: readonly unknown[]): readonly string[] {
  const list = ancestors.findIndex((one) => isSeq(one))
  const outer = list === -1 ? ancestors : ancestors.slice(0, list)
  return outer.flatMap((one) => (isPair(one) && isScalar(one.key) ? [String(one.key.value)] : []))
}

function close(document: Document, path: readonly string[]): void {
  const [section = '', option = section, field = ''] = path
  if (!document.has(section)) return
  const created =
    field === 'updatedAt' ? toUnchanged(document.getIn([section, option, 'createdAt'])) : undefined
  if (created !== undefined) document.setIn(path, document.createNode(created))
  // Without these there is no collection.
  else if (option === 'table' || ['id', 'updatedAt'].includes(field)) document.deleteIn([section])
  else if (Object.hasOwn(standIns, option)) document.setIn(path, document.createNode(standIns[option]))
  else document.deleteIn(path)
}

/** The time of creation in place of that of the last change; undefined where it is none of the table itself. */
function toUnchanged(created: unknown): object | undefined {
  const option = isMap(created) ? (created.toJSON() as object) : { column: created }
  const isOwn = 'column' in option && typeof option.column === 'string' && option.column !== standIn
  return isOwn && !('from' in option) ? { ...option, neverChanges: true } : undefined
}

/** A collection without the fields that are still to be decided. */
export function withoutOpen(collection: BoundCollection, open: readonly OpenPlace[]): BoundCollection {
  const paths = open.map(({ path }) => path)
  const isOpen = (field: string): boolean =>
    [field, collection.fields[field]?.needs].some((one) =>
      paths.includes(`${collection.name}.fields.${one ?? ''}`),
    )
  const fields = Object.fromEntries(Object.entries(collection.fields).filter(([field]) => !isOpen(field)))
  const { table } = collection
  const projection = table.projection.filter(({ as }) => !isOpen(as.replace(/\d+$/, '')))
  const eventId = isOpen('eventId') ? undefined : table.eventId
  const noCase = { test: { ...table.id, is: null, isNegated: false }, then: standIn }
  const status = isOpen('status')
    ? { kind: 'cases' as const, cases: [noCase], otherwise: standIn }
    : table.status
  return {
    ...collection,
    fields,
    record: bindRecord(fields),
    table: { ...table, projection, eventId, status },
  }
}

/** A place that was left out, with its candidates; and whether its whole collection was. */
export function toFinding({ path, candidates }: OpenPlace, mapping: Mapping): Finding {
  const [, section] = /^(\w+)\.(?:table|fields\.(?:id|updatedAt))$/.exec(path) ?? []
  const isLost = collectionNames.some((name) => name === section && mapping[name] === undefined)
  const what = isLost ? `nothing of ${section} was checked` : 'was left out of the check'
  const problem = `is TODO, and ${what}${candidates === '' ? '' : `; candidates: ${candidates}`}`
  return createWarning(path, problem, 'decide it with the facts, or ask the product team')
}

/** Whether a path of the mapping lies within an open place. */
export function isWithinOpen(open: readonly OpenPlace[], path: string): boolean {
  return open.some((one) => path === one.path || path.startsWith(`${one.path}.`))
}
