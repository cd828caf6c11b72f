import { maskText } from '../../values/printable.js'
import { formatOffset } from '../../values/zone.js'
import { countTexts, toMs, toOffset } from '../facts/values.js'
import type { Context, Link, Part } from './link.js'
import { fold, readAmounts, readTimes, weighTitle } from './values.js'
import type { Column } from './values.js'

/** How a column shows a field, or a column of the table, in the lines where one of them has a value. */
export interface Shown {
  readonly column: Column
  readonly asked: number
  readonly agreeing: number
  /** The offsets from UTC at which the column shows times, or the words for a status. */
  readonly as?: string
  /** These offsets in minutes, where the texts do not say their zone. */
  readonly clocks?: readonly number[]
}

/** The same with the lines that do not agree, and the number of different values in those that do. */
type Match = Shown & { readonly differing: readonly Link[]; readonly variety: number }

function match(
  { of, places }: Context,
  [part, name]: readonly [Part, string],
  column: Column,
  links: readonly Link[],
): Match {
  const place = places[part].get(name) ?? []
  const asked = links.filter(([line, row]) => column.texts[line] !== '' || place[row]?.length)
  const isClock = of.contents[part][name] === 'time' && column.kind === 'time'
  const read = (row: number): string => String(of.rows[row]?.[part]?.[name] ?? '')
  const agrees = ([line, row]: Link): boolean =>
    place[row]?.some((key) => column.keys[line]?.has(key)) === true
  const { isEqual, as } = isClock ? readClock(column, asked, read) : { isEqual: agrees, as: {} }
  const agreed = new Set(asked.filter(isEqual))
  const differing = asked.filter((one) => !agreed.has(one))
  const variety = new Set([...agreed].map(([, row]) => read(row))).size
  return { column, asked: asked.length, agreeing: agreed.size, differing, variety, ...as }
}

/** Whether times are equal at the usual offset from UTC of a column, or at one of two that differ by an hour. */
function readClock(column: Column, links: readonly Link[], read: (row: number) => string) {
  const list = ([line, row]: Link) =>
    readTimes(column.texts[line] ?? '').map((time) => ({
      ...time,
      minutes: (time.ms - toMs(read(row))) / 60_000,
    }))
  const isNear = (minutes: number, clock: number): boolean => Math.abs(minutes - clock) <= 1
  const offsets = links.flatMap(list).flatMap(({ minutes, hasHour }) => {
    return (hasHour ? toOffset(minutes, 1)?.toString() : undefined) ?? []
  })
  const usual = countTexts(offsets).filter(({ rows }) => rows > links.length / 20)
  const [first = NaN, second = NaN] = usual.map(({ code }) => Number(code))
  const clocks = Math.abs(first - second) === 60 ? [first, second] : [first]
  // A day without an hour is that of some zone.
  const isEqual = (one: Link): boolean =>
    list(one).some(({ minutes, hasHour }) =>
      hasHour ? clocks.some((clock) => isNear(minutes, clock)) : minutes > -2280 && minutes <= 840,
    )
  const names = clocks.toSorted((a, b) => a - b).map((one) => (one === 0 ? 'UTC' : `UTC${formatOffset(one)}`))
  const isLocal = links.flatMap(list).every((time) => time.isLocal)
  const isPart = links.some(([, row]) => read(row).includes('T'))
  const days = isPart ? { as: 'days only' } : {}
  const as = Number.isNaN(first) ? days : { as: names.join(' and '), ...(isLocal && { clocks }) }
  return { isEqual, as }
}

/** Few lines can differ: a product rounds and cuts, and was changed since. */
const areFew = (count: number, all: number): boolean => count <= Math.max(1, all * 0.02)

const isSame = ({ asked, agreeing, variety }: Match): boolean =>
  areFew(asked - agreeing, asked) && agreeing > 2 && variety > 0

/** The column that shows a field. Where one whose title says so does not, that is a warning. */
export function compareField(field: string, context: Context): Shown | undefined {
  const { of, columns, links, warn, note } = context
  const place = `${of.name}.fields.${field}`
  const content = of.contents.record[field] ?? 'text'
  const share = ({ asked, agreeing }: Match): number => agreeing / Math.max(1, asked)
  const all = columns
    .map((column) => ({
      ...match(context, ['record', field], column, links),
      points: weighTitle(field, content, column),
    }))
    .sort((one, other) => share(other) - share(one) || other.points - one.points)
  const best = all.find((one) => isSame(one) && (one.variety > 1 || one.points > 0))
  const meant = all.find((one) => one.points >= 7 && one.differing.length > 1 && one.column !== best?.column)
  // Another field of ours, a part of the total, or another day.
  const isOther = best?.points === 0 && [...best.column.roles.values()].some((points) => points >= 8)
  const accept = (one: Match): Match => {
    if (one.differing.length > 0) note(place, describeDiffering(field, one, context))
    return one
  }
  if (meant === undefined || (best !== undefined && !isOther)) return best && accept(best)
  const why = explain(field, meant, context)
  // “Nr.” can be either.
  if (field === 'number' && why.endsWith(' as id')) return best
  warn(place, `${describeDiffering(field, meant, context)}${why}`)
  return undefined
}

/** In which lines a column does not show a field. */
function describeDiffering(
  field: string,
  { column, differing, asked }: Pick<Match, 'column' | 'differing' | 'asked'>,
  context: Context,
): string {
  const { of, numbers } = context
  const mask = of.contents.record[field] === 'personal' ? maskText : String
  const show = (value: string | boolean | null = ''): string => mask(String(value ?? '') || 'empty')
  const examples = differing.slice(0, 3).map(([line, row]) => {
    return `line ${numbers[line] ?? 0}: ${show(column.texts[line])} is ${show(of.rows[row]?.record?.[field])}`
  })
  return `differs from “${column.title}” in ${differing.length} of ${asked} lines (${examples.join('; ')})`
}

/** What a column shows in place of a field. */
function explain(field: string, { column, differing }: Match, context: Context): string {
  const { of, links } = context
  const find = (part: Part, some: readonly Link[]): string | undefined =>
    Object.keys(of.contents[part]).find((name) => {
      const found = match(context, [part, name], column, some)
      return name !== field && isSame(found) && found.variety > 1
    })
  const [other, cell] = [find('record', differing), find('cells', links)]
  if (other !== undefined) return `: the export has there what the mapping shows as ${other}`
  if (cell !== undefined) return `: the export has ${of.table}.${cell}`
  if (of.contents.record[field] !== 'amount') return ''
  const ratios = differing.flatMap(([line, row]) =>
    readAmounts(column.texts[line] ?? '').map((one) =>
      (Number(of.rows[row]?.record?.[field]) / one).toFixed(2),
    ),
  )
  const [most] = countTexts(ratios)
  if (most === undefined || most.rows < differing.length * 0.8) return ''
  return `: ${most.code} times as much, by another unit, sign or tax`
}

/** Words of a column beside the values of a field: what stands beside each, and in how many lines another one does. */
function readWords(field: string, column: Column, pairs: readonly Pair[]) {
  const words = follow(pairs)
  const values = follow(pairs.map(([word, value]) => [value, word]))
  const points = weighTitle(field, 'word', column)
  const alike = [...words].flatMap(([word, to]) => to.filter(({ code }) => fold(word) === fold(code)))
  const same = alike.reduce((sum, { rows }) => sum + rows, 0) / pairs.length
  const equal = values.size > 1 ? same : 0
  const back = countOthers(values)
  // A course has several dates, each of which is an event: its title is that of several.
  const against = field === 'eventId' && back === 0 ? 0 : countOthers(words)
  const isExact = Math.min(words.size, values.size) > 1 && areFew(against + back, pairs.length)
  const isMany = words.size > Math.max(3, Math.min(field === 'status' ? 20 : Infinity, pairs.length / 2))
  const isCandidate = !isMany && (points >= 5 || equal >= 0.3 || isExact)
  const score = 2 * equal + points / 10 - against / pairs.length
  return { column, points, pairs, words, values, against, score: isCandidate ? score : -Infinity }
}

/** Texts that differ by case only are one word, as the first of them is written. */
function spell(texts: readonly string[]): readonly string[] {
  const first = new Map<string, string>()
  return texts.map((text) => {
    const folded = fold(text)
    const spelled = first.get(folded) ?? text
    first.set(folded, spelled)
    return spelled
  })
}

/** A column whose words follow the values of a field: a status in other words, an event by its name. */
export function compareWords(field: string, context: Context): Shown | undefined {
  const { of, columns, links, warn, note } = context
  const place = `${of.name}.fields.${field}`
  const values = spell(links.map(([, row]) => String(of.rows[row]?.record?.[field] ?? '')))
  const found = columns.map((column) => {
    const words = spell(links.map(([line]) => column.texts[line] ?? ''))
    return readWords(
      field,
      column,
      words.map((word, at) => [word, values[at] ?? '']),
    )
  })
  const [best] = found.sort((one, other) => other.score - one.score)
  if (best === undefined || best.score === -Infinity) return undefined
  const { column, pairs, words, values: followed, against, points } = best
  const problem = describeWords(field, best, links.length)
  if (problem !== '') {
    if (points >= 5) warn(place, problem)
    return undefined
  }
  const isStatus = field === 'status'
  const differing = links.filter((_, at) => {
    const [word = '', value] = pairs[at] ?? []
    return words.get(word)?.[0]?.code !== value
  })
  if (against > 0) note(place, describeDiffering(field, { column, differing, asked: links.length }, context))
  const [few, many] = [followed.size, words.size]
  const names = `${many} names of ${few} events: a name does not prove the date`
  const as = isStatus ? listWords([...words].map(([word, to]) => [word, to.slice(0, 1)])) : names
  if (isStatus && few !== many)
    note(place, `${few} values stand for ${many} words of “${column.title}”: ${as}`)
  return { column, asked: links.length, agreeing: links.length - against, as }
}

/** What words say against a field; empty where they follow it. */
function describeWords(field: string, of: ReturnType<typeof readWords>, size: number): string {
  const { column, words, values, against } = of
  const title = `“${column.title}”`
  const [few, many] = [values.size, words.size]
  if (few === 1 ? many > 1 : field === 'eventId' && few > 3 * many)
    return `has ${few} values in ${size} lines, where ${title} has ${many}`
  if (!areFew(against, size))
    return `does not follow ${title}: ${listWords([...words].filter(([, to]) => to.length > 1))}`
  const [names, titles] = [values, words].map((map) => new Set([...map.keys()].map(fold)))
  const crossed = [...words].filter(([word, [to]]) => {
    const [from, other] = [fold(word), fold(to?.code ?? '')]
    return from !== other && names?.has(from) === true && titles?.has(other) === true
  })
  return crossed.length === 0 ? '' : `is crossed with ${title}: ${listWords(crossed)}`
}

function listWords(some: readonly (readonly [string, readonly Count[]])[]): string {
  const toList = (to: readonly Count[]): string => to.map(({ code }) => code || 'empty').join(' and ')
  return some
    .slice(0, 6)
    .map(([word, to]) => `${word || 'empty'} is ${toList(to)}`)
    .join(', ')
}

/** A word of the export, and a value of the record. */
type Pair = readonly [from: string, to: string]

type Count = ReturnType<typeof countTexts>[number]

/** What stands beside each text, the most frequent first. */
function follow(pairs: readonly Pair[]): ReadonlyMap<string, readonly Count[]> {
  const lists = new Map<string, string[]>()
  for (const [from, to] of pairs)
    lists
      .set(from, lists.get(from) ?? [])
      .get(from)
      ?.push(to)
  return new Map([...lists].map(([from, texts]) => [from, countTexts(texts)]))
}

/** The pairs that have another text than the most frequent one. */
function countOthers(lists: ReadonlyMap<string, readonly Count[]>): number {
  return [...lists.values()].reduce(
    (sum, [, ...others]) => others.reduce((all, { rows }) => all + rows, sum),
    0,
  )
}
