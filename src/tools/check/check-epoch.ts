import { isDeepStrictEqual } from 'node:util'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { createError, createSection, createWarning, toTable } from '../report/report.js'
import type { Finding, Section } from '../report/report.js'
import { collectionNames } from '../../collections/collection.js'
import { listArchivedTests } from '../../collections/section-options.js'

/** A place in which two mapping files differ, with the values as JSON; undefined where a file has none. */
interface Difference {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** Whether records differ by it without a new `updatedAt`. `by values`: only if another column holds other values. */
  readonly changes: 'yes' | 'by values' | 'no'
}

/** Whether the epoch must be raised when one mapping file replaces another, place by place. */
export function checkEpoch(before: Mapping, after: Mapping): Section {
  const differences = listDifferences(before, after)
  return createSection({
    id: 'epoch',
    title: 'Epoch',
    intro:
      'Copies read records again when their updatedAt moves, or when the epoch is raised. These places differ from the other mapping file.',
    tables: [
      toTable(
        'differences',
        { path: 'Place', before: 'Before', after: 'After', changes: 'Changes records' },
        differences.map(({ path, before: old = null, after: now = null, changes }) => ({
          path,
          before: old,
          after: now,
          changes,
        })),
      ),
    ],
    notes: differences.length === 0 ? ['The mapping files say the same.'] : [],
    findings: evaluateEpoch(differences, before.epoch ?? 0, after.epoch ?? 0),
  })
}

function evaluateEpoch(
  differences: readonly Difference[],
  before: number,
  after: number,
): readonly Finding[] {
  if (after < before) {
    const problem = `is ${after}, and copies that were read under ${before} ignore a lower one`
    return [createError('epoch', problem, `set it to ${before + 1}`)]
  }
  if (after > before) return []
  const list = (changes: Difference['changes']): string =>
    differences.flatMap((one) => (one.changes === changes ? [one.path] : [])).join(', ')
  const [certain, possible] = [list('yes'), list('by values')]
  const fix = `set it to ${before + 1}`
  if (certain !== '')
    return [
      createError('epoch', `is ${after} as before, and records differ without updatedAt by ${certain}`, fix),
    ]
  if (possible === '') return []
  const problem = `is ${after} as before, and records differ without updatedAt if other values are read by ${possible}`
  return [
    createWarning('epoch', problem, `${fix}, unless the values are the same, as after a renamed column`),
  ]
}

function listDifferences(before: Mapping, after: Mapping): readonly Difference[] {
  const found: Difference[] = []
  compare('', toPlain(before), toPlain(after), (path, old, now) => {
    found.push({ path, before: toText(old), after: toText(now), changes: findChange(path, old, now) })
  })
  return found
}

function toText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

/** What no record shows: who may read, how hosts are checked, and what is forbidden. */
const unseen = /^(?:epoch|neverRead|heartbeat|apiKeys\.(?!workspace))|\.(?:invalidRows|neverChanges)$/
/** The names by which values are found. */
const names = /\.(?:table|column|columns|from|on|key|invoice|event)(?:\.\d+)?$/

function findChange(path: string, before: unknown, after: unknown): Difference['changes'] {
  // No copy has a collection that was not there, or reads one that is there no more.
  const isCollection = collectionNames.some((name) => name === path)
  if (isCollection || unseen.test(path)) return 'no'
  return names.test(path) && typeof before === typeof after ? 'by values' : 'yes'
}

/** A mapping with one form for each meaning. */
function toPlain(mapping: Mapping): object {
  const sections = collectionNames.flatMap((name) => {
    const section = mapping[name]
    if (section === undefined) return []
    const { where = [], archived, workspace, fields, ...rest } = section
    const plain = {
      ...rest,
      where,
      archived: listArchivedTests(archived),
      workspace: toOption(workspace),
      fields: Object.fromEntries(Object.entries(fields).map(([field, option]) => [field, toOption(option)])),
    }
    return [[name, plain] as const]
  })
  return { ...mapping, ...Object.fromEntries(sections) }
}

/** A column as an object, and a list of statuses as pairs of a stored word and a public one. */
function toOption(option: unknown): unknown {
  if (typeof option === 'string') return { column: option }
  if (!isObject(option) || !Array.isArray(option['values'])) return option
  return { ...option, values: Object.fromEntries(option['values'].map((word: string) => [word, word])) }
}

type Report = (path: string, before: unknown, after: unknown) => void

function compare(path: string, before: unknown, after: unknown, report: Report): void {
  if (isDeepStrictEqual(before, after)) return
  if (isTests(path, before) && isTests(path, after)) compareTests(path, before, after, report)
  else if (isObject(before) && isObject(after))
    for (const name of listNames(before, after))
      compare(path === '' ? name : `${path}.${name}`, before[name], after[name], report)
  else report(path, before, after)
}

function compareTests(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  report: Report,
): void {
  for (const test of before) if (!hasSame(after, test)) report(path, test, undefined)
  for (const test of after) if (!hasSame(before, test)) report(path, undefined, test)
}

/** A list of tests whose order has no meaning. */
function isTests(path: string, value: unknown): value is readonly unknown[] {
  return /\.(?:where|archived)$/.test(path) && Array.isArray(value)
}

function hasSame(list: readonly unknown[], one: unknown): boolean {
  return list.some((other) => isDeepStrictEqual(one, other))
}

function listNames(before: object, after: object): ReadonlySet<string> {
  return new Set([...Object.keys(before), ...Object.keys(after)])
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
