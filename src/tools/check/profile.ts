import type { FieldContent } from '../../collections/field.js'
import { countTexts, toForm } from '../facts/values.js'
import { createSection, formatCount, toTable } from '../report/report.js'
import type { Bars, Cell, Section, Table } from '../report/report.js'
import { maskText } from '../../values/printable.js'
import { describeHidden } from './counts.js'
import type { Counts } from './counts.js'
import { standIn } from './open-places.js'
import { sizes } from './sample.js'
import type { Sample } from './sample.js'
import { isLookedUp, listProjectedColumns } from '../../collections/found-column.js'
import type { FoundColumn } from '../../collections/found-column.js'

/** A collection with what was read of it. */
export interface Profiled {
  readonly sample: Sample
  /** Or why the rows could not be counted. */
  readonly counts: Counts | string
}

/** The section of what follows. */
export const profileHead = { id: 'profile', title: 'Records that the mapping shows' } as const

/** What callers see of each collection: rows shown and left out, workspaces, and the values of each field. */
export function showProfile(collections: readonly Profiled[]): Section {
  return createSection({
    ...profileHead,
    intro:
      'Rows are counted in the table; the values are those of a sample of recent rows, made by the code that answers requests. The most frequent are years of times, and forms of texts and amounts: a for letters, 9 for digits. Samples are masked: the first character of each word is shown.',
    tables: collections.map(toFieldsTable),
    notes: collections.flatMap(listNotes),
    findings: [],
  })
}

/** The rows that are shown, why the others are hidden, and the fields that can change while `updatedAt` does not. */
function listNotes({ sample, counts }: Profiled): readonly string[] {
  const { collection, shown, faults, workspaces } = sample
  const { name, table } = collection
  const several = workspaces.length === sizes.workspaces ? 'many' : workspaces.length
  const { workspace } = table
  const isOpen = workspace.kind === 'constant' && workspace.constant === standIn
  const owners = `workspaces: ${isOpen ? 'TODO' : workspace.kind === 'constant' ? 'one for all' : several}`
  const sampled = `of a sample of ${formatCount(shown.length + faults.length)}, ${formatCount(faults.length)} cannot be shown`
  const counted =
    typeof counts === 'string'
      ? `its rows could not be counted: ${counts}`
      : `${formatCount(counts.left)} of ${formatCount(counts.total)} rows pass where and archived`
  const looked = listLookedUp(collection)
  const unsynced = `${name}: other tables are read by ${looked.join(', ')}. A sync delivers a change there only if it moves updatedAt${table.isView ? ', which check cannot see of a view' : ''}.`
  return [
    `${name} from ${table.name}: ${counted}; ${sampled}; ${owners}.`,
    ...(typeof counts === 'string' ? [] : describeHidden(name, counts)),
    ...(looked.length === 0 ? [] : [unsynced]),
  ]
}

/** What reads other tables, in which a change does not move `updatedAt` by itself. */
function listLookedUp({ table, fields }: Sample['collection']): readonly string[] {
  const { where, archived } = table
  const ofFields = Object.entries(fields).map(
    ([name, { projection }]) => [name, listProjectedColumns(projection)] as const,
  )
  const names = [...ofFields, ['where', where] as const, ['archived', archived] as const].flatMap(
    ([name, all]) => (all.some(isLookedUp) ? [name] : []),
  )
  return table.isView ? [...names, 'the view'] : names
}

const heads = {
  bars: 'Most frequent',
  values: 'Values',
  none: 'NULL or empty',
  range: 'Range',
  samples: 'Samples',
  column: 'Column',
  mapped: 'Mapped as',
}

function toFieldsTable({ sample: { collection, shown } }: Profiled): Table {
  const { name, table, fields, options, contents } = collection
  const rows = Object.entries(fields).map(([field, { projection }]) => {
    const columns = listProjectedColumns(projection).map((found) => {
      const { type, nullable } = found.column
      return `${describePath(table.name, found)}: ${type}${nullable ? ' or NULL' : ''}`
    })
    const values = shown.map(({ record }) => String(record[field] ?? ''))
    const mapped = JSON.stringify(options[field] ?? null)
    const about = describeValues(contents[field] ?? 'personal', values)
    return { field, column: [...new Set(columns)].join(', ') || null, mapped, ...about }
  })
  return toTable(name, { field: `Field of ${name}`, ...heads }, rows)
}

/** A column, and for a lookup the column of the table itself that refers to its row. */
function describePath(table: string, { column, lookup }: FoundColumn): string {
  if (lookup === undefined) return `${table}.${column.name}`
  return `${lookup.table}.${column.name} via ${describePath(table, lookup.on)} → ${lookup.table}.${lookup.key.name}`
}

/** What is shown of the values of a field: of texts their form and masked samples, of amounts and times their range. */
function describeValues(content: FieldContent, all: readonly string[]): Readonly<Record<string, Cell>> {
  const values = all.filter((value) => value !== '')
  const different = [...new Set(values)]
  const about = { values: different.length, none: all.length - values.length, range: null, samples: null }
  if (content === 'word') return { ...about, bars: toBars(values) }
  const isTime = content === 'time'
  if (content !== 'amount' && !isTime)
    return {
      ...about,
      samples: values.slice(0, 3).map(maskText).join(', '),
      bars: toBars(values.map((value) => toForm(value).slice(0, 24))),
    }
  const sorted = different.sort(isTime ? undefined : (a, b) => Number(a) - Number(b))
  const range = values.length === 0 ? null : `${sorted[0] ?? ''} … ${sorted.at(-1) ?? ''}`
  // The year, or the number of digits.
  const bars = toBars(values.map((value) => (isTime ? value.slice(0, 4) : value.replace(/\d/g, '9'))))
  return { ...about, range, bars }
}

const barsMax = 6

function toBars(values: readonly string[]): Bars {
  const counts = countTexts(values).map(({ code, rows }) => ({ label: code, count: rows }))
  const rest = counts.slice(barsMax).reduce((sum, { count }) => sum + count, 0)
  return [...counts.slice(0, barsMax), ...(rest > 0 ? [{ label: 'others', count: rest }] : [])]
}
