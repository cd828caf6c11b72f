import { isLookup, toOptions } from './mapping.js'
import type { Option, Section } from './mapping.js'
import { Several, compareCells, findCell, holds, isMatch } from './oracle-cells.js'
import type { Found, Place, World } from './oracle-cells.js'
import { listParts, sumCells, toCurrency, toTotal } from './oracle-money.js'
import { formatMicros, isUnset, toDay, toMicros, toMoment } from './oracle-times.js'
import type { Micros } from './oracle-times.js'
import { findValue, Invalid, readStored, requireShort } from './oracle-texts.js'
import { findTable } from './product.js'
import { toLastMicros, toZoneMicros } from './zones.js'
import type { Cell, Collection } from './product.js'

/** A record as the API shows it. */
export type View = Readonly<Record<string, string | boolean | null>>

/** What the oracle knows of a row that belongs to the collection and is not archived. */
export interface Entry {
  readonly workspace: string | undefined
  readonly id: string | undefined
  readonly status: string | undefined
  readonly events: ReadonlySet<string>
  readonly updatedAt: Micros
  /** The last instant that the stored time can mean: a sync must not miss a change of the repeated hour. */
  readonly lastUpdatedAt: Micros
  /** Undefined for a row that cannot be shown truthfully. */
  readonly view: View | undefined
}

/** The entries of a collection in the order of lists. */
export function findEntries(world: World, collection: Collection, section: Section): readonly Entry[] {
  const table = findTable(world.tables, section.table)
  const places = table.rows.map((row) => ({ table, row }))
  const belonging = places.filter((place) => isVisible(world, place, section))
  const [id, updatedAt] = [section.fields['id']!, toOptions(section.fields['updatedAt'])]
  const order = (one: Place, other: Place): number =>
    compareTimes(world, findTime(world, one, updatedAt), findTime(world, other, updatedAt)) ||
    compareCells(world, findCell(world, one, id), findCell(world, other, id))
  return belonging.sort(order).map((place) => toEntry(world, place, collection, section))
}

/** The cell of a time; of two columns, that of the first that is set. */
function findTime(world: World, place: Place, option: Option): Found {
  const cells = (option.first ?? [option]).map((one) => findCell(world, place, one))
  return cells.find(({ cell, column }) => !isUnset(cell, column)) ?? cells.at(-1)!
}

/** The unit of a time, which two columns have in common. */
const unitOf = (option: Option): Option['epoch'] => toOptions(option.first?.[0] ?? option).epoch

function compareTimes(world: World, one: Found, other: Found): number {
  if (one.cell === null || other.cell === null) return Number(one.cell !== null) - Number(other.cell !== null)
  if (one.column.kind === 'integer') return compareCells(world, one, other)
  return one.cell < other.cell ? -1 : Number(one.cell > other.cell)
}

/** A row of which a condition says nothing is not a record. */
function isVisible(world: World, place: Place, section: Section): boolean {
  const { where = [], archived } = section
  const isArchived = (): boolean => [archived].flat().some((test) => holds(world, place, test))
  return attempt(() => where.every((test) => holds(world, place, test)) && !isArchived()) ?? false
}

function toEntry(world: World, place: Place, collection: Collection, section: Section): Entry {
  const read = toReaders(world, place, section)
  return {
    workspace: attempt(() => read.workspace()),
    id: attempt(() => read.identifier('id')),
    status: attempt(() => read.status()),
    events: findEvents(world, place, section),
    updatedAt: read.micros('updatedAt'),
    lastUpdatedAt: read.micros('updatedAt', toLastMicros),
    view: attempt(() => (collection === 'registrations' ? toRegistration(read) : toInvoice(read))),
  }
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Invalid || error instanceof Several) return undefined
    throw error
  }
}

type Readers = ReturnType<typeof toReaders>

function toRegistration(read: Readers): View {
  const checkedIn = read.checkedIn()
  return {
    id: read.identifier('id'),
    eventId: read.identifier('eventId'),
    status: read.status(),
    name: read.name(),
    email: read.text('email'),
    checkedIn,
    checkedInAt: checkedIn ? read.moment('checkedInAt') : null,
    createdAt: require(read.moment('createdAt')),
    updatedAt: require(read.moment('updatedAt')),
  }
}

function toInvoice(read: Readers): View {
  const currency = read.currency()
  return {
    id: read.identifier('id'),
    number: read.identifier('number'),
    status: read.status(),
    total: read.total(currency),
    currency,
    issueDate: require(read.day('issueDate')),
    dueDate: read.day('dueDate'),
    createdAt: require(read.moment('createdAt')),
    updatedAt: require(read.moment('updatedAt')),
  }
}

function require<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Invalid()
  return value
}

/** How each field of a row is read; a name stands for the option of that field. */
function toReaders(world: World, place: Place, section: Section) {
  const fields = (name: string): Option => toOptions(section.fields[name])
  const workspace = toOptions(section.workspace)
  const micros = (name: string, toInstant = toZoneMicros): Micros => {
    const option = fields(name)
    if (Object.keys(option).length === 0) return null
    const { column, cell } = findTime(world, place, option)
    return toMicros(cell, column, unitOf(option), world.zone, toInstant)
  }
  const time = (name: string, toShown: typeof toDay): string | null => {
    const option = fields(name)
    if (Object.keys(option).length === 0) return null
    const { column, cell } = findTime(world, place, option)
    const shown = toShown(cell, column, unitOf(option), world.zone)
    if (shown === undefined) throw new Invalid()
    return shown
  }
  return {
    micros,
    workspace: (): string => {
      if (typeof workspace.constant === 'string') return workspace.constant
      const found = findCell(world, place, workspace)
      const text = require(toIdentifier(found, workspace))
      // It is not shown, and its zeros mean nothing.
      return found.column.kind === 'integer' ? String(BigInt(text)) : text
    },
    identifier: (name: string): string => {
      const value = require(readFirst(fields(name), (one) => readIdentifier(world, place, one)))
      // No request can name an empty one.
      return require(value === '' && name !== 'number' ? undefined : value)
    },
    text: (name: string): string => require(readFirst(fields(name), (one) => readText(world, place, one))),
    status: () => readStatus(world, place, fields('status')),
    name: () => require(readFirst(fields('name'), (one) => readName(world, place, one))),
    checkedIn: (): boolean => {
      const given = section.fields['checkedIn']!
      if (typeof given === 'string') return Number(require(findCell(world, place, given).cell)) !== 0
      if (given.constant === false) return false
      return isLookup(given) || given.column !== undefined
        ? holds(world, place, given)
        : micros('checkedInAt') !== null
    },
    day: (name: string): string | null => time(name, toDay),
    moment: (name: string): string | null => time(name, toMoment),
    currency: () => require(readCurrency(world, place, fields('currency'))),
    total: (currency: string): string => {
      const option = fields('total')
      const cells =
        option.from === undefined
          ? listParts(option).map((part) => findCell(world, place, part).cell)
          : sumLines(world, place, option, fields('id'))
      return require(toTotal(option, cells, currency))
    },
  }
}

/** For each part, the sum of its column over the rows that belong to this one. */
function sumLines(world: World, place: Place, option: Option, id: Option): readonly Cell[] {
  const { from, key, where = [], nullIsZero } = option
  const table = findTable(world.tables, from!)
  const lines = table.rows
    .map((row) => ({ table, row }))
    .filter((line) => isMatch(world, findCell(world, place, id.column!), findCell(world, line, key!)))
    .filter((line) => where.every((test) => holds(world, line, test)))
  return listParts(option).map((part) => {
    const cells = lines.map((line) => findCell(world, line, part).cell)
    return sumCells(nullIsZero === true ? cells.filter((one) => one !== null) : cells)
  })
}

/** The public form of an identifier; undefined for NULL. */
export function toIdentifier({ column, cell }: Found, option: Option): string | undefined {
  if (cell === null) return undefined
  const { zeros = column.type.endsWith('zerofill'), as } = option
  if (column.kind === 'integer' && !zeros) return String(BigInt(cell))
  if (column.kind !== 'binary') return requireShort(cell)
  // UUID_TO_BIN(…, 1) stores the third group, the second and then the first.
  const hex =
    as === 'uuid-swapped' ? cell.slice(8, 16) + cell.slice(4, 8) + cell.slice(0, 4) + cell.slice(16) : cell
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function readStatus(world: World, place: Place, option: Option): string {
  const { when, values, otherwise } = option
  if (when !== undefined) return require(when.find((test) => holds(world, place, test))?.then ?? otherwise)
  const found = findCell(world, place, option)
  const stored = require(toIdentifier(found, option))
  const isError = stored === '' && found.column.type.startsWith('enum')
  if (values === undefined) return require(isError ? undefined : stored)
  const listed = Array.isArray(values)
    ? (values as readonly string[]).find((word) => word === stored)
    : new Map(Object.entries(values)).get(stored)
  return require(listed ?? otherwise)
}

/** The value of an option, or of the first of its places that has one which is not empty. */
function readFirst(option: Option, read: (place: Option) => string | undefined): string | undefined {
  if (option.first === undefined) return read(option)
  for (const place of option.first.map(toOptions)) {
    const value = typeof place.constant === 'string' ? place.constant : read(place)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

function readIdentifier(world: World, place: Place, option: Option): string | undefined {
  if (option.json !== undefined || option.charset !== undefined) return readText(world, place, option)
  return toIdentifier(findCell(world, place, option), option)
}

/** Undefined for NULL and for a path that leads nowhere. */
function readText(world: World, place: Place, option: Option): string | undefined {
  const { cell } = findCell(world, place, option)
  if (cell === null) return undefined
  if (option.json === undefined) return readStored(cell, option)
  const value = findValue(cell, option.json)
  if (typeof value === 'object' && value !== null) throw new Invalid()
  return value === null || value === undefined ? undefined : requireShort(String(value))
}

function readName(world: World, place: Place, option: Option): string | undefined {
  const { columns, separator = ' ' } = option
  if (columns === undefined) return readText(world, place, option)
  const cells = columns.map((column) => findCell(world, place, { ...option, column }).cell)
  const parts = cells.flatMap((cell) => (cell === null ? [] : readStored(cell, option)))
  if (parts.length === 0) return undefined
  if (columns.length === 1) return parts[0]!
  return requireShort(parts.filter((part) => part.trim() !== '').join(separator))
}

function readCurrency(world: World, place: Place, option: Option): string | undefined {
  if (typeof option.constant === 'string') return option.constant
  return toCurrency(readFirst(option, (one) => readText(world, place, one)) ?? null)
}

/** The events that the filter `eventId` finds a row by. */
function findEvents(world: World, place: Place, { eventId, fields }: Section): ReadonlySet<string> {
  const given = fields['eventId'] ?? eventId ?? null
  if (given === null) return new Set()
  const option = toOptions(given)
  if (option.table === undefined) {
    const event = attempt(() => readFirst(option, (one) => readIdentifier(world, place, one)))
    return new Set(event === undefined ? [] : [event])
  }
  const table = findTable(world.tables, option.table)
  const id = findCell(world, place, fields['id']!)
  const links = table.rows
    .map((row) => ({ table, row }))
    .filter((link) => isMatch(world, id, findCell(world, link, option.invoice!)))
  const shown = toOptions(option.event)
  const events = links.map((link) => toIdentifier(findCell(world, link, shown), shown))
  return new Set(events.filter((event) => event !== undefined))
}

/** Microseconds as an exact RFC 3339 timestamp. */
export function toExactText(micros: bigint): string {
  const rest = ((micros % 1000n) + 1000n) % 1000n
  return formatMicros(micros).replace('Z', `${String(rest).padStart(3, '0')}Z`)
}
