import { isPair, isScalar, isSeq, parseDocument, visit } from 'yaml'
import type { Document } from 'yaml'
import { bindRecord } from '../../collections/collection.js'
import type { BoundCollection } from '../../collections/collection.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { readMapping } from '../../mapping/read-mapping.js'

/* A mapping file with places that say TODO: they are left out of the check, and the rest is checked. */

/** A place of the mapping file that is still to be decided. */
export interface OpenPlace {
  /** Such as `registrations.fields.name`. */
  readonly path: string
  /** What stands behind TODO, or in the comment there. */
  readonly candidates: string
}

/** A mapping, and the places in it that are still to be decided. */
export interface OpenMapping {
  readonly mapping: Mapping
  readonly open: readonly OpenPlace[]
}

/** Reads a mapping file that may have such places. @throws ConfigError */
export function readOpenMapping(text: string): OpenMapping {
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false })
  const found = document.errors.length > 0 ? [] : findTodos(document)
  if (found.length === 0) return { mapping: readMapping(text), open: [] }
  for (const { names } of found) close(document, names)
  const open = found.map(({ names, candidates }) => ({ path: toPlace(names).join('.'), candidates }))
  return { mapping: readMapping(String(document)), open }
}

interface Todo extends Pick<OpenPlace, 'candidates'> {
  readonly names: readonly string[]
}

function findTodos(document: Document): readonly Todo[] {
  const found: Todo[] = []
  visit(document, {
    Scalar: (key, node, ancestors) => {
      const { value } = node
      if (key === 'key' || typeof value !== 'string' || !/^TODO(?:$|[: ])/.test(value)) return
      const names = ancestors.flatMap((one, at) => {
        if (isPair(one)) return isScalar(one.key) ? [String(one.key.value)] : []
        return isSeq(one) ? [String(one.items.indexOf(ancestors[at + 1] ?? node))] : []
      })
      found.push({ names, candidates: value.replace(/^TODO:? ?/, '') || (node.comment ?? '').trim() })
    },
  })
  return found
}

/** The place that is left out: a whole field, a whole option of a collection, the key table, or what must not be read. */
function toPlace(names: readonly string[]): readonly string[] {
  const [section, option] = names
  if (section === 'apiKeys' || section === 'neverRead') return [section]
  return names.slice(0, option === 'fields' ? 3 : 2)
}

/** A name that no product has, where one is still to be decided. */
export const standIn = 'to be decided'

const noKeys = {
  table: standIn,
  hash: { column: standIn, algorithm: 'sha256', encoding: 'hex' },
  workspace: standIn,
  scopes: { grant: ['registration.read'] },
}

/** What stands in for an open place, by its option: nothing that a record shows. Any other option is left out. */
const standIns: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['apiKeys', noKeys],
  ['neverRead', []],
  ['timezone', '+00:00'],
  ['workspace', { constant: standIn, confirmed: true }],
  ['archived', []],
  ['eventId', null],
  ['fields', standIn],
])

function close(document: Document, names: readonly string[]): void {
  const place = toPlace(names)
  const [section = '', option = section, field = ''] = place
  const status = {
    when: [{ column: readId(document, section), is: 'unset', then: standIn }],
    otherwise: standIn,
  }
  // Without these there is no collection.
  if (option === 'table' || ['id', 'updatedAt'].includes(field)) document.deleteIn([section])
  else if (document.has(section) && standIns.has(option))
    document.setIn(place, document.createNode(field === 'status' ? status : standIns.get(option)))
  else document.deleteIn(place)
}

function readId(document: Document, section: string): unknown {
  const id = (document.toJS() as Readonly<Record<string, { fields?: { id?: unknown } }>>)[section]?.fields?.id
  return typeof id === 'object' && id !== null && 'column' in id ? id.column : id
}

/** Fields that cannot be read without another one. */
const needed: Readonly<Record<string, string>> = { total: 'currency', checkedInAt: 'checkedIn' }

/** A collection without the fields that are still to be decided. */
export function withoutOpen(collection: BoundCollection, open: readonly OpenPlace[]): BoundCollection {
  const prefix = `${collection.name}.fields.`
  const names = open.flatMap(({ path }) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []))
  if (names.length === 0) return collection
  const isOpen = (field: string): boolean => names.includes(field) || names.includes(needed[field] ?? '')
  const fields = Object.fromEntries(Object.entries(collection.fields).filter(([field]) => !isOpen(field)))
  const { table } = collection
  const projection = table.projection.filter(({ as }) => !isOpen(as.replace(/\d+$/, '')))
  const eventId = isOpen('eventId') ? undefined : table.eventId
  return { ...collection, fields, record: bindRecord(fields), table: { ...table, projection, eventId } }
}

/** Whether a path of the mapping lies within an open place. */
export function isWithinOpen(open: readonly OpenPlace[], path: string): boolean {
  return open.some((one) => path === one.path || path.startsWith(`${one.path}.`))
}
